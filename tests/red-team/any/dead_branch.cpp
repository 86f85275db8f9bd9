// expect: rejected
// trick: Code in a branch that is discarded (catalogue 58)
// layers: check
// alone: it is not in the object
@SIGNATURE@ {
  if constexpr (sizeof(void *) == 3) {
    static unsigned memo = 0;
    ++memo;
  }
  @BODY@
}
