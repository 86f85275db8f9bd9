#include "tool/search/smallest_subset.h"

#include <algorithm>
#include <numeric>

namespace agentic {
namespace {

std::vector<std::size_t> withoutChunk(const std::vector<std::size_t> &parts, std::size_t begin, std::size_t size) {
  std::vector<std::size_t> rest(parts.begin(), parts.begin() + std::ptrdiff_t(begin));
  const std::size_t end = std::min(begin + size, parts.size());
  rest.insert(rest.end(), parts.begin() + std::ptrdiff_t(end), parts.end());
  return rest;
}

} // namespace

/// Leaves out ever smaller chunks. Subsets alone are not asked for, as the original algorithm does: nearly all parts
/// are needed here.
std::vector<std::size_t> smallestSubset(std::size_t count,
                                        const std::function<Holds(const std::vector<std::size_t> &)> &holds) {
  std::vector<std::size_t> kept(count);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  for (std::size_t size = count; size > 0 && !kept.empty();) {
    bool isSmaller = false;
    for (std::size_t begin = 0; begin < kept.size();) {
      std::vector<std::size_t> rest = withoutChunk(kept, begin, size);
      const Holds answer = holds(rest);
      if (answer == Holds::Stop)
        return kept;
      isSmaller = isSmaller || answer == Holds::Yes;
      if (answer == Holds::Yes)
        kept = std::move(rest);
      else
        begin += size;
    }
    if (size == 1 && !isSmaller)
      break; // each part was asked for since the last change
    size = std::max<std::size_t>(1, std::min(size / 2, kept.size()));
  }
  return kept;
}

} // namespace agentic
