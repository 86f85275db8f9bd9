// expect: rejected
// trick: Other code where the compiler knows the argument (catalogue 58)
// layers: check
// alone: the other code is not in the object
@SIGNATURE@ {
  if (__builtin_constant_p(@COUNT@) && @COUNT@ == 12345)
    __builtin_trap();
  @BODY@
}
