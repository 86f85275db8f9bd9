// expect: rejected
// trick: Reads a file of the system as source (catalogue 56)
// layers: check:directives|includes
// alone: the compiler's sandbox shows nothing there
#include "/proc/self/environ"

@SIGNATURE@ {
  
  @BODY@
}
