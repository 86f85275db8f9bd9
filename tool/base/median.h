// The middle value of a series.
#pragma once

#include <vector>

namespace agentic {

/// Of an even number of values, the mean of the two in the middle. `values` is not empty.
double median(std::vector<double> values);
double medianInPlace(std::vector<double> &values); ///< the same; changes the order

} // namespace agentic
