// expect: rejected
// trick: Other code under a sanitizer (catalogue 58)
// layers: check
// alone: the other code is not in the object
#if __has_feature(address_sanitizer)
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}
