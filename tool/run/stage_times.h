// What the stages of a run took, for --timings.
#pragma once

#include "tool/search/run_event.h"

#include <map>
#include <string>

namespace agentic {

/// Not thread-safe: events come from one thread.
class StageTimes {
public:
  /// Adds the stages of what was evaluated or confirmed, and the time from the beginning to the end of a shortening or
  /// a review.
  void happened(const RunEvent &event);
  void add(const std::string &stage, double seconds) { seconds_[stage] += seconds; }

  const std::map<std::string, double> &seconds() const { return seconds_; }

private:
  std::map<std::string, double> seconds_;
  double began_ = 0; ///< the last shortening or review
};

} // namespace agentic
