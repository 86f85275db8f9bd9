// expect: rejected
// trick: The next header of that name (catalogue 56)
// layers: check:directives|includes
// alone: the header is there anyway
#include_next <cstddef>

@SIGNATURE@ {
  
  @BODY@
}
