#include "tool/base/median.h"

#include <algorithm>

namespace agentic {

double median(std::vector<double> values) {
  return medianInPlace(values);
}

double medianInPlace(std::vector<double> &values) {
  auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

} // namespace agentic
