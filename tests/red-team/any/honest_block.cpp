// expect: valid
// style: The baseline in a block behind a constant
constexpr int kUnused = 3;

@SIGNATURE@ {
  static_assert(kUnused == 3);
  @BODY@
}
