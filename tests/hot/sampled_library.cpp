// What sampled_program loads at run time.
#include <ctime>

namespace {

volatile unsigned sink = 1;

__attribute__((noinline)) void spin(double seconds) {
  const std::clock_t end = std::clock() + std::clock_t(seconds * CLOCKS_PER_SEC);
  while (std::clock() < end)
    for (int i = 0; i < 1000000; ++i)
      sink = sink * 3 + 1;
}

} // namespace

extern "C" void spinInLibrary() {
  spin(0.15);
}
