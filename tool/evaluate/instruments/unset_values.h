// The part of the stage sanitize that finds unset values: MemorySanitizer over the recorded and generated calls. A
// candidate whose results, control flow or addresses depend on registers or memory that nobody set is rejected, even if
// all results are right: such values are left over from an earlier call or from the surrounding program.
//
// Outputs that the baseline leaves unset may stay unset in candidates. If the baseline itself works with unset values,
// the part is skipped, and a remark says so.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/instruments/unset_values_run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The behaviour of the baseline under MemorySanitizer: learnt once per plan.
struct UnsetFacts {
  MemoryTools tools;
  std::size_t steps = 0; ///< steps for candidates; 0: it is not run, and a remark says why
  std::string baseline;  ///< shared object, if it leaves outputs unset; else empty
  double seconds = 0;    ///< time of the baseline
  std::vector<std::string> remarks;
};

/// Cost: the tools, the baseline compiled with MemorySanitizer, and its calls twice, at most 5 s of them.
Result<UnsetFacts> learnUnset(const InstrumentedContext &context);

/// Saves the facts in a folder of their own, and moves the baseline there; saves nothing if it was not run. `key` as in
/// facts.h: facts of another key or clang count as absent. Cost of loading: the tools, from their cache.
Result<void> saveUnsetFacts(const std::string &folder, const std::string &key, UnsetFacts &facts);
Result<std::optional<UnsetFacts>> loadUnsetFacts(const InstrumentedContext &context, const std::string &folder,
                                                 const std::string &key);

/// Loads the facts, or learns and saves them.
Result<UnsetFacts> keptUnsetFacts(const InstrumentedContext &context, const std::string &folder,
                                  const std::string &key);

struct UnsetOutcome {
  bool passed = true;     ///< also where nothing could run: then `remarks` say so
  std::string detail;     ///< why it failed; one line with the candidate's own position, fit to be shown to an agent
  std::string unmeasured; ///< as in SanitizeOutcome
  std::vector<std::string> remarks;
  double seconds = 0;
};

/// Cost: a compile with MemorySanitizer (about 1 s) and the calls.
Result<UnsetOutcome> findUnset(const InstrumentedContext &context, const UnsetFacts &facts,
                               const BuiltCandidate &candidate);

} // namespace agentic
