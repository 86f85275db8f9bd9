// expect: rejected
// trick: Templates without an end (catalogue 62)
// layers: check compile
template <int N> struct Deep { static constexpr int value = Deep<N + 1>::value; };

@SIGNATURE@ {
  if (Deep<0>::value == 1)
    __builtin_trap();
  @BODY@
}
