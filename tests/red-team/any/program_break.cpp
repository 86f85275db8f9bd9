// expect: rejected
// trick: Keeps memory behind the program break (catalogue 12)
// layers: check audit
extern "C" void *sbrk(long);

@SIGNATURE@ {
  if (sbrk(0) == nullptr)
    __builtin_trap();
  @BODY@
}
