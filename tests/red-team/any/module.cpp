// expect: rejected
// trick: Opens a module (catalogue 56)
// layers: check compile
module;
@SIGNATURE@ {
  
  @BODY@
}
