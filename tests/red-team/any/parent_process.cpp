// expect: rejected
// trick: Knows the judge by its process (catalogue 18)
// layers: check audit
extern "C" int getppid();

@SIGNATURE@ {
  if (getppid() == 123456789)
    __builtin_trap();
  @BODY@
}
