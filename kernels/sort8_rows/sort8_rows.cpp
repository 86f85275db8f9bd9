#include "sort8_rows.h"

#include <agentic_kernel.h>

namespace sorting {

AGENTIC_KERNEL
AGENTIC_INOUT(values, rows * 8)
void sort8Rows(std::int32_t *values, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    std::int32_t *row = values + r * 8;
    for (std::size_t i = 1; i < 8; ++i) {
      const std::int32_t value = row[i];
      std::size_t place = i;
      while (place > 0 && row[place - 1] > value) {
        row[place] = row[place - 1];
        --place;
      }
      row[place] = value;
    }
  }
}

} // namespace sorting
