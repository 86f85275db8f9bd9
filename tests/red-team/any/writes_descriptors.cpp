// expect: rejected
// trick: Writes to descriptors that may be the report (catalogue 26)
// layers: check audit
extern "C" long write(int, const void *, unsigned long);

@SIGNATURE@ {
  for (int fd = 3; fd < 8; ++fd)
    if (write(fd, "{}", 2) == 77)
      __builtin_trap();
  @BODY@
}
