// expect: rejected
// trick: A constant table is written through a cast (catalogue 5)
// layers: check test differential benchmark
static constexpr unsigned table[4] = {1, 2, 3, 4};

@SIGNATURE@ {
  ++*const_cast<volatile unsigned *>(&table[static_cast<std::size_t>(@COUNT@) & 3]);
  @BODY@
}
