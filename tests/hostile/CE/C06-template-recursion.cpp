// C06: 70 bytes of template recursion that print megabytes.
// expect: reason=compile_output|refused|compile_time|compile_memory
template <class T> struct X { X<X<T*>> x; X<T**> y; static const int n = X<T*>::n + X<X<T>>::n; };
int bad = X<int>::n;
