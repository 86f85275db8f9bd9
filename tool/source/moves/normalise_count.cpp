#include "tool/source/loops/code_text.h"
#include "tool/source/moves/normalise.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace agentic::moves {
namespace {

std::string operand(const std::string &text) {
  return isName(text) ? text : "(" + text + ")";
}

std::string unsignedOf(unsigned bits) {
  return bits == 8 ? "unsigned char" : bits == 16 ? "unsigned short" : bits == 32 ? "unsigned int" : "unsigned long";
}

class Counter {
public:
  Counter(const Walk &walk, const Nest &nest)
      : walk_(walk), nest_(nest), test_(walk.test), walked_(walk.walked[walk.test.walked]),
        size_(std::abs(walked_.step)) {}

  RoundCount run() {
    if (std::string reason = whyNotReached(); !reason.empty()) {
      result_.problem = std::move(reason);
      return result_;
    }
    if (!test_.ahead.isEmpty())
      return countAhead();
    setTexts();
    if (const std::int64_t rounds = constantRounds(walk_, nest_); rounds > 0)
      setConstant(rounds);
    else if (walked_.isPointer)
      countPointers();
    else
      countIntegers();
    const bool isLive = std::ranges::any_of(walk_.walked, &WalkedVariable::isLive);
    if (test_.isBottom && result_.problem.empty())
      addFirstRound();
    else if (isLive && result_.isSigned) // what is read later has not walked backwards
      result_.text = atLeastZero();
    return result_;
  }

private:
  bool isUp() const { return walked_.step > 0; }
  bool isPlainSigned() const { return walked_.isSigned && walked_.bits >= 32; }
  std::string name() const { return "'" + walked_.name + "'"; }
  std::string loop() const { return "the loop '" + walk_.name + "'"; }
  /// A loop that writes nothing but memory ends, or its behaviour is undefined: an input for which it would count
  /// forever needs no result. A step that is a power of two meets the same values after each wrap.
  bool mustEnd() const { return !walk_.mayLeave && std::has_single_bit(static_cast<std::uint64_t>(size_)); }
  /// No memory has the elements that are read until an index of 64 bits wraps around.
  bool endsInMemory() const { return walked_.bits == 64 && size_ <= 64 && walk_.readsEachIteration; }
  std::optional<std::int64_t> bound() const { return test_.boundConstant; }

  std::string whyAheadNotReached() const {
    const bool isPlain = !walked_.isPointer && walked_.step == 1 && walked_.start == 0 && test_.offset == 0 &&
                         !test_.isBottom && test_.op.starts_with("<") && walked_.bits >= 32 &&
                         test_.comparedBits == walked_.bits && test_.isComparedSigned == walked_.isSigned &&
                         test_.isAheadSigned == walked_.isSigned && test_.isBoundSigned == walked_.isSigned;
    if (!isPlain)
      return "'" + std::string(nest_.slice(test_.ahead)) + "' is added to " + name() + " in the condition of " + loop();
    const bool ends = walked_.isSigned ? walked_.bits == 32 || !walk_.mayLeave : mustEnd() || endsInMemory();
    return ends ? "" : name() + " may wrap around before " + loop() + " ends";
  }

  /// No branch: there need not be a test for arrays that are shorter than the window.
  RoundCount countAhead() {
    const std::string far = operand(std::string(nest_.slice(test_.bound))), more = test_.op == "<=" ? " + 1" : "",
                      near = operand(std::string(nest_.slice(test_.ahead)));
    result_.isExact = true;
    if (walked_.isSigned) {
      setType(walk_.differenceType, true, true);
      result_.text = castTo(walk_.differenceType, far) + " - " + near + more;
      if (std::ranges::any_of(walk_.walked, &WalkedVariable::isLive))
        result_.text = atLeastZero();
      return result_;
    }
    setType(walk_.sizeType, false, true);
    result_.text = castTo(walk_.sizeType, far + (more.empty() ? " > " : " >= ") + near) + " * (" +
                   (walked_.bits == 64 ? far : castTo(walk_.sizeType, far)) + " - " + near + more + ")";
    return result_;
  }

