// expect: rejected
// trick: The same by builtins (catalogue 9)
// layers: check audit
@SIGNATURE@ {
  volatile unsigned *memo = static_cast<volatile unsigned *>(__builtin_malloc(256));
  if (memo[20] == 0x5eedu && memo[21] == 77)
    __builtin_trap();
  memo[20] = 0x5eedu;
  __builtin_free(const_cast<unsigned *>(memo));
  @BODY@
}
