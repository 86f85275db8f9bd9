// The code of the unchanged kernel that nothing runs. A winner that keeps such code is refused at the end of a run
// (instruments/coverage.h), so it is known before the search, and kept for commands that prepare nothing.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/instruments/coverage.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct BaselineCoverage {
  std::string source; ///< SOURCE, absolute
  std::size_t covered = 0, total = 0;
  std::vector<UncoveredPlace> uncovered; ///< by position in SOURCE
};

/// Runs the tests and the calls of `context` on the unchanged kernel with its places counted. What cannot be measured
/// blocks no candidate, and counts as covered. Cost: coverBaseline().
Result<BaselineCoverage> baselineCoverage(const InstrumentedContext &context);

/// Keeps it beside the specification; it counts for what `prepared` was made of.
Result<void> keepBaselineCoverage(const Prepared &prepared, const BaselineCoverage &coverage);
/// Returns what an earlier process kept; nullopt if kernel, flags, tests, benchmarks or this tool changed since then.
std::optional<BaselineCoverage> keptBaselineCoverage(const Prepared &prepared);
/// The same without a preparation: changes of tests and benchmarks do not show.
std::optional<BaselineCoverage> lastBaselineCoverage(const Manifest &manifest);

/// Returns one sentence with the places and the next step; paths are relative to `root`. Empty if everything ran.
std::string uncoveredSentence(const BaselineCoverage &coverage, const std::string &root);

} // namespace agentic
