// Reads the output of a program that compared calls in the place where they were made (runner/wire_comparison.h).
// Hostile input: every length is checked. Views into the bytes that were read.
#pragma once

#include "tool/base/error.h"
#include "tool/runner/wire_comparison.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace agentic {

struct ComparedRegion {
  wire::Region header;
  /// Empty if the block was gone; control is also empty if it equals the reference.
  std::optional<std::span<const std::byte>> reference, candidate, control;
};

struct ComparedCall {
  wire::Comparison header;
  std::vector<ComparedRegion> regions;
};

/// Returns the calls up to the end of the bytes; skips a call that was cut by the end of its writer. Errors: another
/// magic; lengths that contradict each other or exceed the bytes; unknown kinds.
Result<std::vector<ComparedCall>> readComparisons(std::string_view bytes);

} // namespace agentic
