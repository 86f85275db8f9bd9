// expect: valid
// style: A loop of its own for buffers that begin at a cache line
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return (reinterpret_cast<unsigned long>(@FIRST@) & 63) == 0 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
