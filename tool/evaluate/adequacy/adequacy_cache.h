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
  std::map<std::string, MutantOutcome> outcomes; ///< by the hash of the mutant's text
  int mostMutants = 0;                           ///< what `report` was asked for; 0: there is none
  Adequacy report;
};

AdequacyCache loadAdequacy(const std::string &file, const std::string &key);
Result<void> saveAdequacy(const std::string &file, const std::string &key, const AdequacyCache &cache);

} // namespace agentic
