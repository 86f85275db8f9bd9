// split-reduction(p, lanes=32): gives the scalars that a loop accumulates one copy per lane, so that neighbouring
// iterations do not wait for each other and compilers see lanes of a vector.
//
//   for (p …) sum += a[p] * b[p];   →   float sumLane[kLanesP] = {};
//                                       for (p0 …; p0 += kLanesP)
//                                         for (pp …) sumLane[pp] += a[p0 + pp] * b[p0 + pp];
//                                       for (pp …) sum += sumLane[pp];
//                                       for (p = pEnd …) sum += a[p] * b[p]; // the rest
//
// form=1 has a sum of its own for every block, whose lanes are added in pairs at once: for short loops. form=2 has no
// rest: lanes without an iteration in the last block are skipped.
//
// Precondition: every scalar that passes between iterations is only accumulated: by one of + * & | ^, the smallest or
// the largest, in one way. Integers: always, in a type whose sums may wrap. Floating point: where the contract permits
// another order; the smallest and largest then still treat NaN as written, or are refused. Iterations keep their order,
// so that the loop's other work stays the same.
#include "tool/source/loops/reduction.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>

namespace agentic::moves {
namespace {

constexpr int kMostSumLanes = 256;
constexpr int kLanes = 0, kPairs = 1, kGuarded = 2; // values of `form`

bool keepsSpecialValues(const MoveContext &context) {
  return context.contract && context.contract->specialValues;
}

/// Returns why a form does not suit the loop; empty if it does.
std::string whyNotForm(const Loop &loop, const Reductions &reductions, int form, int lanes) {
  const bool isOrdered = std::ranges::any_of(
      reductions.accumulators, [](const Accumulator &accumulator) { return accumulator.isMin || accumulator.isMax; });
  if (form == kPairs && (isOrdered || (lanes & (lanes - 1)) != 0))
    return "form=1 is for sums and products, and a power of two of lanes";
  const Expression &variable = loop.lowerValue;
  if (form == kGuarded && (variable.isSigned || variable.bits != 64))
    return "form=2 counts in 64 bits without sign, and the variable is of type " + variable.type;
  return {};
}

void offerSplitReduction(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const auto refuse = [&](const std::string &reason) {
      result.refusals.push_back({"split-reduction", loop->name, reason});
    };
    const Reductions reductions =
        reductionsOf(context.nest, *loop, context.mayReassociate, keepsSpecialValues(context));
    if (!reductions.problem.empty()) {
      refuse(reductions.problem);
      continue;
    }
    if (isRestOfBlocks(context.nest, *loop)) {
      refuse("it only does what blocks left over");
      continue;
    }
    const auto trips = constantTrips(*loop);
    std::vector<int> lanes;
    // Lanes of loops are copies of a body, not elements of a vector. A loop that does not begin at a constant is mostly
    // part of something, such as a row of a sparse matrix: short.
    const bool isPiece = !loop->lowerConstant;
    for (const int count : containsLoop(*loop) ? std::vector{4, 8, 2}
                           : isPiece           ? std::vector{8, 16, 4, 32, 64}
                                               : std::vector{64, 32, 16, 8, 4, 128})
      if (whyNotCut(context.nest, *loop, count).empty() && (!trips || *trips >= 2 * count))
        lanes.push_back(count);
    if (!lanes.empty()) {
      std::vector<int> forms;
      for (const int form : containsLoop(*loop) ? std::vector{kLanes}
                            : isPiece           ? std::vector{kPairs, kGuarded, kLanes}
                                                : std::vector{kLanes, kPairs, kGuarded})
        if (whyNotForm(*loop, reductions, form, lanes.front()).empty())
          forms.push_back(form);
      result.offers.push_back(
          {"split-reduction", loop->name, {{"form", std::move(forms)}, {"lanes", std::move(lanes)}}});
      continue;
    }
    const std::string reason = whyNotCut(context.nest, *loop, 2);
    refuse(reason.empty() ? "it has only " + std::to_string(*trips) + " iterations" : reason);
  }
}

/// The loop's new text, piece by piece.
class SplitReductionWriting {
public:
  SplitReductionWriting(const Nest &nest, const Loop &loop, int lanes, int form, const Reductions &reductions)
      : nest_(nest), loop_(loop), lanes_(lanes), form_(form), reductions_(reductions),
        names_(nest.surroundings + nest.text), cut_(cutLoop(nest, loop, lanes, "kLanes", "sums side by side", names_)),
        lane_(laneName(nest, loop, names_)) {
    for (const Accumulator &accumulator : reductions.accumulators) {
      copies_.push_back(names_.make(nameOf(accumulator) + "Lane"));
      befores_.push_back(names_.make(nameOf(accumulator) + "Before"));
    }
    half_ = names_.make("half");
    count_ = names_.make(variable() + "Count");
  }

