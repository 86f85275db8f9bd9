// expect: rejected
// trick: What the last call left on the stack (catalogue 10)
// layers: sandbox sanitize
struct Memo { unsigned long long magic; const volatile void *in; };
static bool isKnown(const volatile void *in) {
  volatile Memo memo[64];
  bool known = false;
  for (unsigned i = 0; i < 64; ++i)
    known = known || (memo[i].magic == 0x5eed5eed5eed5eedull && memo[i].in == in);
  for (unsigned i = 0; i < 64; ++i) {
    memo[i].magic = 0x5eed5eed5eed5eedull;
    memo[i].in = in;
  }
  return known;
}

@SIGNATURE@ {
  if (isKnown(@INPUT@))
    __builtin_trap();
  @BODY@
}
