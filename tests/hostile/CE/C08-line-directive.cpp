// C08: pretends that the error is in a file of the grader.
// expect: reason=refused
#include "perfmodel.hpp"
#line 1 "grader/grade.cpp"
this is no program;
