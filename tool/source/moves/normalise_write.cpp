#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/moves/normalise.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace agentic::moves {
namespace {

/// Writes `base + term * step + offset`; `base` may be empty.
std::string sumOf(const std::string &base, const std::string &term, std::int64_t step, std::int64_t offset) {
  const std::string product = std::abs(step) == 1 ? term : term + " * " + std::to_string(std::abs(step));
  if (base.empty() && step < 0)
    return std::to_string(offset) + " - " + product;
  std::string text = base.empty() ? product : base + (step < 0 ? " - " : " + ") + product;
  if (offset != 0)
    text += (offset < 0 ? " - " : " + ") + std::to_string(std::abs(offset));
  return text;
}

class CountedWriter {
public:
  CountedWriter(const Walk &walk, const RoundCount &count, const Nest &nest)
      : walk_(walk), count_(count), nest_(nest), fresh_(nest.surroundings + "\n" + nest.text),
        testStep_(walk.isCounted ? 1 : stepInRound(walk.walked[walk.test.walked])) {}

  std::vector<Edit> run() {
    counter_ = walk_.isCounted ? walk_.counter : counterName();
    window_ = windowStart(walk_, nest_);
    std::vector<Edit> body;
    for (const WalkUse &use : walk_.uses)
      body.push_back({use.range, useText(use)});
    for (const Range &range : walk_.removed)
      body.push_back({range, ""});
    if (isLeftLive()) {
      done_ = fresh_.make("done");
      const std::string start = walk_.counterStart == 0 ? "" : " - " + std::to_string(walk_.counterStart);
      leaving_ = "{\n" + done_ + " = " + counter_ + start + ";\nbreak;\n}";
      for (const Range &range : walk_.breaks)
        body.push_back({range, leaving_});
    }
    std::ranges::sort(body, {}, [](const Edit &edit) { return edit.range.begin; });
    std::vector<Edit> edits;
    for (const Range &range : walk_.declarations)
      edits.push_back({range, ""});
    if (walk_.isCounted)
      writeAround(body);
    else
      writeLoop(body);
    edits.push_back({walk_.range, text_});
    return edits;
  }

private:
  /// Returns by how much it steps at least; 0: less than 1.
  static std::int64_t stepInRound(const WalkedVariable &walked) { return walked.every > 1 ? 0 : std::abs(walked.step); }

  /// The counter takes the name of a variable that it replaces altogether.
  std::string counterName() {
    const WalkedVariable &walked = walk_.walked[walk_.test.walked];
    const bool isDropped = !walked.isPointer && walked.start && !walked.isLive &&
                           (walk_.startDeclares ? !walk_.isStartNeeded : !walk_.declarations.empty());
    const bool isOnly = isDropped && !walk_.isShadowed && isDeclaredThere(walked.name);
    return isOnly ? walked.name : fresh_.make("i");
  }
  bool isDeclaredThere(const std::string &name) const {
    if (walk_.startDeclares)
      return mentionsName(nest_.slice(walk_.start), name);
    return std::ranges::any_of(walk_.declarations,
                               [&](const Range &range) { return mentionsName(nest_.slice(range), name); });
  }

  std::string useText(const WalkUse &use) const {
    const WalkedVariable &walked = walk_.walked[use.walked];
    if (!walked.isPointer)
      return numberText(walked, use);
    std::int64_t offset = use.offset;
    std::string more;
    if (use.form == WalkUse::Form::Element && use.indexConstant && std::abs(*use.indexConstant) < (1 << 30))
      offset += *use.indexConstant;
    else if (use.form == WalkUse::Form::Element)
      more = std::string(nest_.slice(use.index));
    std::string index = indexText(walked.step, offset, !more.empty());
    if (!more.empty())
      index += isName(more) ? " + " + more : " + (" + more + ")";
    switch (use.form) {
    case WalkUse::Form::Arrow:
    case WalkUse::Form::Value:
      return "(" + walked.name + " + " + (walked.step < 0 ? "(" + index + ")" : index) + ")";
    default:
      return walked.name + "[" + index + "]";
    }
  }

