// expect: rejected
// trick: Reads an endless file (catalogue 56)
// layers: check:directives|includes
// alone: the compiler's sandbox shows nothing there
#include "/dev/zero"

@SIGNATURE@ {
  
  @BODY@
}
