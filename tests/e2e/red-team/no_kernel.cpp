// expect: rejected check candidate-form
// No kernel function at all.
static int answer() { return 42; }