  /// Writes what a pointer has been moved by, as a subscript that neither wraps nor overflows.
  /// `isSummed`: something of unknown type and sign is added to it.
  std::string indexText(std::int64_t step, std::int64_t offset, bool isSummed) const {
    offset -= step * walk_.counterStart;
    const bool isBelowZero = step < 0 || offset < 0;
    const bool isFar = isSummed || std::abs(step) > testStep_ || offset > std::max<std::int64_t>(1, testStep_ - 1);
    const bool isCast =
        count_.isSigned ? !count_.isWide && isFar : isBelowZero || isSummed || (!count_.isWide && isFar);
    return sumOf("", isCast ? castTo(walk_.differenceType, counter_) : counter_, step, offset);
  }

  std::string numberText(const WalkedVariable &walked, const WalkUse &use) const {
    const std::int64_t start = walked.start.value_or(0);
    const std::int64_t offset = use.offset + start - walked.step * walk_.counterStart;
    const bool isWindow = !window_.empty() && &walked == &walk_.walked[walk_.test.walked];
    const std::string base = walked.start      ? ""
                             : !isWindow       ? walked.name
                             : isName(window_) ? window_
                                               : "(" + window_ + ")";
    std::string term = counter_, type = count_.type;
    bool isWide = count_.isWide, isSigned = count_.isSigned;
    if (!isWide && (std::abs(walked.step) > testStep_ || (!isSigned && walked.step < 0))) {
      type = walk_.differenceType;
      term = castTo(type, term);
      isWide = isSigned = true;
    }
    const std::string text = sumOf(base, term, walked.step, offset);
    if (type == walked.type || (!base.empty() && walked.bits == 64 && !isWide))
      return use.isAlone || isName(text) ? text : use.isSubscript ? text : "(" + text + ")";
    if (use.isSubscript && fitsSubscript(walked, use, offset + use.added, isSigned))
      return text;
    const bool isSignedNumber = walked.isSigned && walked.bits >= 32;
    if (use.isSubscript && isSignedNumber && isWide)
      return castTo(walk_.differenceType, text);
    return castTo(walked.type, text);
  }

  /// Returns whether a subscript may be computed in the counter's type: the variable itself does not wrap around.
  bool fitsSubscript(const WalkedVariable &walked, const WalkUse &use, std::int64_t least, bool isSigned) const {
    const bool grows = walked.start && walked.step > 0 && least >= 0;
    if (walked.isSigned && walked.bits >= 32)
      return isSigned || grows;
    if (!grows)
      return false;
    if (walked.bits == 64)
      return true;
    if (walk_.isCounted || walk_.walked[walk_.test.walked].isPointer)
      return false;
    const std::int64_t ahead = use.offset + use.added;
    const WalkedVariable &tested = walk_.walked[walk_.test.walked];
    if (&tested == &walked && count_.isExact && ahead == 0)
      return true; // a value that the test has seen
    if (&tested == &walked)
      return count_.isExact && ahead >= 0 && ahead < std::max<std::int64_t>(testStep_, 2) && walked.start == 0;
    return count_.isExact && tested.bits <= walked.bits && walked.step <= testStep_ && walked.start == 0 && ahead == 0;
  }

  static std::vector<Edit> inside(const Range &range, const std::vector<Edit> &edits) {
    std::vector<Edit> found;
    std::ranges::copy_if(edits, std::back_inserter(found),
                         [&](const Edit &edit) { return range.contains(edit.range); });
    return found;
  }

  bool isFixed(const std::string &text) const {
    const WalkedVariable &walked = walk_.walked[walk_.test.walked];
    if (text == walked.name)
      return walked.isOnlyHere && !walked.isLive;
    if (text.find_first_not_of("0123456789") == std::string::npos)
      return true;
    const auto bound = walk_.test.boundVariable;
    return bound && nest_.variable(*bound).name == text && !nest_.variable(*bound).isMutated &&
           !nest_.variable(*bound).escapes && (!nest_.variable(*bound).isGlobal || nest_.variable(*bound).isConstant);
  }

  std::string finals(const std::string &rounds) const {
    std::string text;
    for (const WalkedVariable &walked : walk_.walked)
      if (walked.isLive) {
        const std::string steps = walked.every > 1 ? "(" + rounds + " / " + std::to_string(walked.every) + ")" : rounds;
        text += walked.isPointer ? pointerAtEnd(walked, steps) : numberAtEnd(walked, steps);
      }
    return text;
  }

