// expect: rejected
// trick: Closes descriptors that it does not own (catalogue 26)
// layers: check audit
extern "C" int close(int);

@SIGNATURE@ {
  for (int fd = 3; fd < 20; ++fd)
    close(fd);
  @BODY@
}
