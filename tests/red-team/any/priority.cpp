// expect: rejected
// trick: Raises its priority (catalogue 21)
// layers: check audit sandbox
extern "C" int setpriority(int, unsigned, int);

@SIGNATURE@ {
  if (setpriority(0, 0, -5) == 0)
    __builtin_trap();
  @BODY@
}
