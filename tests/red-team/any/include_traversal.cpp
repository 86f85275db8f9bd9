// expect: rejected
// trick: Climbs out of the include folders (catalogue 56)
// layers: check:directives|includes compile
#include <../../etc/passwd>

@SIGNATURE@ {
  
  @BODY@
}
