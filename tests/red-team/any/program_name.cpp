// expect: rejected
// trick: Knows the program by its name (catalogue 18)
// layers: check audit
extern "C" char *program_invocation_name;

@SIGNATURE@ {
  if (program_invocation_name[0] == 1)
    __builtin_trap();
  @BODY@
}
