// expect: rejected
// trick: Becomes a debugger (catalogue 33)
// layers: check audit sandbox
extern "C" long ptrace(int, ...);

@SIGNATURE@ {
  if (ptrace(0, 0, 0, 0) >= 0)
    __builtin_trap();
  @BODY@
}