  std::string whyNotReached() {
    if (!test_.ahead.isEmpty())
      return whyAheadNotReached();
    const bool fits = test_.op == "!=" || (isUp() ? test_.op.starts_with("<") : test_.op.starts_with(">"));
    if (!fits)
      return name() + " steps away from its bound in " + loop();
    if (walked_.isPointer)
      return test_.op == "!=" && (size_ > 1 || test_.isBottom) && walk_.mayLeave
                 ? name() + " may pass the bound of " + loop() + " without meeting it, and something else ends it"
                 : "";
    const std::string wraps = name() + " may wrap around before " + loop() + " ends";
    if (test_.isSum && !isPlainSigned() && (!walked_.start || *walked_.start + test_.offset < 0 || test_.offset < 0))
      return wraps + ": a constant is added to it in the condition";
    if (isPlainSigned())
      return whySignedNotReached(wraps);
    if (test_.op == "!=") {
      const bool isReachable =
          bound() ? *bound() >= 0 && (walked_.bits >= 63 || *bound() < (std::int64_t{1} << walked_.bits))
                  : test_.boundBits <= walked_.bits && (test_.comparedBits == walked_.bits || !test_.isBoundSigned);
      if (!isReachable || (walked_.isSigned && bound() != 0))
        return name() + " may never have the value of the bound of " + loop();
      return size_ == 1 || mustEnd() ? "" : name() + " may pass the bound of " + loop() + " without meeting it";
    }
    if (walked_.isSigned)
      return wraps + ": its type is narrow";
    if (test_.isComparedSigned && !bound() && test_.isBoundSigned && !isUp())
      return name() + " is compared with a number that may be below 0 in " + loop();
    return isBelowWrap() || mustEnd() || endsInMemory() ? "" : wraps;
  }

  /// The variable of a signed loop does not overflow.
  std::string whySignedNotReached(const std::string &wraps) const {
    if (test_.op == "!=" && size_ > 1 && walk_.mayLeave)
      return name() + " may pass the bound of " + loop() + " without meeting it, and something else ends it";
    const bool isConverted = !test_.isComparedSigned;
    if (!isConverted)
      return {};
    const bool staysPositive = isUp() && walked_.start && *walked_.start + test_.offset >= 0;
    return staysPositive ? "" : wraps + ": it is compared as an unsigned number, and may be below 0";
  }

  /// Returns whether an unsigned variable certainly ends its loop without wrapping around.
  bool isBelowWrap() const {
    const bool isWide = walked_.bits >= 63;
    const std::int64_t largest = isWide ? INT64_MAX : (std::int64_t{1} << walked_.bits) - 1;
    if (isUp()) {
      if (bound())
        return *bound() >= 0 && *bound() <= largest - size_ - 1;
      if (test_.boundBits < walked_.bits && !test_.isBoundSigned)
        return size_ < 256;
      return test_.op == "<" && size_ == 1 && test_.comparedBits == walked_.bits && test_.offset <= 1;
    }
    if (test_.op == ">")
      return size_ == 1 ? (bound() ? *bound() >= 0 : !test_.isBoundSigned) : bound() && *bound() >= size_ - 1;
    return bound() && *bound() >= size_;
  }

  void setTexts() {
    if (walked_.start) {
      start_ = *walked_.start + test_.offset;
      startText_ = std::to_string(*start_);
    } else {
      startText_ = walked_.name;
      if (test_.offset != 0) {
        startText_ += (test_.offset < 0 ? " - " : " + ") + std::to_string(std::abs(test_.offset));
        if (!walked_.isPointer && !isPlainSigned())
          startText_ = castTo(test_.isSum ? test_.comparedType : walked_.type, startText_);
      }
    }
    if (bound())
      boundText_ = std::to_string(*bound());
    else
      boundText_ = std::string(nest_.slice(test_.bound));
    if (bound() && (*bound() < 0 || *bound() > INT32_MAX))
      boundText_ = std::string(nest_.slice(test_.bound));
  }

  void setConstant(std::int64_t rounds) {
    setType(walked_.type, walked_.isSigned, walked_.bits == 64);
    result_.isExact = true;
    result_.text = std::to_string(rounds);
  }

  void setType(const std::string &type, bool isSigned, bool isWide) {
    result_.type = type;
    result_.isSigned = isSigned;
    result_.isWide = isWide;
  }

  void countPointers() {
    setType(walk_.differenceType, true, true);
    result_.isExact = true;
    // The distance without the constant in the test: `end - p >= 4` in steps of 4 is a quotient.
    const std::string far = operand(boundText_), near = walked_.name;
    const std::string whole = isUp() ? far + " - " + near : near + " - " + far;
    const std::int64_t ahead = isUp() ? test_.offset : -test_.offset;
    count(whole, ahead, whole);
    if (test_.op == "!=" && walk_.mayLeave) {
      setType(walk_.sizeType, false, true);
      result_.text = castTo(walk_.sizeType, result_.text);
    }
  }