  std::string pointerAtEnd(const WalkedVariable &walked, const std::string &rounds) const {
    const bool isBelowZero = walked.step < 0 || walked.atEnd < 0;
    const bool isCast = !count_.isWide || (!count_.isSigned && isBelowZero);
    return walked.name +
           " += " + sumOf("", isCast ? castTo(walk_.differenceType, rounds) : rounds, walked.step, walked.atEnd) +
           ";\n";
  }

  std::string numberAtEnd(const WalkedVariable &walked, const std::string &rounds) const {
    if (count_.type == walked.type && (!walked.isSigned || std::abs(walked.step) == 1))
      return walked.name + " = " + sumOf(walked.name, rounds, walked.step, walked.atEnd) + ";\n";
    const std::string wide = walked.bits == 64 ? walk_.sizeType : walk_.differenceType;
    return walked.name + " = " +
           castTo(walked.type, sumOf(walked.name, castTo(wide, rounds), walked.step, walked.atEnd)) + ";\n";
  }

  bool isLive() const { return std::ranges::any_of(walk_.walked, &WalkedVariable::isLive); }
  bool isLeftLive() const { return isLive() && walk_.hasBreak; }

  /// Declares how many rounds there are, and how many are done if none of them leaves the loop. Returns the name of
  /// what holds the latter behind the loop.
  std::string declareRounds(const std::string &type, const std::string &rounds) {
    text_ += "const " + type + " " + rounds + " = " + count_.text + ";\n";
    if (!isLeftLive())
      return rounds;
    text_ += type + " " + done_ + " = " + rounds + ";\n";
    return done_;
  }

  void writeAround(const std::vector<Edit> &body) {
    text_ = applyEdits(nest_.text, walk_.range, body);
    if (!isLive())
      return;
    const std::string loop = std::move(text_);
    text_.clear();
    const std::string done = declareRounds(walk_.counterType, fresh_.make("rounds"));
    text_ += loop + "\n" + finals(done);
    wrap(false);
  }

  void writeLoop(const std::vector<Edit> &body) {
    std::string bound = count_.text, done;
    bool declares = false;
    if (walk_.isStartNeeded && window_.empty()) {
      std::string start(nest_.slice(walk_.start));
      while (!start.empty() && (start.back() == ';' || start.back() == ' '))
        start.pop_back();
      text_ += start + ";\n";
      declares = walk_.startDeclares;
    }
    if (!isFixed(bound) || isLive()) {
      bound = fresh_.make("rounds");
      done = declareRounds(count_.type, bound);
    }
    text_ += "for (" + count_.type + " " + counter_ + " = 0; " + counter_ + " < " + bound + "; ++" + counter_ + ") ";
    if (!walk_.conditions.empty())
      text_ += "{\n";
    for (const Range &condition : walk_.conditions)
      text_ += "if (!(" + applyEdits(nest_.text, condition, inside(condition, body)) + "))\n" + leaving_ + "\n";
    const std::string rest = applyEdits(nest_.text, walk_.body, inside(walk_.body, body));
    if (walk_.conditions.empty() || trim(rest) != ";")
      text_ += rest;
    if (!walk_.conditions.empty())
      text_ += "\n}";
    if (isLive())
      text_ += "\n" + finals(done);
    wrap(declares);
  }

  /// Several statements in the place of one, and names that the loop's header declared, need braces.
  void wrap(bool declares) {
    const bool isOne = text_.starts_with("for (") && !isLive();
    if (!isOne && (declares || !isInBlock(nest_.text, nest_.bodyBegin, walk_.range.begin)))
      text_ = "{\n" + text_ + "\n}";
  }

  const Walk &walk_;
  const RoundCount &count_;
  const Nest &nest_;
  FreshNames fresh_;
  std::int64_t testStep_;
  std::string counter_, text_;
  std::string window_;             ///< where the loop's own variable begins, if that is written in its place
  std::string leaving_ = "break;"; ///< what a condition that does not hold does
  std::string done_;               ///< the number of rounds when a `break` leaves the loop; empty if nothing needs it
};

} // namespace

std::vector<Edit> writeCounted(const Walk &walk, const RoundCount &count, const Nest &nest) {
  return CountedWriter(walk, count, nest).run();
}

} // namespace agentic::moves
