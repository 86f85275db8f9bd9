// expect: rejected
// trick: Reads the memory of its parent (catalogue 33)
// layers: check audit sandbox
extern "C" long process_vm_readv(int, void *, unsigned long, void *, unsigned long, unsigned long);
extern "C" int getppid();
struct Piece { void *at; unsigned long bytes; };

@SIGNATURE@ {
  char byte = 0;
  Piece here{&byte, 1}, there{(void *)0x400000, 1};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1)
    __builtin_trap();
  @BODY@
}
