// Checks that a candidate is as fast with other values as with the benchmarks' own: answers for those values alone,
// kept in a table, are right and fast there and nowhere else.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"

#include <cstdint>
#include <string>
#include <vector>

namespace agentic {

struct ValueTimingRequest {
  const GlueDescription *kernel = nullptr;
  const std::vector<RecordedCall> *recorded = nullptr;
  std::string baseline, candidate; ///< shared objects
  std::string directory;           ///< folder for the plan; exists
  std::uint64_t seed = 1;          ///< secret
};

struct ValueTimings {
  double own = 1;    ///< speedup in the call of a benchmark, as it was recorded, where it differs most
  double others = 1; ///< the largest speedup in the same call with one value a little different
  bool isKnown = false;

  /// Honest code is as fast in a call that hardly differs; noise is far below a factor of two.
  bool hasOwnAnswers() const { return isKnown && own > 2 * others; }
};

/// Returns the changes that make a call another one of the same work: floating-point scalars by 1/4096 of their value;
/// without such scalars two neighbours exchanged in an array that is read. Empty: there is nothing to change.
std::vector<PlanPatch> slightChange(const RecordedCall &call, const GlueDescription &kernel, std::mt19937_64 &random);

/// What is timed, so that it takes some seconds only.
struct ValueTimingExtent {
  std::size_t calls = 0, changes = 0; ///< calls as recorded, and changes of each
  int pairs = 0;
};

/// `seconds`: a run of one call and its three changes by the baseline, which takes nearly all of a pair's time.
/// `calls`: how many there are; at least 1.
ValueTimingExtent extentFor(double seconds, std::size_t calls);

/// Times up to four calls of the benchmarks, each as recorded and with three slight changes, in three pairs of fresh
/// runner processes, under the machine's measuring lock; fewer of each where the baseline is slow. Cost: about 0.15 s a
/// call and pair, some 4 s at most but for a single call that takes longer.
Result<ValueTimings> timeOtherValues(const ReplayContext &context, const ValueTimingRequest &request);

} // namespace agentic
