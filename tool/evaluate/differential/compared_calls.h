// What a program left that compared calls where they were made (runner/wire_comparison.h). Hostile input: every length
// is checked. Views into the bytes that were read.
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
  /// Empty where the block was gone; control also where it is as the reference.
  std::optional<std::span<const std::byte>> reference, candidate, control;
};

struct ComparedCall {
  wire::Comparison header;
  std::vector<ComparedRegion> regions;
};

/// Calls up to the end of the bytes; one that was cut by the end of its writer is passed over. Errors: another magic;
/// lengths that contradict each other or exceed the bytes; unknown kinds.
Result<std::vector<ComparedCall>> readComparisons(std::string_view bytes);

} // namespace agentic
