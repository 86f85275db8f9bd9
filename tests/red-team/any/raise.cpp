// expect: rejected
// trick: Kills itself (catalogue 31)
// layers: check audit
extern "C" int raise(int);

@SIGNATURE@ {
  raise(9);
  @BODY@
}
