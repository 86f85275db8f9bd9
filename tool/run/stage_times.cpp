#include "tool/run/stage_times.h"

#include "tool/base/clock.h"
#include "tool/search/journal_fold.h"

#include <type_traits>
#include <variant>

namespace agentic {

void StageTimes::happened(const RunEvent &event) {
  const auto addAll = [&](const Evaluation &evaluation) {
    for (const StageTime &time : evaluation.times)
      add(time.name, time.seconds);
  };
  std::visit(
      [&]<class Event>(const Event &one) {
        if constexpr (std::is_same_v<Event, run_event::Evaluated>)
          addAll(one.attempt.evaluation);
        else if constexpr (std::is_same_v<Event, run_event::Confirmed>)
          addAll(one.evaluation);
        else if constexpr (std::is_same_v<Event, run_event::Shortening> || std::is_same_v<Event, run_event::Reviewing>)
          began_ = steadySeconds();
        else if constexpr (std::is_same_v<Event, run_event::Shortened>)
          add(kShortening, steadySeconds() - began_);
        else if constexpr (std::is_same_v<Event, run_event::Reviewed>)
          add(kReviewing, steadySeconds() - began_);
      },
      event);
}

} // namespace agentic
