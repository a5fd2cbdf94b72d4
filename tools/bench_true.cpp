// The smallest honest program: static, exits with 0.
// Does nothing.
// Run by tools/bench, bare and in jails.
int main() {
    return 0;
}
