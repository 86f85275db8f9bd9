// Mutants' outcomes, kept across processes. A file that cannot be read, or has another key, counts as absent.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/adequacy/adequacy_outcome.h"

#include <map>
#include <string>

namespace agentic {

struct MutantOutcome {
  enum class State { Killed, Survived, Equivalent, Invalid };
  State state = State::Survived;
  std::string killedBy;
};

struct AdequacyCache {
  std::map<std::string, MutantOutcome> outcomes; ///< key: hash of the mutant's text
  int mostMutants = 0;                           ///< limit that `report` was made with; 0: there is no report
  Adequacy report;
};

AdequacyCache loadAdequacy(const std::string &file, const std::string &key);
Result<void> saveAdequacy(const std::string &file, const std::string &key, const AdequacyCache &cache);

} // namespace agentic
