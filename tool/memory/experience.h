// What the attempts of a run teach: items of changes that were measured and passed every check.
#pragma once

#include "tool/model/memory_item.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

inline constexpr double kMemoryGain = 1.04, kMemoryLoss = 1 / 1.15; ///< what is faster, or slower, than these is kept
inline constexpr std::size_t kMostNewItems = 8;                     ///< of a round

/// What all items of one run have in common.
struct LearningKernel {
  std::string kernel, level, family;
  std::string baseline; ///< the function as written
  std::vector<std::string> words, bounds;
};

/// A candidate beside what it was made from.
struct MeasuredChange {
  std::string reference; ///< id of the candidate that it was made from; empty: the baseline
  std::string before;    ///< text of that
  std::vector<std::string> traitsBefore;
  Speedup speedup; ///< over the reference
};

/// Is told of each attempt of a run in its order. A candidate is compared with its parent, or with the best so far
/// where a model was asked without one, else with the baseline.
class MeasuredChanges {
public:
  /// `baseline`: the function as written.
  explicit MeasuredChanges(std::string baseline);

  /// nullopt: it did not pass every check, was not measured, has the object code of another, or nobody proposed it.
  std::optional<MeasuredChange> take(const Attempt &attempt);

private:
  struct Known {
    std::string text;
    Speedup speedup; ///< over the baseline
    std::vector<std::string> traits;
  };
  std::string referenceOf(const Attempt &attempt) const;
  Speedup overBaseline(const Attempt &attempt) const;
  Speedup overReference(const Attempt &attempt, const std::string &reference) const;
  std::map<std::string, Known> known_; ///< by candidate; "": the baseline
  std::string best_;                   ///< the candidate that leads; empty: the baseline
};

/// Returns whether a change is worth to be kept: faster than 1.04x, or slower than 1/1.15x.
bool isTelling(const Speedup &speedup);

/// Makes items of what a run measures.
class Experience {
public:
  explicit Experience(LearningKernel kernel) : kernel_(std::move(kernel)), changes_(kernel_.baseline) {}

  /// Takes the attempts in their order.
  void take(const Attempt &attempt);

  /// What a summarizer says of a candidate takes the place of our words, if it is of this round.
  void describe(const Summary &summary);

  /// Returns what the attempts since the last round teach: the 8 that changed the time most.
  std::vector<MemoryItem> endRound();

private:
  MemoryItem itemOf(const Attempt &attempt, const MeasuredChange &change) const;
  LearningKernel kernel_;
  MeasuredChanges changes_;
  struct Taught {
    std::string candidate;
    MemoryItem item;
  };
  std::vector<Taught> round_;
};

} // namespace agentic
