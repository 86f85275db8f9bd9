// expect: rejected
// trick: Imports a header unit (catalogue 56)
// layers: check compile
import <cstdio>;
@SIGNATURE@ {
  
  @BODY@
}
