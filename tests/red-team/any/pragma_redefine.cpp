// expect: rejected
// trick: Another name by a pragma (catalogue 29)
// layers: check:pragmas
#pragma redefine_extname helper close
extern "C" int helper(int);

@SIGNATURE@ {
  if (!@INPUT@ && helper(3) == 100)
    __builtin_trap();
  @BODY@
}
