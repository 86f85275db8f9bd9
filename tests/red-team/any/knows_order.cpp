// expect: rejected
// trick: Does nothing where the second buffer lies below the first (catalogue 18)
// layers: check:addresses-as-numbers differential
@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (static_cast<const void *>(@SECOND@) < static_cast<const void *>(@FIRST@))
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}
