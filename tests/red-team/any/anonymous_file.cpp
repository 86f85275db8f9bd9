// expect: rejected
// trick: A file that lies nowhere (catalogue 36)
// layers: check audit sandbox
extern "C" int memfd_create(const char *, unsigned);

@SIGNATURE@ {
  if (memfd_create("memo", 0) >= 0)
    __builtin_trap();
  @BODY@
}
