// expect: rejected
// trick: Works before main (catalogue 15)
// layers: check audit:object-init
extern "C" int close(int);
__attribute__((constructor)) static void early() { close(-1); }

@SIGNATURE@ {
  
  @BODY@
}
