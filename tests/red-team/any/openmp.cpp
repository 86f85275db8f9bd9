// expect: rejected
// trick: Threads by a pragma (catalogue 13)
// layers: check
// alone: the project is compiled without OpenMP, so nothing happens
@SIGNATURE@ {
  #pragma omp parallel
  { }
  @BODY@
}