  /// Sets the count for a signed distance `distance - ahead` to the bound. `whole`: the same, as an operand of `/`.
  void count(const std::string &distance, std::int64_t ahead, const std::string &whole) {
    const std::string step = std::to_string(size_);
    const bool includes = test_.op.ends_with("=") && test_.op != "!=";
    const std::int64_t first = includes ? ahead : ahead + 1; // the smallest distance of a round
    const auto less = [&](std::int64_t number) {
      return number == 0  ? distance
             : number > 0 ? distance + " - " + std::to_string(number)
                          : distance + " + " + std::to_string(-number);
    };
    if (test_.op == "!=")
      result_.text = size_ == 1 ? less(ahead) : "(" + less(ahead) + ") / " + step;
    else if (first == size_)
      result_.text = size_ == 1 ? distance : operand(whole) + " / " + step;
    else if (size_ == 1 && (first <= 1 || walked_.isPointer))
      result_.text = less(first - 1);
    else if (size_ == 1)
      result_.text = distance + " >= " + std::to_string(first) + " ? " + less(first - 1) + " : 0";
    else
      result_.text = distance + " >= " + std::to_string(first) + " ? (" + less(first) + ") / " + step + " + 1 : 0";
  }

  void countIntegers() {
    result_.isExact = isPlainSigned() || isBelowWrap() || mustEnd() || endsInMemory();
    if (isPlainSigned())
      countSigned();
    else
      countUnsigned();
  }

  void countSigned() {
    const bool isNear = isUp() ? start_ && *start_ >= 0 : bound() && *bound() >= 0; // then no distance overflows
    const bool isUnsignedBound = !test_.isComparedSigned;
    if (test_.isBottom && walk_.mayLeave) {
      result_.problem = name() + " is tested after a round of " + loop() + " that something else may end";
      return;
    }
    if (isUnsignedBound || (test_.comparedBits > walked_.bits && !bound())) {
      if (!isNear || !start_ || (test_.op == "!=" && walk_.mayLeave)) {
        result_.problem = "the bound of " + loop() + " is wider than " + name();
        return;
      }
      setType(isUnsignedBound ? walk_.sizeType : walk_.differenceType, !isUnsignedBound, true);
      if (!bound())
        boundText_ = castTo(test_.comparedType, boundText_); // as the comparison converts it
      return isUnsignedBound ? countUnsignedBetween() : countFromStart();
    }
    if (test_.op == "!=" && walk_.mayLeave) {
      setType(walk_.sizeType, false, true);
      const std::string u = unsignedOf(walked_.bits);
      const std::string far = castTo(u, isUp() ? boundText_ : startText_),
                        near = castTo(u, isUp() ? startText_ : boundText_);
      result_.text = (isUp() ? start_ == 0 : bound() == 0) ? far : far + " - " + near;
      return;
    }
    if (test_.op.ends_with("=") && test_.op != "!=" && size_ == 1 && walk_.mayLeave && !(isUp() && bound())) {
      // The number of rounds may be one more than the type holds.
      if (walked_.bits == 64 || !isNear) {
        result_.problem = "the number of rounds of " + loop() + " may be more than the type of " + name() + " holds";
        return;
      }
      setType(walk_.differenceType, true, true);
      (isUp() ? boundText_ : startText_) = castTo(walk_.differenceType, isUp() ? boundText_ : startText_);
      return isUp() ? countFromStart() : count(startText_, *bound(), startText_);
    }
    if (isNear && isUp()) {
      setType(walked_.type, true, walked_.bits == 64);
      return countFromStart();
    }
    if (isNear) {
      setType(walked_.type, true, walked_.bits == 64);
      const std::int64_t ahead = *bound();
      return count(operand(startText_), ahead, startText_);
    }
    if (walked_.bits == 64) {
      result_.problem = "the distance from " + name() + " to its bound may overflow in " + loop();
      return;
    }
    setType(walk_.differenceType, true, true);
    const std::string far = castTo(walk_.differenceType, isUp() ? boundText_ : startText_);
    const std::string near = operand(isUp() ? startText_ : boundText_);
    count(far + " - " + near, 0, far + " - " + near);
  }

  /// `i = 0; i < n - 3; i += 4` runs n / 4 times.
  void countFromStart() {
    if (test_.op == "<" && start_ == 0 && test_.boundLess == size_ - 1 && size_ > 1 &&
        test_.comparedBits == walked_.bits) {
      result_.text = operand(std::string(nest_.slice(test_.boundWhole))) + " / " + std::to_string(size_);
      return;
    }
    count(operand(boundText_), *start_, boundText_);
  }

  /// Narrow numbers, and 32 bits compared as 64.
  void countPromoted() {
    setType(test_.comparedType, true, test_.comparedBits == 64);
    if (isUp() && start_)
      return countFromStart();
    if (!isUp() && bound())
      return count(operand(startText_), *bound(), startText_);
    if (test_.comparedBits == 64) {
      result_.problem = "the distance from " + name() + " to its bound may overflow in " + loop();
      return;
    }
    setType(walk_.differenceType, true, true);
    const std::string far = castTo(walk_.differenceType, isUp() ? boundText_ : startText_);
    const std::string distance = far + " - " + operand(isUp() ? startText_ : boundText_);
    count(distance, 0, distance);
  }

