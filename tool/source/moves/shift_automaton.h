// The plan of shift-automaton for a loop that runs a state machine (shift_automaton_plan.cpp).
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::moves {

struct AutomatonPlan {
  const Loop *loop = nullptr;
  const Statement *update = nullptr; ///< `state = next(state, input);`
  VariableId state{};
  const Expression *input = nullptr;           ///< of 8 bits; everything else in `next` is constant
  std::vector<const Statement *> helpers = {}; ///< constants of the loop's body that `next` uses, in order
  std::set<std::int64_t> states = {};          ///< the reachable states
  std::int64_t unit = 1;                       ///< every state is a multiple of it, 0 … 9 times
  bool isSeen = false;                         ///< other statements of the loop may look at the state
  std::string problem = {};                    ///< why it is not legal; empty if it is

  static constexpr int kBits = 6, kMostStates = 10; ///< width of a state in a row of 64 bits; most states
};

/// Returns nullopt if the loop runs no state machine.
std::optional<AutomatonPlan> planAutomaton(const Nest &nest, const Loop &loop);

} // namespace agentic::moves
