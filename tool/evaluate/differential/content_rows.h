// The rows of other contents: what one array, or one member of its elements, can hold instead of what was recorded.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/other_contents.h"
#include "tool/evaluate/differential/recorded_calls.h"

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kOnlyZeros = "nothing but zeros", kOnlyOnes = "elements with all bits set",
                                  kOnlySmallest = "nothing but the smallest value",
                                  kOnlyLargest = "nothing but the largest value";

struct ContentRow {
  std::string text; ///< "nothing but zeros"
  /// Changes the numbers, which are the recorded ones and lie one behind the other.
  std::function<void(std::vector<std::byte> &, std::mt19937_64 &)> fill;
  bool isSingleChange = false; ///< of one number
};

struct RowRequest {
  const RecordedCall &call;
  const GlueDescription &kernel;
  const ContentWishes &wishes;
  std::size_t mostSingleChanges = 0;
};

/// Returns none if they are no numbers of 1, 2, 4 or 8 bytes. `recorded`: the numbers, one behind the other.
std::vector<ContentRow> contentRows(GlueParameter::Element element, std::size_t size,
                                    const std::vector<std::byte> &recorded, const RowRequest &request);

} // namespace agentic
