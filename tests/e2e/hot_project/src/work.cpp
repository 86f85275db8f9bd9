#include "work.h"

namespace work {

void scale(float *values, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i)
    values[i] = values[i] * factor + 0.5f;
}

void Sum::add(const float *values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    value += values[i];
}

} // namespace work
