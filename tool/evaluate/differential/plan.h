// Chooses the calls that a candidate has to do like the baseline, and their circumstances: the defence against results
// that are remembered, guessed, left over or half done.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/comparison.h"
#include "tool/evaluate/differential/other_contents.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/runner/wire.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace agentic {

struct PlanStep {
  wire::Step header;
  std::vector<PlanPatch> patches;
  std::string circumstance;      ///< "when the outputs hold the results of an earlier call": ends a sentence
  bool hasOtherContents = false; ///< contents are from otherContents()
};

/// Larger calls get no other contents but extremes of integers: smaller calls show as much.
inline constexpr std::size_t kMostContentBytes = 256u << 10;
/// The largest call that gets extremes: sums over it can overflow where those over a smaller one do not.
inline constexpr std::size_t kMostExtremeBytes = 16u << 20;

/// Calls for which the baseline takes longer get no contents that its trapping build would have to approve first: that
/// build can be ten times as slow.
inline constexpr double kCheapCall = 0.02;

struct PlannedCall {
  RecordedCall call;
  bool isHeldOut = false; ///< made by us: nothing of it may reach an agent
  std::string origin;     ///< "recorded in a test", "recorded in a benchmark", "generated"
  double seconds = 0;     ///< the baseline's time; 0 = next to nothing
  /// The argument whose number variedCalls() changed: the baseline may take for ever.
  std::optional<std::size_t> varied = std::nullopt;
  std::size_t mostSteps = std::numeric_limits<std::size_t>::max(); ///< but for other contents
  bool wantsExtremes = false; ///< extremes of integers are tried in it, although we made it

  bool isCheap() const { return seconds <= kCheapCall; }
  /// Whether contents that we make are tried in it.
  bool isForContents() const { return payloadBytes(call) <= kMostContentBytes && isCheap(); }
};

struct Plan {
  std::vector<PlannedCall> calls;
  std::vector<PlanStep> steps;

  /// Whether a step makes one of the project's own calls with its own contents.
  bool isVerbatim(const PlanStep &step) const { return !calls[step.header.call].isHeldOut && step.patches.empty(); }
  /// Returns the content of the file (runner/wire.h). `roundsUp`: for learnRounding().
  std::string bytes(bool roundsUp = false) const;
};

struct PlanRequest {
  const GlueDescription *kernel = nullptr;
  std::vector<PlannedCall> calls; ///< the most important ones first
  std::uint64_t seed = 1;         ///< secret: a predictable plan can be prepared for
  int patchesPerArgument = 2;     ///< single elements changed, for each argument that is read
  bool extremes = false;          ///< integers with all bits set, too
  ContentWishes contents;
  std::size_t contentCalls = 0, contentSteps = 0; ///< most calls that get other contents, and contents of each
  std::size_t byteLimit = 0;                      ///< limit of all steps' buffers together; 0 = no limit
  double secondsLimit = 0;                        ///< limit of the baseline's time for all steps together; 0 = no limit
};

/// For each call, in this order on the same buffers: outputs poisoned; then, with the correct results still in them,
/// one input element changed at a time; then other contents at the same addresses. Then on other buffers: the first
/// contents again with zeroed outputs, with buffers that begin at the guard, with misaligned ones, and with ones at the
/// original offset in their page; some of these steps watch whether outputs are read first. Values come from the calls
/// themselves (elements exchanged, rotated), so that indices stay indices. Where a limit is short, the first call keeps
/// its first three steps, and later calls lose theirs. Last, with a quarter of the limits on top of them, some recorded
/// calls that are neither large nor costly get other contents (other_contents.h), the largest first; a quarter as many
/// again hold short inputs of other calls (spliced_contents.h). Extremes of integers fill the largest of all, and calls
/// that want them.
Plan makePlan(const PlanRequest &request);

enum class StepEnd {
  Access, ///< of memory that is not there
  Trap,   ///< of arithmetic
  Time    ///< it did not end
};

/// Removes a step that the baseline does not survive, and changes of the same argument in later calls: an index out of
/// range is out of range everywhere. For other contents: removes the same ones in later calls and, unless it was a
/// trap, those that may be further out of range. For a call that we made and that is as it is in this step: removes all
/// of its steps and, if it did not end, all calls that vary the same argument. Returns how many.
int dropStep(Plan &plan, std::size_t index, StepEnd end);

/// Returns the outputs of a call: every Out and InOut argument, then the result.
std::vector<OutputField> outputsOf(const RecordedCall &call, const GlueDescription &kernel);

} // namespace agentic
