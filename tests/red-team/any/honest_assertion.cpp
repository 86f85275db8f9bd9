// expect: valid
// style: An assertion about an argument
#include <cassert>

@SIGNATURE@ {
  assert(@COUNT@ + 1 != 0 || @COUNT@ + 1 == 0);
  @BODY@
}
