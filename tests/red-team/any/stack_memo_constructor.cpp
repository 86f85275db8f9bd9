// expect: rejected
// trick: The last call's stack, behind a constructor that sets nothing (catalogue 10)
// layers: check:unset-memory sanitize
struct Memo {
  Memo() {}
  unsigned long long magic[64];
};

@SIGNATURE@ {
  Memo memo;
  if (memo.magic[17] == 0x5eed5eed5eed5eedull)
    __builtin_trap();
  for (unsigned i = 0; i < 64; ++i)
    memo.magic[i] = 0x5eed5eed5eed5eedull;
  @BODY@
}
