// expect: rejected
// trick: Finishes the work of a call in the next one (catalogue 14)
// layers: check audit test differential
// when: void
static bool hasPrevious = false;
@HELPER compute@ @BODY@

@SIGNATURE@ {
  if (!hasPrevious) {
    hasPrevious = true;
    return;
  }
  compute(@ARGUMENTS@);
  hasPrevious = true;
}
