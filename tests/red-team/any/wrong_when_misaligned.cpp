// expect: rejected
// trick: Dies on buffers that are not aligned (catalogue 47)
// layers: differential
// fault: the result alone is wrong
@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(@INPUT@) & 15) != 0)
    __builtin_trap();
  @BODY@
}
