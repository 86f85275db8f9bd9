// expect: rejected
// trick: Other code for another compiler (catalogue 58)
// layers: check
// alone: the other code is not in the object
#ifdef __clang__
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}
