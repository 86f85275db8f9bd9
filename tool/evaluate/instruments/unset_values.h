// The part of the stage sanitize that looks for unset values: MemorySanitizer over the recorded and generated calls. A
// candidate that lets its results, its way or its addresses depend on registers or memory that nobody set is refused,
// also where all results are right: what it finds there is what an earlier call or the program around it left.
//
// What the baseline leaves unset itself is not asked of candidates, and where it works with unset values none of this
// is done: a remark says so.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/instruments/unset_values_run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// What the baseline does under MemorySanitizer: once per plan.
struct UnsetFacts {
  MemoryTools tools;
  std::size_t steps = 0; ///< that candidates do as well; 0: it is not run, and a remark says why
  std::string baseline;  ///< shared object, where it leaves outputs unset; else empty
  double seconds = 0;    ///< of the baseline
  std::vector<std::string> remarks;
};

/// Cost: the tools, the baseline compiled with MemorySanitizer, and its calls twice, at most 5 s of them.
Result<UnsetFacts> learnUnset(const InstrumentedContext &context);

/// In a folder of their own, with the baseline, which moves there; nothing is kept where it was not run. `key` as in
/// facts.h: facts of another one, or of another clang, count as absent. Cost of loading: the tools, from their cache.
Result<void> saveUnsetFacts(const std::string &folder, const std::string &key, UnsetFacts &facts);
Result<std::optional<UnsetFacts>> loadUnsetFacts(const InstrumentedContext &context, const std::string &folder,
                                                 const std::string &key);

/// Loads the facts, or learns and saves them.
Result<UnsetFacts> keptUnsetFacts(const InstrumentedContext &context, const std::string &folder,
                                  const std::string &key);

struct UnsetOutcome {
  bool passed = true;     ///< also where nothing could run: then `remarks` say so
  std::string detail;     ///< why not; one line with the candidate's own position, fit to be shown to an agent
  std::string unmeasured; ///< as of SanitizeOutcome
  std::vector<std::string> remarks;
  double seconds = 0;
};

/// Cost: a compile with MemorySanitizer (about 1 s) and the calls.
Result<UnsetOutcome> findUnset(const InstrumentedContext &context, const UnsetFacts &facts,
                               const BuiltCandidate &candidate);

} // namespace agentic
