#include "tool/search/coordinate_descent.h"

#include <utility>

namespace agentic {

CoordinateDescent::CoordinateDescent(std::vector<std::size_t> sizes, std::size_t most)
    : sizes_(std::move(sizes)), best_(sizes_.size(), 0), most_(most) {}

std::optional<std::vector<std::size_t>> CoordinateDescent::next() {
  if (isOver_ || seen_.size() >= most_)
    return std::nullopt;
  if (seen_.empty()) {
    seen_.insert(current_ = best_);
    return current_;
  }
  while (withoutGain_ < sizes_.size()) {
    if (value_ == sizes_[tunable_]) {
      tunable_ = (tunable_ + 1) % sizes_.size();
      value_ = 0;
      ++withoutGain_;
      continue;
    }
    current_ = best_;
    current_[tunable_] = value_++;
    if (seen_.insert(current_).second)
      return current_;
  }
  return std::nullopt;
}

void CoordinateDescent::told(double value) {
  if (seen_.size() == 1 && value <= 0)
    isOver_ = true;
  if (value <= bestValue_)
    return;
  bestValue_ = value;
  best_ = current_;
  if (seen_.size() > 1)
    withoutGain_ = 0; // tries the other tunables again with this one's new value
}

} // namespace agentic
