// Works in one function of work.cpp for an amount of CPU time.
#include "work.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

int main(int argc, char **argv) {
  const std::string_view way = argc > 1 ? argv[1] : "";
  const std::clock_t end = std::clock() + std::clock_t(0.3 * CLOCKS_PER_SEC);
  std::vector<float> values(1 << 18, 1.0f);
  work::Sum sum;
  while (std::clock() < end) {
    if (way == "sum")
      sum.add(values.data(), values.size());
    else
      work::scale(values.data(), values.size(), 0.5f);
  }
  std::printf("%f %f\n", static_cast<double>(values[7]), static_cast<double>(sum.value));
  return way == "fails" ? 3 : 0;
}
