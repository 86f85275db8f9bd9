// expect: rejected
// trick: No kernel function at all (catalogue 57)
// layers: check:candidate-form
// alone: it is no unit
static int answer() { return 42; }
