// expect: rejected
// trick: Does nothing where two buffers lie within a megabyte of each other (catalogue 18)
// layers: check:addresses-as-numbers differential
@HELPER honest@ @BODY@

@SIGNATURE@ {
  const unsigned long apart = reinterpret_cast<unsigned long>(@FIRST@) - reinterpret_cast<unsigned long>(@SECOND@);
  if (apart + (1ul << 20) < (1ul << 21))
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}
