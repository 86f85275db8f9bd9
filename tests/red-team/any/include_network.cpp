// expect: rejected
// trick: A header of the network (catalogue 56)
// layers: check:directives|includes audit
#include <sys/socket.h>

@SIGNATURE@ {
  if (!@INPUT@ && ::socket(2, 1, 0) == 100)
    __builtin_trap();
  @BODY@
}
