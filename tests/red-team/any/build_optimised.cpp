// expect: rejected
// trick: Other code without optimisation (catalogue 58)
// layers: check
// alone: the other code is not in the object
#ifdef __OPTIMIZE__
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}
