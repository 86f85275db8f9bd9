#pragma once

#include <cstddef>

namespace work {

void scale(float *values, std::size_t count, float factor);

struct Sum {
  float value = 0;
  void add(const float *values, std::size_t count);
};

} // namespace work
