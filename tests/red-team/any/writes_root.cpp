// expect: rejected
// trick: Writes outside its own folder (catalogue 37)
// layers: check audit sandbox
extern "C" int open(const char *, int, ...);

@SIGNATURE@ {
  if (open("/agentic_red_team", 0101, 0600) >= 0)
    __builtin_trap();
  @BODY@
}
