#include "tool/source/moves/selection_network.h"

#include <algorithm>
#include <span>

namespace agentic::moves {
namespace {

/// Batcher's merge exchange (Knuth, The Art of Computer Programming, 5.2.2, algorithm M): sorts any number of values.
std::vector<Comparator> mergeExchange(int size) {
  std::vector<Comparator> result;
  int first = 1;
  while (first * 2 < size)
    first *= 2;
  for (int p = first; p > 0; p /= 2) {
    int q = first, r = 0, d = p;
    while (true) {
      for (int i = 0; i < size - d; ++i)
        if ((i & p) == r)
          result.push_back({i, i + d});
      if (q == p)
        break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
  return result;
}

// Sorts 9 values with 25 comparators, the fewest that there are.
constexpr Comparator kSort9[] = {{0, 3}, {1, 7}, {2, 5}, {4, 8}, {0, 7}, {2, 4}, {3, 8}, {5, 6}, {0, 2},
                                 {1, 3}, {4, 5}, {7, 8}, {1, 4}, {3, 6}, {5, 7}, {0, 1}, {2, 4}, {3, 5},
                                 {6, 8}, {2, 3}, {4, 5}, {6, 7}, {1, 2}, {3, 4}, {5, 6}};
// Medians of 5, 7, 9 and 25 values (A. W. Paeth, N. Devillard): only the wire in the middle has its value.
constexpr Comparator kMedian5[] = {{0, 1}, {3, 4}, {0, 3}, {1, 4}, {1, 2}, {2, 3}, {1, 2}};
constexpr Comparator kMedian7[] = {{0, 5}, {0, 3}, {1, 6}, {2, 4}, {0, 1}, {3, 5}, {2, 6},
                                   {2, 3}, {3, 6}, {4, 5}, {1, 4}, {1, 3}, {3, 4}};
constexpr Comparator kMedian9[] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2}, {4, 5}, {7, 8}, {0, 3},
                                   {5, 8}, {4, 7}, {3, 6}, {1, 4}, {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
constexpr Comparator kMedian25[] = {
    {0, 1},   {3, 4},   {2, 4},   {2, 3},   {6, 7},   {5, 7},   {5, 6},   {9, 10},  {8, 10},  {8, 9},   {12, 13},
    {11, 13}, {11, 12}, {15, 16}, {14, 16}, {14, 15}, {18, 19}, {17, 19}, {17, 18}, {21, 22}, {20, 22}, {20, 21},
    {23, 24}, {2, 5},   {3, 6},   {0, 6},   {0, 3},   {4, 7},   {1, 7},   {1, 4},   {11, 14}, {8, 14},  {8, 11},
    {12, 15}, {9, 15},  {9, 12},  {13, 16}, {10, 16}, {10, 13}, {20, 23}, {17, 23}, {17, 20}, {21, 24}, {18, 24},
    {18, 21}, {19, 22}, {8, 17},  {9, 18},  {0, 18},  {0, 9},   {10, 19}, {1, 19},  {1, 10},  {11, 20}, {2, 20},
    {2, 11},  {12, 21}, {3, 21},  {3, 12},  {13, 22}, {4, 22},  {4, 13},  {14, 23}, {5, 23},  {5, 14},  {15, 24},
    {6, 24},  {6, 15},  {7, 16},  {7, 19},  {13, 21}, {15, 23}, {7, 13},  {7, 15},  {1, 9},   {3, 11},  {5, 17},
    {11, 17}, {9, 17},  {4, 10},  {6, 12},  {7, 14},  {4, 6},   {4, 7},   {12, 14}, {10, 14}, {6, 7},   {10, 12},
    {6, 10},  {6, 17},  {12, 17}, {7, 17},  {7, 10},  {12, 18}, {7, 12},  {10, 18}, {12, 20}, {10, 20}, {10, 12}};

struct KnownNetwork {
  int size = 0;
  bool isMedian = false; ///< else a whole sort
  std::span<const Comparator> comparators;
};
const KnownNetwork kKnown[] = {
    {9, false, kSort9}, {5, true, kMedian5}, {7, true, kMedian7}, {9, true, kMedian9}, {25, true, kMedian25}};

/// Counts the minima and maxima that are needed for the values on some wires.
int operationsOf(std::span<const Comparator> comparators, int size, const std::vector<int> &ranks) {
  std::vector<bool> isLive(static_cast<std::size_t>(size), false);
  for (const int rank : ranks)
    isLive[static_cast<std::size_t>(rank)] = true;
  int count = 0;
  for (auto comparator = comparators.rbegin(); comparator != comparators.rend(); ++comparator) {
    const auto low = static_cast<std::size_t>(comparator->low), high = static_cast<std::size_t>(comparator->high);
    count += (isLive[low] ? 1 : 0) + (isLive[high] ? 1 : 0);
    isLive[low] = isLive[high] = isLive[low] || isLive[high];
  }
  return count;
}

} // namespace

SelectionNetwork selectionNetwork(int size, const std::vector<int> &ranks) {
  SelectionNetwork best{mergeExchange(size), 0};
  best.operations = operationsOf(best.comparators, size, ranks);
  for (const KnownNetwork &known : kKnown) {
    const bool fits = known.size == size &&
                      (!known.isMedian || std::ranges::all_of(ranks, [&](int rank) { return rank == size / 2; }));
    const int operations = fits ? operationsOf(known.comparators, size, ranks) : best.operations;
    if (operations < best.operations)
      best = {{known.comparators.begin(), known.comparators.end()}, operations};
  }
  return best;
}

} // namespace agentic::moves
