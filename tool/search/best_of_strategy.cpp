// Independent tries from the baseline, none of which is told of the others; then the best of them is refined.
#include "tool/search/ask_strategy.h"
#include "tool/search/ask_tree.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::string_view kBestOfName = "best-of";
constexpr StrategyNumber kBestOfNumbers[] = {{.name = "tries", .usual = 24, .least = 1, .most = 1000}};

Ask nextOfBest(const AskContext &context) {
  const RunState &state = context.state;
  if (std::string idle = idleReason(state); !idle.empty())
    return {.stop = std::move(idle)};
  const auto tries = std::ranges::count_if(state.asked, [](const Asked &asked) {
    return asked.ask.strategy == kBestOfName && asked.ask.parent.empty() && asked.ask.fixes.empty();
  });
  const AskTree tree = treeOf(state);
  if (tries < context.numbers[0] || tree.best() == 0)
    return {.strategy = std::string(kBestOfName), .plan = static_cast<int>(tries)};
  return askFrom(tree.nodes[tree.best()], kBestOfName);
}

} // namespace

extern const AskStrategyRow kBestOfRow = {.name = kBestOfName, .numbers = kBestOfNumbers, .next = nextOfBest};

} // namespace agentic
