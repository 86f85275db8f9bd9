// Chooses which settings of a candidate's tunables are tried, and in which order: one tunable after the other, all its
// values with the rest as in the best setting so far, until a whole round finds nothing better or the limit is reached.
// Deterministic for the same answers, so that a resumed run repeats its path from the journal.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace agentic {

class CoordinateDescent {
public:
  /// `sizes`: the number of values of each tunable, at least one each.
  explicit CoordinateDescent(std::vector<std::size_t> sizes, std::size_t most = 24);

  /// Returns the next setting; each once, the first values first. nullopt: the search is over.
  std::optional<std::vector<std::size_t>> next();
  /// Reports the value of the last setting: larger is better, 0 = it was rejected. If the first one was rejected, the
  /// others are not tried: the fault of a candidate is seldom a constant.
  void told(double value);

  const std::vector<std::size_t> &best() const { return best_; }
  double bestValue() const { return bestValue_; }
  std::size_t tried() const { return seen_.size(); }

private:
  std::vector<std::size_t> sizes_, best_, current_;
  std::size_t most_;
  std::set<std::vector<std::size_t>> seen_;
  double bestValue_ = 0;
  std::size_t tunable_ = 0, value_ = 0; ///< the next value to try
  std::size_t withoutGain_ = 0;         ///< tunables whose values were all tried since the best setting was found
  bool isOver_ = false;
};

} // namespace agentic
