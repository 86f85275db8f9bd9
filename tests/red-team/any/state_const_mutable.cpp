// expect: rejected
// trick: A constant with a mutable member (catalogue 5)
// layers: check audit
struct Memo { mutable unsigned calls = 0; };
static const Memo memo;

@SIGNATURE@ {
  if (++memo.calls > 2000000000u)
    __builtin_trap();
  @BODY@
}
