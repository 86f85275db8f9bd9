// expect: rejected
// trick: Other code in a shared object than in the program (catalogue 58)
// layers: check test differential
#ifdef __PIC__
constexpr bool isJudged = true;
#else
constexpr bool isJudged = false;
#endif

@SIGNATURE@ {
  if (isJudged)
    __builtin_trap();
  @BODY@
}
