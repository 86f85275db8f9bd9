// expect: rejected
// trick: Volatile memory outside (catalogue 2)
// layers: check audit
volatile unsigned shared = 0;

@SIGNATURE@ {
  shared = shared + 1;
  @BODY@
}
