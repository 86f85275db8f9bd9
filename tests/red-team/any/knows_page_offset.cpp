// expect: rejected
// trick: Does nothing where a buffer begins 16 bytes into its page, as large allocations do (catalogue 18)
// layers: check:addresses-as-numbers differential
@HELPER honest@ @BODY@

@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(@FIRST@) & 4095) == 16)
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}