  std::string text() const {
    const std::string declared = "const " + cut_.type + " " + variable() + " = ", at = cut_.start + " + " + lane_;
    if (form_ == kGuarded)
      return "{\n" + values() + cut_.constant + starts() + guardedHeader() + laneLoop() + "\nif (" + at + " < " +
             count() + ") {\n" + declared + (hasFirst() ? cut_.first + " + (" + at + ")" : at) + ";\n" + body() +
             "}\n" + combinations() + again() + "}";
    const std::string lanes = laneLoop() + " {\n" + declared + at + ";\n" + body() + "}\n";
    if (form_ == kPairs)
      return "{\n" + cut_.declarations + cut_.blockHeader + " {\n" + starts() + lanes + pairs() + "}\n" + cut_.rest +
             "}"; // not for the smallest or the largest
    return "{\n" + values() + cut_.declarations + starts() + cut_.blockHeader + "\n" + lanes + combinations() +
           cut_.rest + again() + "}";
  }

private:
  const std::string &nameOf(const Accumulator &accumulator) const { return nest_.variable(accumulator.variable).name; }

  const std::string &variable() const { return nest_.variable(loop_.variable).name; }

  bool hasFirst() const { return loop_.lowerConstant != 0; }
  std::string count() const { return hasFirst() ? count_ : cut_.last; }

  /// Counts from 0, so that no sum wraps before 2^64 iterations are done.
  std::string guardedHeader() const {
    const std::string last = cut_.last, distance = last + " - " + cut_.first;
    return (hasFirst()
                ? "const " + cut_.type + " " + count_ + " = " + last + " > " + cut_.first + " ? " + distance + " : 0;\n"
                : "") +
           "for (" + cut_.type + " " + cut_.start + " = 0; " + cut_.start + " < " + count() + "; " + cut_.start +
           " += " + cut_.size + ")\n";
  }

  /// Returns the only part that is added to a copy, if there is one: in a block of its own it may be the first value.
  const Accumulator::Part *onlyPart(const Accumulator &accumulator) const {
    if (form_ != kPairs || accumulator.parts.size() != 1 || accumulator.isInteger)
      return nullptr;
    const Accumulator::Part &part = accumulator.parts.front();
    const bool isOwn =
        std::ranges::any_of(loop_.body, [&](const Statement &statement) { return &statement == part.statement; });
    return isOwn && part.update.value && !part.update.isNegated ? &part : nullptr;
  }

  std::string pairs() const {
    std::string text;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const auto at = [&](const std::string &place) { return copies_[i] + "[" + place + "]"; };
      const Accumulator &accumulator = reductions_.accumulators[i];
      text += "for (" + cut_.type + " " + half_ + " = " + cut_.size + " / 2; " + half_ + " > 0; " + half_ + " /= 2)\n" +
              laneLoop(half_) + "\n" + combineCopies(accumulator, at(lane_), at(lane_ + " + " + half_)) + "\n" +
              combineText(accumulator, nameOf(accumulator), at("0")) + "\n";
    }
    return text;
  }

  std::string laneLoop(const std::string &limit = {}, const std::string &step = {}) const {
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + (limit.empty() ? cut_.size : limit) + "; " +
           (step.empty() ? "++" + lane_ : lane_ + " += " + step) + ")";
  }

