// expect: rejected
// trick: An object of 300 MB (catalogue 62)
// layers: compile
struct Large { unsigned char bytes[300u << 20]; };
constexpr Large large = {{1}};

@SIGNATURE@ {
  if (large.bytes[static_cast<std::size_t>(@COUNT@) & 1023] == 2)
    __builtin_trap();
  @BODY@
}
