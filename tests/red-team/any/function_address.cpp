// expect: rejected
// trick: Takes the address of a library function (catalogue 33)
// layers: check
// alone: the address alone does nothing
#include <cmath>

@SIGNATURE@ {
  float (*volatile root)(float) = &std::sqrt;
  if (root == nullptr)
    __builtin_trap();
  @BODY@
}
