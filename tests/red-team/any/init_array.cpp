// expect: rejected
// trick: The same by a section (catalogue 15)
// layers: check audit:object-init
static void early() {}
__attribute__((section(".init_array"), used)) static void (*const entry)() = early;

@SIGNATURE@ {
  
  @BODY@
}
