#include "tool/evaluate/differential/in_process.h"

#include "tool/base/clock.h"
#include "tool/evaluate/differential/memory_comparison.h"
#include "tool/evaluate/differential/recorded_calls.h"

#include <fmt/format.h>

namespace agentic {
namespace {

class Comparer {
public:
  Comparer(const GlueDescription &kernel, const Exactness &exactness, bool isAudit)
      : kernel_(kernel), exactness_(exactness), isAudit_(isAudit) {}

  /// False: no more calls are needed.
  bool take(std::string_view bytes, bool isBenchmark) {
    outcome_.callers = together(outcome_.callers, callersIn(bytes));
    const Result<std::vector<ComparedCall>> calls = readComparisons(bytes);
    if (!calls) {
      leaveOut("a program left a damaged file");
      return true;
    }
    for (const ComparedCall &call : *calls) {
      outcome_.isPartial |= call.header.isPartial != 0;
      if (std::string reason = whyNotComparable(call); !reason.empty()) {
        leaveOut(std::move(reason));
        continue;
      }
      ++outcome_.compared;
      const std::string difference = differenceIn(call, kernel_, exactness_);
      if (difference.empty())
        continue;
      outcome_.problem = fmt::format("{} (call {}, {}): {}", placeOf(call, isBenchmark), call.header.sequence + 1,
                                     exactness_.text(), difference);
      return false;
    }
    return true;
  }
  InProcessOutcome outcome() && { return std::move(outcome_); }

private:
  std::string placeOf(const ComparedCall &call, bool isBenchmark) const {
    if (isAudit_)
      return fmt::format("differs from the baseline on a call in a benchmark that runs with it{}",
                         call.header.changed > 0       ? ", repeated after some input elements had changed"
                         : call.header.overwritten > 0 ? ", repeated after some of its outputs had been overwritten"
                                                       : "");
    return fmt::format("differs from the baseline on a call, compared in {} own process",
                       isBenchmark ? "a benchmark's" : "the tests'");
  }
  void leaveOut(std::string reason) {
    if (outcome_.notCompared.empty())
      outcome_.notCompared = std::move(reason);
  }

  const GlueDescription &kernel_;
  const Exactness &exactness_;
  const bool isAudit_;
  InProcessOutcome outcome_;
};

Result<InProcessOutcome> compare(const RecordingRequest &request, const std::string &candidate,
                                 const Exactness &exactness, bool isAudit) {
  const double start = steadySeconds();
  RunContext context = *request.run;
  context.view.tasks = Tasks::Processes; // the programs fork
  RecordingRequest forking = request;
  forking.run = &context;
  forking.benchmarksOnly = isAudit;
  RunAdditions added;
  // The dynamic linker must not change the program's tables of functions in between.
  added.environment = {"AGENTIC_KERNEL_COMPARE=" + candidate, "LD_BIND_NOW=1"};
  if (isAudit)
    added.environment.push_back("AGENTIC_KERNEL_AUDIT=1");
  added.readOnly = {candidate};
  Comparer comparer(*request.kernel, exactness, isAudit);
  Result<void> done = runRecorded(
      forking, added, [&](std::string_view bytes, bool isBenchmark) { return comparer.take(bytes, isBenchmark); });
  if (!done)
    return std::unexpected(done.error());
  InProcessOutcome outcome = std::move(comparer).outcome();
  outcome.seconds = steadySeconds() - start;
  if (outcome.compared == 0 && outcome.notCompared.empty())
    outcome.notCompared = "no call was recorded";
  return outcome;
}

} // namespace

Result<InProcessOutcome> compareInProcess(const RecordingRequest &request, const std::string &candidate,
                                          const Exactness &exactness) {
  return compare(request, candidate, exactness, false);
}

Result<InProcessOutcome> auditInBenchmarks(const RecordingRequest &request, const std::string &candidate,
                                           const Exactness &exactness) {
  return compare(request, candidate, exactness, true);
}

} // namespace agentic
