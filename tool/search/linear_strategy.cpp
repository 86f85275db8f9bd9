// One conversation: each question is about everything so far, and the agent chooses what it shows of that (--history).
#include "tool/search/ask_strategy.h"

namespace agentic {

extern const AskStrategyRow kLinearRow = {
    .name = "linear",
    .numbers = {},
    .next = [](const AskContext &) { return Ask(); },
};

} // namespace agentic
