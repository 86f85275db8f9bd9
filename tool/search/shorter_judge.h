// Judges texts in the place of a winner, each once, whenever the process dies. The rule is Evaluator::shortened(): the
// object code of the winner, or of a text that was kept, needs no measurement; nor does code that was measured and
// refused in another text.
#pragma once

#include "tool/search/shortening.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace agentic {

class ShorterJudge {
public:
  /// `request` outlives it.
  explicit ShorterJudge(const ShorteningRequest &request);

  /// Returns what came of it. `measures`: other object code may be as good, too. nullopt: the run is interrupted or,
  /// `isLimited`, the time is up, from then on.
  Result<std::optional<TriedShorter>> judged(const Candidate &candidate, bool measures, bool isLimited = true);

  bool isOver() const { return isOver_; }
  /// Returns whether the object code of some text is known to be good.
  bool knowsCode() const { return !hashes_.empty(); }
  /// Returns whether all that was kept has the winner's object code.
  bool isSame() const { return isSame_; }

private:
  /// Returns whether that code was measured, in whatever text, and is not as good.
  bool isRefused(const std::string &objectHash) const;
  TriedShorter noted(TriedShorter tried);
  const ShorteningRequest &request_;
  std::map<std::pair<std::string, bool>, TriedShorter> tried_;
  std::set<std::string> hashes_; ///< object code of the winner, and of what was measured
  bool isOver_ = false, isSame_ = true;
};

/// Returns how what was kept compares with the winner, in words.
std::string comparedText(bool isSameCode);

} // namespace agentic
