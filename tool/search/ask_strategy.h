// Strategies of a run whose agents ask a model: what is asked next, from which candidate, and when nothing more is.
//
// tool/agent/README.md says what each is for. A new strategy = one file that defines its AskStrategyRow, and its row in
// ask_strategies.cpp. Each is a pure function of the run's state, which is a fold over its journal: what was asked
// before, random numbers included, is read there, so that a resumed run goes on as it would have.
#pragma once

#include "tool/base/error.h"
#include "tool/model/ask.h"
#include "tool/model/run_state.h"
#include "tool/model/search_branch.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct AskContext {
  const RunState &state;
  std::vector<int> numbers; ///< as in the row, each given or its default
  /// Which of the run's agents that ask a model is to be asked: strategies with several populations give each its own.
  std::size_t member = 0, members = 1;
};

/// A number that a strategy can be given: "beam=4/3/1".
struct StrategyNumber {
  std::string_view name;
  int usual = 1, least = 1, most = 100;
};

struct AskStrategyRow {
  std::string_view name;
  std::span<const StrategyNumber> numbers;
  Ask (*next)(const AskContext &context);
  bool needsTraits = false; ///< Evaluation::traits
  /// Returns the parts of the search that are shown while it runs, in an order that stays; nullptr: it has none.
  std::vector<SearchBranch> (*branches)(const RunState &state) = nullptr;
};

/// Returns the table; the first row is the default.
std::span<const AskStrategyRow *const> allAskStrategies();

/// Returns "linear, best-of=tries, beam=width/plans/files, …".
std::string askStrategyForms();

/// A strategy with its numbers.
struct AskStrategy {
  const AskStrategyRow *row = nullptr;
  std::vector<int> numbers;

  Ask next(const RunState &state, std::size_t member = 0, std::size_t members = 1) const {
    return row->next({state, numbers, member, members});
  }
};

/// Reads "beam" or "beam=4/3/1"; numbers that are left out have their defaults. Errors: there is no such strategy, or
/// it takes no such numbers.
Result<AskStrategy> parseAskStrategy(std::string_view text);

} // namespace agentic
