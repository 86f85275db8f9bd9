// split-reduction(p, lanes=32): the scalars that a loop accumulates get one copy per lane, so that neighbouring
// iterations do not wait for each other and compilers see lanes of a vector.
//
//   for (p …) sum += a[p] * b[p];   →   float sumLane[kLanesP] = {};
//                                       for (p0 …; p0 += kLanesP)
//                                         for (pp …) sumLane[pp] += a[p0 + pp] * b[p0 + pp];
//                                       for (pp …) sum += sumLane[pp];
//                                       for (p = pEnd …) sum += a[p] * b[p]; // the rest
//
// Precondition: every scalar that lives on between iterations is only accumulated: by one of + * & | ^, the smallest or
// the largest, in one way. Integers: always, in a type whose sums may wrap. Floating point: where the contract permits
// another order; the smallest and largest then still treat NaN as written, or are refused. Iterations keep their order,
// so that whatever else the loop does stays what it was.
#include "tool/source/moves/block_cut.h"
#include "tool/source/moves/move.h"
#include "tool/source/moves/reduction.h"

#include <algorithm>

namespace agentic::moves {
namespace {

constexpr int kMostLanes = 256;

bool keepsSpecialValues(const MoveContext &context) {
  return context.contract && context.contract->specialValues;
}

std::optional<std::int64_t> tripsOf(const Loop &loop) {
  const auto upper = loop.upperBound ? loop.upperBound->asConstant() : std::nullopt;
  return upper && loop.lowerConstant ? std::optional(*upper - *loop.lowerConstant) : std::nullopt;
}

void offer(const MoveContext &context, const Schedule &, MoveOffers &result) {
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
    const auto trips = tripsOf(*loop);
    std::vector<int> lanes;
    // Lanes of loops are copies of a body, not elements of a vector.
    for (const int count : containsLoop(*loop) ? std::vector{4, 8, 2} : std::vector{64, 32, 16, 8, 4, 128})
      if (whyNotCut(context.nest, *loop, count).empty() && (!trips || *trips >= 2 * count))
        lanes.push_back(count);
    if (!lanes.empty()) {
      result.offers.push_back({"split-reduction", loop->name, {{"lanes", std::move(lanes)}}});
      continue;
    }
    const std::string reason = whyNotCut(context.nest, *loop, 2);
    refuse(reason.empty() ? "it has only " + std::to_string(*trips) + " iterations" : reason);
  }
}

/// The loop's new text, piece by piece.
class Writing {
public:
  Writing(const Nest &nest, const Loop &loop, int lanes, const Reductions &reductions)
      : nest_(nest), loop_(loop), lanes_(lanes), reductions_(reductions), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, lanes, "kLanes", "sums side by side", names_)), lane_(laneName(nest, loop, names_)) {
    for (const Accumulator &accumulator : reductions.accumulators)
      copies_.push_back(names_.make(nameOf(accumulator) + "Lane"));
  }

  std::string text() const {
    const std::string &variable = nest_.variables[static_cast<std::size_t>(loop_.variable)].name;
    return "{\n" + cut_.declarations + starts() + cut_.blockHeader + "\n" + laneLoop() + " {\nconst " + cut_.type +
           " " + variable + " = " + cut_.start + " + " + lane_ + ";\n" + body() + "}\n" + combinations() + cut_.rest +
           "}";
  }

private:
  const std::string &nameOf(const Accumulator &accumulator) const {
    return nest_.variables[static_cast<std::size_t>(accumulator.variable)].name;
  }

  std::string laneLoop(const std::string &limit = {}, const std::string &step = {}) const {
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + (limit.empty() ? cut_.size : limit) + "; " +
           (step.empty() ? "++" + lane_ : lane_ + " += " + step) + ")";
  }

  std::string starts() const {
    std::string text, loop;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const Accumulator &accumulator = reductions_.accumulators[i];
      const std::string value = startValue(accumulator, nameOf(accumulator));
      text += accumulator.laneType + " " + copies_[i] + "[" + cut_.size + "]" + (value.empty() ? " = {}" : "") + ";\n";
      if (!value.empty())
        loop += copies_[i] + "[" + lane_ + "] = " + value + ";\n";
    }
    return loop.empty() ? text : text + laneLoop() + "{\n" + loop + "}\n";
  }

  std::string body() const {
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < copies_.size(); ++i)
      for (const Accumulator::Part &part : reductions_.accumulators[i].parts)
        edits.push_back({part.statement->range,
                         updateText(nest_, reductions_.accumulators[i], part, copies_[i] + "[" + lane_ + "]")});
    return bodyText(nest_, loop_, std::move(edits));
  }

  /// A short chain of dependent operations, in the form that either compiler leaves the lanes in vectors for.
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
  int lanes_;
  const Reductions &reductions_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_;
  std::vector<std::string> copies_;
};

std::vector<std::string> whyLegal(const Nest &nest, const Loop &loop, const Reductions &reductions) {
  std::string names;
  bool hasFloating = false;
  for (const Accumulator &accumulator : reductions.accumulators) {
    names += (names.empty() ? "'" : ", '") + nest.variables[static_cast<std::size_t>(accumulator.variable)].name + "'";
    hasFloating |= !accumulator.isInteger;
  }
  return {"Every lane of '" + loop.name + "' has its own copy of " + names + ", which the loop does nothing else with;",
          hasFloating ? "the contract permits the other order in which floating-point numbers are then combined."
                      : "the order in which integers are combined does not change what they come to."};
}

Result<Rewrite> rewrite(const MoveContext &context, const MoveStep &step) {
  const auto loop = targetLoop(context, step);
  if (!loop)
    return std::unexpected(loop.error());
  const auto lanes = parameterOf(step, "lanes", 2, kMostLanes);
  if (!lanes)
    return std::unexpected(lanes.error());
  const Nest &nest = context.nest;
  const Reductions reductions = reductionsOf(nest, **loop, context.mayReassociate, keepsSpecialValues(context));
  if (!reductions.problem.empty())
    return illegalStep(step, reductions.problem);
  if (const std::string reason = whyNotCut(nest, **loop, *lanes); !reason.empty())
    return illegalStep(step, reason);
  return Rewrite{{{(*loop)->range, Writing(nest, **loop, *lanes, reductions).text()}},
                 whyLegal(nest, **loop, reductions)};
}

} // namespace

const Move kSplitReduction = {"split-reduction", offer, nullptr, rewrite};

} // namespace agentic::moves
