// expect: rejected
// trick: A header of threads (catalogue 56)
// layers: check:directives|includes
#include <thread>

@SIGNATURE@ {
  if (std::thread::hardware_concurrency() == 12345)
    __builtin_trap();
  @BODY@
}
