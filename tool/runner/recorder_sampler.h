// Chooses the calls to record: the first of each shape, some second ones, a few later ones. Bounded, no allocation.
#pragma once

#include <cstdint>

namespace agentic::recorder {

class Sampler {
public:
  static constexpr unsigned kMost = 24, kFirsts = 12, kMostFirsts = 18, kSeconds = 4;

  /// Counts a call of this shape and returns whether to record it. Not for several threads at once.
  bool wants(std::uint64_t shape) {
    ++calls_;
    if (taken_ >= kMost)
      return false;
    const bool wanted = isWanted(count(shape ? shape : 1));
    taken_ += wanted;
    return wanted;
  }
  /// Reports that the last wanted call could not be captured: another one of its shape may be. Limited, because finding
  /// the extent of a pointer takes milliseconds.
  void giveBack() {
    if (givenBack_++ >= kMostGivenBack)
      return;
    --taken_;
    if (last_ && *last_ == 1) {
      *last_ = 0;
      --firsts_;
    }
  }
  bool isFull() const { return taken_ >= kMost; }
  std::uint64_t calls() const { return calls_; }

private:
  static constexpr std::uint64_t kShapes = 4096;
  static constexpr unsigned kMostGivenBack = 64;

  /// Returns how often this shape was seen, this time included; many if there is no room for another shape.
  std::uint64_t count(std::uint64_t shape) {
    last_ = nullptr;
    for (std::uint64_t i = 0; i < kShapes; ++i) {
      const std::uint64_t at = (shape + i) % kShapes;
      if (shapes_[at] == shape) {
        last_ = &counts_[at];
        return ++counts_[at];
      }
      if (shapes_[at] == 0 && distinct_ < kShapes / 2) {
        shapes_[at] = shape;
        ++distinct_;
        last_ = &counts_[at];
        return counts_[at] = 1;
      }
      if (shapes_[at] == 0)
        break;
    }
    return 3;
  }

  bool isWanted(std::uint64_t seen) {
    if (seen == 1) {
      // Programs may try hundreds of sizes: later sizes get a chance, too.
      if (firsts_ < kFirsts || (firsts_ < kMostFirsts && random() % distinct_ < kFirsts / 2))
        return ++firsts_;
      return false;
    }
    if (seen == 2 && seconds_ < kSeconds)
      return ++seconds_;
    if (calls_ < nextLate_)
      return false;
    nextLate_ = 2 * calls_ + random() % (calls_ + 1);
    return true;
  }

  std::uint64_t random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }

  std::uint64_t shapes_[kShapes] = {}, counts_[kShapes] = {};
  std::uint64_t distinct_ = 0, calls_ = 0, nextLate_ = 16, state_ = 0x2545f4914f6cdd1du;
  std::uint64_t *last_ = nullptr; ///< count of the shape seen last
  unsigned taken_ = 0, firsts_ = 0, seconds_ = 0, givenBack_ = 0;
};

} // namespace agentic::recorder
