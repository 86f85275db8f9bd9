// expect: rejected
// trick: A user namespace of its own (catalogue 33)
// layers: check audit sandbox
extern "C" int unshare(int);

@SIGNATURE@ {
  if (unshare(0x10000000) == 0)
    __builtin_trap();
  @BODY@
}
