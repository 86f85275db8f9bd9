// expect: rejected
// trick: Edits the report when the program ends (catalogue 26)
// layers: check audit
extern "C" int atexit(void (*)());
extern "C" int close(int);
static void edit() { close(-1); }

@SIGNATURE@ {
  if (atexit(edit))
    __builtin_trap();
  @BODY@
}
