// expect: rejected
// trick: Claims to be another file (catalogue 54)
// layers: check:directives
// alone: it does nothing when it runs
#line 1 "/usr/include/stdlib.h"

@SIGNATURE@ {
  
  @BODY@
}
