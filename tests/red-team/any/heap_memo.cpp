// expect: rejected
// trick: What an earlier block of the same size still holds (catalogue 9)
// layers: check audit
extern "C" void *malloc(unsigned long);
extern "C" void free(void *);

@SIGNATURE@ {
  volatile unsigned long long *memo = static_cast<volatile unsigned long long *>(malloc(512));
  if (memo[40] == 0x5eed5eed5eed5eedull && memo[41] == 77)
    __builtin_trap();
  memo[40] = 0x5eed5eed5eed5eedull;
  free(const_cast<unsigned long long *>(memo));
  @BODY@
}
