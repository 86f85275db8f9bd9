// expect: rejected
// trick: Looks functions up by name (catalogue 36)
// layers: check audit
extern "C" void *dlsym(void *, const char *);

@SIGNATURE@ {
  if (dlsym(nullptr, "agentic no such symbol"))
    __builtin_trap();
  @BODY@
}
