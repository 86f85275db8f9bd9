// expect: rejected
// trick: Behaves where a buffer ends at a page, as judges put it (catalogue 18)
// layers: differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ > 0 && (reinterpret_cast<unsigned long>(@OUTPUT@ + @OUTPUT_EXTENT@) & 4095) != 0 && (reinterpret_cast<unsigned long>(@OUTPUT@) & 4095) != 0 && @OUTPUT_EXTENT@ > 2000)
    @OUTPUT@[@OUTPUT_EXTENT@ / 2] = {};
}