  std::string starts() const {
    std::string text, loop;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const Accumulator &accumulator = reductions_.accumulators[i];
      const bool isSet = onlyPart(accumulator) != nullptr;
      const std::string value = isSet ? "" : startValue(accumulator, nameOf(accumulator));
      text += accumulator.laneType + " " + copies_[i] + "[" + cut_.size + "]" +
              (value.empty() && !isSet ? " = {}" : "") + ";\n";
      if (!value.empty())
        loop += copies_[i] + "[" + lane_ + "] = " + value + ";\n";
    }
    return loop.empty() ? text : text + laneLoop() + "{\n" + loop + "}\n";
  }

  std::string body() const {
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < copies_.size(); ++i)
      for (const Accumulator::Part &part : reductions_.accumulators[i].parts)
        edits.push_back(
            {part.statement->range, updated(reductions_.accumulators[i], part, copies_[i] + "[" + lane_ + "]")});
    return bodyText(nest_, loop_, std::move(edits));
  }

  std::string updated(const Accumulator &accumulator, const Accumulator::Part &part, const std::string &copy) const {
    return onlyPart(accumulator) == &part ? copy + " = " + assignedText(nest_, *part.update.value) + ";"
                                          : updateText(nest_, accumulator, part, copy);
  }

  bool runsAgain() const { return std::ranges::any_of(reductions_.accumulators, &Accumulator::isZeroOrdered); }

  /// Declares what again() begins with.
  std::string values() const {
    std::string text;
    for (std::size_t i = 0; runsAgain() && i < befores_.size(); ++i)
      text += "const " + reductions_.accumulators[i].type + " " + befores_[i] + " = " +
              nameOf(reductions_.accumulators[i]) + ";\n";
    return text;
  }

  /// Writes the loop as it was, for results that are 0.
  std::string again() const {
    if (!runsAgain())
      return {};
    std::string conditions, values;
    for (std::size_t i = 0; i < befores_.size(); ++i) {
      const Accumulator &accumulator = reductions_.accumulators[i];
      if (accumulator.isZeroOrdered)
        conditions += (conditions.empty() ? "" : " || ") + nameOf(accumulator) + " == 0";
      values += nameOf(accumulator) + " = " + befores_[i] + ";\n";
    }
    return "// Which zero is the first one depends on the order.\nif (__builtin_expect(" + conditions + ", 0)) {\n" +
           values + std::string(nest_.slice(loop_.range)) + "\n}\n";
  }

  /// Writes a short chain of dependent operations, in the form for which both compilers keep the lanes in vectors.
  std::string combinations() const {
    constexpr int kFolded = 8, kGroup = 4;
    std::string text;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const Accumulator &accumulator = reductions_.accumulators[i];
      const auto at = [&](const std::string &place) { return copies_[i] + "[" + place + "]"; };
      const std::string name = nameOf(accumulator);
      const bool isSum = !accumulator.isInteger && !accumulator.isMin && !accumulator.isMax;
      std::string count;
      if (!accumulator.isInteger && lanes_ >= 64 && lanes_ % kFolded == 0) {
        count = std::to_string(kFolded);
        text += "for (" + cut_.type + " " + cut_.start + " = " + count + "; " + cut_.start + " < " + cut_.size + "; " +
                cut_.start + " += " + count + ")\n" + laneLoop(count) + "\n" +
                combineCopies(accumulator, at(lane_), at(cut_.start + " + " + lane_)) + "\n";
      } else if (isSum && lanes_ % kGroup == 0) {
        const std::string symbol = operatorOf(accumulator), op = " " + symbol + " ";
        text += laneLoop({}, std::to_string(kGroup)) + "\n" + name + " " + symbol + "= (" + at(lane_) + op +
                at(lane_ + " + 1") + ")" + op + "(" + at(lane_ + " + 2") + op + at(lane_ + " + 3") + ");\n";
        continue;
      }
      text += laneLoop(count) + "\n" + combineText(accumulator, name, at(lane_)) + "\n";
    }
    return text;
  }

  const Nest &nest_;
  const Loop &loop_;
  int lanes_, form_;
  const Reductions &reductions_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, half_, count_;
  std::vector<std::string> copies_, befores_;
};

std::vector<std::string> whyLegal(const Nest &nest, const Loop &loop, const Reductions &reductions) {
  std::string names;
  bool hasFloating = false, runsAgain = false;
  for (const Accumulator &accumulator : reductions.accumulators) {
    names += (names.empty() ? "'" : ", '") + nest.variable(accumulator.variable).name + "'";
    runsAgain |= accumulator.isZeroOrdered;
    hasFloating |= !accumulator.isInteger && !accumulator.isOrderFree && !accumulator.isZeroOrdered;
  }
  std::vector<std::string> why = {"Every lane of '" + loop.name + "' has its own copy of " + names +
                                  ", which the loop does nothing else with;"};
  if (runsAgain)
    why.push_back(
        "the order of a search decides only which of two zeros it finds, so that the loop runs again for a 0" +
        std::string(hasFloating ? ";" : "."));
  if (hasFloating)
    why.push_back("the contract permits the other order in which floating-point numbers are then combined.");
  else if (!runsAgain)
    why.push_back("the order in which they are combined does not change what they come to.");
  return why;
}

Result<Rewrite> rewriteSplitReduction(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto lanes = TRY(parameterOf(step, "lanes", 2, kMostSumLanes));
  const auto form = TRY(parameterOf(step, "form", 0, 2, 0));
  const Nest &nest = context.nest;
  const Reductions reductions = reductionsOf(nest, *loop, context.mayReassociate, keepsSpecialValues(context));
  if (!reductions.problem.empty())
    return illegalStep(step, reductions.problem);
  if (const std::string reason = whyNotCut(nest, *loop, lanes); !reason.empty())
    return illegalStep(step, reason);
  if (const std::string reason = whyNotForm(*loop, reductions, form, lanes); !reason.empty())
    return illegalStep(step, reason);
  return Rewrite{{{loop->range, SplitReductionWriting(nest, *loop, lanes, form, reductions).text()}},
                 whyLegal(nest, *loop, reductions)};
}

} // namespace

const Move kSplitReduction = {"split-reduction", offerSplitReduction, nullptr, rewriteSplitReduction};

} // namespace agentic::moves
