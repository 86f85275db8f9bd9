// expect: rejected
// trick: The same by new (catalogue 9)
// layers: check:allocation audit
@SIGNATURE@ {
  volatile unsigned *memo = new unsigned[64];
  if (memo[20] == 0x5eedu && memo[21] == 77)
    __builtin_trap();
  memo[20] = 0x5eedu;
  delete[] const_cast<unsigned *>(memo);
  @BODY@
}
