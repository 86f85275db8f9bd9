// expect: rejected
// trick: Works behind main (catalogue 15)
// layers: check audit test
__attribute__((destructor)) static void late() { __builtin_trap(); }

@SIGNATURE@ {
  
  @BODY@
}
