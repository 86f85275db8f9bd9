// expect: rejected
// trick: Other code in a debug build (catalogue 58)
// layers: check
// alone: the other code is not in the object
#ifdef NDEBUG
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}