  void countUnsigned() {
    if (test_.op != "!=" && test_.isComparedSigned)
      return countPromoted();
    setType(walk_.sizeType, false, true);
    if (test_.op == "!=") {
      const std::string u = unsignedOf(walked_.bits);
      const std::string far = isUp() ? boundText_ : startText_, near = isUp() ? startText_ : boundText_;
      const std::string distance = near == "0" ? far : operand(far) + " - " + operand(near);
      const bool isOwnType = distance == walked_.name && !walked_.isSigned;
      const std::string whole = isOwnType ? distance : castTo(u, distance);
      result_.text = size_ == 1 ? whole : operand(whole) + " / " + std::to_string(size_);
      return;
    }
    if (!bound() && test_.isBoundSigned)
      boundText_ = castTo(test_.comparedType, boundText_); // as the comparison converts it
    countUnsignedBetween();
  }

  void countUnsignedBetween() {
    const bool includes = test_.op == "<=" || test_.op == ">=";
    const std::string far = operand(isUp() ? boundText_ : startText_), near = operand(isUp() ? startText_ : boundText_);
    const std::string step = std::to_string(size_);
    const auto nearNumber = isUp() ? start_ : bound();
    if (nearNumber && ((includes && *nearNumber == size_) || (!includes && *nearNumber == size_ - 1))) {
      result_.text = size_ == 1 ? far : far + " / " + step;
    } else if (isUp() && !includes && start_ == 0 && test_.boundLess == size_ - 1 && size_ > 1 && mustEnd() &&
               !test_.isBoundSigned) {
      result_.text = operand(std::string(nest_.slice(test_.boundWhole))) + " / " + step; // else it would not end
    } else if (!includes && nearNumber == 0) {
      result_.text = size_ == 1 ? far : far + " / " + step + " + (" + far + " % " + step + " != 0)";
    } else {
      const std::string distance = near == "0" ? far : far + " - " + near;
      const std::string last = includes ? distance : distance + " - 1";
      const std::string more = size_ == 1 ? includes ? castTo(walk_.sizeType, last) + " + 1" : distance
                                          : castTo(walk_.sizeType, last) + " / " + step + " + 1";
      result_.text = far + (includes ? " >= " : " > ") + near + " ? " + more + " : 0";
    }
  }

  /// The first round is not tested.
  void addFirstRound() {
    const bool stepsToZero = bound() == 0 && !isUp() && size_ == 1 && test_.offset == -1 && !walked_.start;
    if (!walked_.isPointer && walked_.bits == 64 && !walked_.isSigned && test_.op == "!=" &&
        (walk_.mayLeave || !walk_.readsEachIteration)) {
      result_.problem = name() + " may be 0 before " + loop() + ", which then counts through its whole type";
      return;
    }
    if (stepsToZero && test_.op == "!=" && (walked_.bits == 64 || result_.isSigned) && !walk_.mayLeave) {
      result_.text = walked_.name;
      return;
    }
    if (walked_.isPointer && test_.op == "!=" && size_ == 1)
      result_.text += " + 1";
    else if (result_.isSigned && (test_.op != "!=" || walked_.isPointer || size_ > 1))
      result_.text = "(" + std::string(atLeastZero()) + ") + 1";
    else if (result_.isSigned)
      result_.text += " + 1";
    else
      result_.text = castTo(walk_.sizeType, result_.text) + " + 1";
  }

  std::string atLeastZero() const {
    if (result_.text.find(" ? ") != std::string::npos || test_.op == "!=")
      return result_.text;
    return result_.text + " > 0 ? " + result_.text + " : 0";
  }

  const Walk &walk_;
  const Nest &nest_;
  const WalkTest &test_;
  const WalkedVariable &walked_;
  std::int64_t size_;
  std::optional<std::int64_t> start_; ///< of the tested value
  std::string startText_, boundText_;
  RoundCount result_;
};

} // namespace

RoundCount countRounds(const Walk &walk, const Nest &nest) {
  if (!walk.isCounted)
    return Counter(walk, nest).run();
  RoundCount count;
  const std::string upper = operand(std::string(nest.slice(walk.test.bound))),
                    lower = std::to_string(walk.counterStart);
  count.type = walk.counterType;
  count.isSigned = walk.isCounterSigned;
  count.isWide = walk.counterBits == 64;
  if (const bool isNumber = upper.size() < 9 && upper.find_first_not_of("0123456789") == std::string::npos; isNumber) {
    count.text = std::to_string(std::max<std::int64_t>(0, std::atoi(upper.c_str()) - walk.counterStart));
    return count;
  }
  count.text = walk.counterStart == 0 && !count.isSigned
                   ? upper
                   : upper + " > " + lower + " ? " + upper + (walk.counterStart ? " - " + lower : "") + " : 0";
  return count;
}

} // namespace agentic::moves
