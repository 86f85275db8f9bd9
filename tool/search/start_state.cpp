#include "tool/search/start_state.h"

namespace agentic {

RunState stateAtTheStart(const Evaluator &evaluator) {
  return {.spec = evaluator.spec(),
          .level = std::string(evaluator.level().name),
          .family = familyName(evaluator.compiler().family),
          .baselineNs = evaluator.calibration().baselineNs,
          .observed = evaluator.calibration().observed,
          .isTimed = evaluator.isTimed()};
}

} // namespace agentic
