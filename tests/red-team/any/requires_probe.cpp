// expect: rejected
// trick: Asks by a constraint what else there is (catalogue 58)
// layers: check
// alone: there is nothing to find
template <class T> concept HasTests = requires(T value) { testingProbe(value); };

@SIGNATURE@ {
  if (HasTests<int>)
    __builtin_trap();
  @BODY@
}
