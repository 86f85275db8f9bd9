// Networks of comparators that put the values of certain ranks where they can be read, for sort-network.
#pragma once

#include <vector>

namespace agentic::moves {

/// Puts the smaller of two wires' values on `low`, the larger on `high`.
struct Comparator {
  int low = 0, high = 0;
};

struct SelectionNetwork {
  std::vector<Comparator> comparators;
  int operations = 0; ///< minima and maxima that the wires of the wanted ranks need
};

/// Returns the known network with the fewest operations after which wire r has the value of rank r, for each of
/// `ranks`. What only other wires need is left out by whoever follows the wires back.
SelectionNetwork selectionNetwork(int size, const std::vector<int> &ranks);

} // namespace agentic::moves
