#include "tool/evaluate/differential/traffic.h"

#include <algorithm>
#include <map>

namespace agentic {
namespace {

class Traffic {
public:
  Traffic(const Plan &plan, const ReplayOutcome &baseline) : plan_(plan), baseline_(baseline) {}

  std::vector<BenchmarkCall> run() {
    std::vector<BenchmarkCall> result;
    std::map<std::size_t, std::vector<std::size_t>> stepsOf; // key: index of a call that a benchmark made
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      if (const PlannedCall &planned = plan_.calls[plan_.steps[i].header.call];
          planned.call.header.isBenchmark != 0 && !planned.isHeldOut && !plan_.steps[i].hasOtherContents)
        stepsOf[plan_.steps[i].header.call].push_back(i);
    struct Changes {
      std::size_t sampled = 0, changed = 0;
    };
    std::map<std::size_t, Changes> changes; // key: argument; one call alone has too few changes
    for (const auto &[call, steps] : stepsOf) {
      if (!plan_.steps[steps[0]].patches.empty())
        continue; // the baseline did not survive the call as it was
      for (const std::size_t i : steps) {
        const std::vector<PlanPatch> &patches = plan_.steps[i].patches;
        if (patches.size() != 1 || plan_.calls[call].call.arguments[patches[0].argument].header.role != wire::Role::In)
          continue; // an argument that is also written contains the change among the results
        Changes &argument = changes[patches[0].argument];
        ++argument.sampled;
        argument.changed += baseline_.steps[i].header.outputHash != baseline_.steps[steps[0]].header.outputHash;
      }
    }
    for (const auto &[number, steps] : stepsOf) {
      const PlannedCall &planned = plan_.calls[number];
      double read = 0;
      for (const auto &[argument, seen] : changes)
        if (planned.call.arguments[argument].header.role == wire::Role::In)
          read += leastShare(seen.changed, seen.sampled) * double(planned.call.arguments[argument].bytes.size());
      result.push_back({.movedBytes = std::max(read, writtenBytes(steps)),
                        .callBytes = double(payloadBytes(planned.call)),
                        .seconds = planned.seconds});
    }
    return result;
  }

private:
  /// Returns the bytes of outputs that are the same after the same call with other garbage in them.
  double writtenBytes(const std::vector<std::size_t> &steps) const {
    std::vector<std::size_t> garbage;
    for (const std::size_t i : steps)
      if (plan_.steps[i].patches.empty() && plan_.steps[i].header.prefill == wire::Prefill::Poison)
        garbage.push_back(i);
    if (garbage.size() < 2)
      return 0;
    const auto &first = baseline_.steps[garbage[0]].outputs, &second = baseline_.steps[garbage[1]].outputs;
    std::size_t same = 0;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
      same += first[i] == second[i];
    return double(same);
  }

  const Plan &plan_;
  const ReplayOutcome &baseline_;
};

} // namespace

std::vector<BenchmarkCall> benchmarkTraffic(const Plan &plan, const ReplayOutcome &baseline) {
  return Traffic(plan, baseline).run();
}

} // namespace agentic
