// A benchmark that is none of Google Benchmark: it prints a rate, and refuses arguments that it does not know.
#include "kernel.h"

#include <cstdio>
#include <ctime>
#include <vector>

static double now() {
  std::timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

int main(int argc, char **) {
  if (argc > 1)
    return 64;
  constexpr int kSize = 100000, kCalls = 400;
  std::vector<float> x(kSize, 1.5f), y(kSize);
  const double begin = now();
  for (int call = 0; call < kCalls; ++call)
    square(x.data(), y.data(), kSize);
  std::printf("elements: %d\nspeed: %.6g calls/s\n", kSize, kCalls / (now() - begin));
}
