// The events of a run for its listeners: one after the other, from the loop's thread. An event refers to the loop's own
// data: a listener copies the parts that it keeps, and does not block.
#pragma once

#include "tool/model/candidate.h"
#include "tool/model/run_state.h"

#include <functional>
#include <string>
#include <variant>

namespace agentic {

namespace run_event {
struct Asking {
  int iteration = 0; ///< number of the iteration for which the agent is asked for a candidate
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
/// The search's time ended before this candidate had a verdict: none is journaled.
struct OutOfTime {
  const Candidate &candidate;
};
/// Taken back before it had a verdict.
struct Withdrawn {
  const Candidate &candidate;
};
/// A winner is shortened before it is confirmed.
struct Shortening {
  const Candidate &candidate;
};
struct Shortened {
  const Candidate &candidate; ///< the winner
  const std::string &summary; ///< empty: nothing was left out
};
/// Somebody is asked for a text of the winner that is simpler to read, before it is confirmed.
struct Reviewing {
  const Candidate &candidate;
};
struct Reviewed {
  const Candidate &candidate; ///< the winner
  const std::string &summary; ///< empty: it stays as it is
  const std::string &note;    ///< why an answer does not count; empty: it does, or there is none
};
struct Confirming {
  const Candidate &candidate;
};
struct Confirmed {
  const Evaluation &evaluation;
};
} // namespace run_event

using RunEvent = std::variant<run_event::Asking, run_event::Started, run_event::Evaluated, run_event::Unusable,
                              run_event::OutOfTime, run_event::Withdrawn, run_event::Shortening, run_event::Shortened,
                              run_event::Reviewing, run_event::Reviewed, run_event::Confirming, run_event::Confirmed>;
using RunListener = std::function<void(const RunEvent &event)>;

} // namespace agentic
