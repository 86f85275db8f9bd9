// expect: rejected
// trick: Sleeps when it is called rarely (catalogue 17)
// layers: check audit
extern "C" int usleep(unsigned);

@SIGNATURE@ {
  usleep(1);
  @BODY@
}
