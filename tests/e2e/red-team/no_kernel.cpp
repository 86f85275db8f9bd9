// expect: rejected check
// No kernel function at all.
static int answer() { return 42; }
