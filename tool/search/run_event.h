// What happens in a run, for whoever watches it: one event after the other, from the loop's thread. An event refers to
// what is the loop's own: a listener copies what it keeps, and does not block.
#pragma once

#include "tool/model/candidate.h"
#include "tool/model/run_state.h"

#include <functional>
#include <string>
#include <variant>

namespace agentic {

namespace run_event {
struct Asking {
  int iteration = 0; ///< for which the agent is asked for a candidate
};
struct Started {
  int iteration = 0;
  const Candidate &candidate;
};
struct Evaluated {
  int iteration = 0;
  const Attempt &attempt;
  bool becameIncumbent = false;
  double bestRatio = 1;
};
/// A model's reply without a candidate.
struct Unusable {
  int iteration = 0;
  const std::string &note;
};
/// The search's time was up before this one had a verdict: it has none, and none is journaled.
struct OutOfTime {
  const Candidate &candidate;
};
struct Confirming {
  const Candidate &candidate;
};
struct Confirmed {
  const Evaluation &evaluation;
};
} // namespace run_event

using RunEvent = std::variant<run_event::Asking, run_event::Started, run_event::Evaluated, run_event::Unusable,
                              run_event::OutOfTime, run_event::Confirming, run_event::Confirmed>;
using RunListener = std::function<void(const RunEvent &event)>;

} // namespace agentic
