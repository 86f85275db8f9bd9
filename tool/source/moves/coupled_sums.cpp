// coupled-sums(i, lanes=32): sums that depend on each other (checksums, hashes) are gathered in lanes, each for every
// 32nd iteration, and put together at the end.
//
//   for (i …) {                     →   for (i0 …; i0 += kLanesI) {
//     a = (a + p[i]) % 65521;             bSum += 32 * aSum;        // what was there before
//     b = (b + a) % 65521;                for (ii …) {
//   }                                       bLane[ii] += aLane[ii];
//                                           aLane[ii] += p[i0 + ii];
//                                         }
//                                       }
//                                       for (ii …) { b = b + a + aLane[ii] + 32 * bLane[ii]; a += aLane[ii]; }
//
// One iteration maps the scalars s to A s + B x: A and B are constant, x is what the loop reads. A block of L
// iterations maps them to A^L s + (sum over j of A^(L-1-j) B x[j]). A lane z[j] gathers its own x[j], by z[j] = A^L
// z[j] + B x[j], and the sum over j of A^(L-1-j) z[j] is added once, by Horner's rule.
//
// Precondition: the loop does nothing else, and all scalars are integers of one type of 32 or 64 bits. They wrap
// (signed ones are computed in the unsigned type), or every one of them is a remainder by the same constant at the end
// of an iteration, and nothing wraps on the way to it. Then the lanes need no remainder for as many blocks as they hold
// without wrapping; a state that is no remainder before the loop has the loop as written.
#include "tool/source/moves/coupled_sums.h"
#include "tool/source/loops/reduction.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <expected>

namespace agentic::moves {
namespace {

constexpr int kMostCoupledLanes = 128;

int iterationsOf(const CoupledSums &plan, int lanes) {
  return lanes / static_cast<int>(plan.rolled);
}

/// Returns the plan for so many lanes, or why there is none.
std::expected<LanePlan, std::string> lanesFor(const Nest &nest, const Loop &loop, const CoupledSums &plan, int count) {
  if (static_cast<std::size_t>(count) % plan.rolled != 0)
    return std::unexpected(std::to_string(count) + " lanes are no multiple of the " + std::to_string(plan.rolled) +
                           " elements of an iteration");
  if (std::string reason = whyNotCut(nest, loop, std::max(2, iterationsOf(plan, count))); !reason.empty())
    return std::unexpected(std::move(reason));
  const std::optional<LanePlan> lanes = planLanes(plan, count);
  if (!lanes)
    return std::unexpected("64 bits do not hold the sums of enough iterations without a remainder");
  if (lanes->blocks != 0 && loop.lowerValue.isSigned && !(loop.lowerConstant && *loop.lowerConstant >= 0))
    return std::unexpected("'" + loop.name + "' may be negative"); // the distance to the end might overflow
  return *lanes;
}

void offerCoupledSums(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const auto refuse = [&](const std::string &reason) {
      result.refusals.push_back({"coupled-sums", loop->name, reason});
    };
    const CoupledSums plan = planCoupledSums(context.nest, *loop);
    if (!plan.problem.empty()) {
      refuse(plan.problem);
      continue;
    }
    if (isRestOfBlocks(context.nest, *loop)) {
      refuse("it only does what blocks left over");
      continue;
    }
    std::vector<int> lanes;
    std::string reason;
    for (const int count : {32, 64, 16, 128}) {
      if (const auto planned = lanesFor(context.nest, *loop, plan, count))
        lanes.push_back(count);
      else
        reason = planned.error();
    }
    if (lanes.empty())
      refuse(reason);
    else
      result.offers.push_back({"coupled-sums", loop->name, {{"lanes", std::move(lanes)}}});
  }
}

/// The loop's new text, piece by piece.
class CoupledSumsWriting {
public:
  CoupledSumsWriting(const Nest &nest, const Loop &loop, const CoupledSums &plan, const LanePlan &lanes, int laneCount)
      : nest_(nest), loop_(loop), plan_(plan), lanes_(lanes), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, iterationsOf(plan, laneCount), plan.rolled > 1 ? "kBlock" : "kLanes",
                     plan.rolled > 1 ? "iterations side by side" : "sums side by side", names_, guard())),
        lane_(laneName(nest, loop, names_)), count_(plan.rolled > 1 ? std::to_string(laneCount) : cut_.size) {
    wide_ = plan.modulus != 0 ? wrappingType(64) : wrappingType(plan.bits);
    narrow_ = wrappingType(lanes_.bits);
    for (const VariableId id : plan.states) {
      const std::string &name = nest.variable(id).name;
      sums_.push_back(names_.make(name + "Sum"));
      copies_.push_back(names_.make(name + "Lane"));
      totals_.push_back(names_.make(name + "Total"));
    }
    for (std::size_t i = 0; i < plan.inputs.size(); ++i)
      inputs_.push_back(names_.make(plan.inputs.size() > 1 ? "added" + std::to_string(i) : "added"));
    if (lanes_.blocks != 0)
      block_ = names_.make("block");
  }

  std::string text() {
    std::string body = starts();
    body += blocks(); // names the lanes
    body += together();
    if (lanes_.blocks != 0)
      return "{\n" + cut_.declarations + "for (" + cut_.type + " " + cut_.start + " = " + cut_.first + "; " +
             cut_.start + " < " + cut_.end + ";) {\n" + body + "}\n" + cut_.rest + "}";
    return "{\n" + cut_.declarations + body + cut_.rest + "}";
  }

private:
  const std::string &nameOf(std::size_t state) const { return nest_.variable(plan_.states[state]).name; }

  /// Returns the condition under which all states are remainders.
  std::string guard() const {
    std::string text;
    for (std::size_t i = 0; plan_.modulus != 0 && i < plan_.states.size(); ++i) {
      const std::string name = nameOf(i);
      text += (text.empty() ? "" : " && ") + (plan_.areSigned ? name + " >= 0 && " : "") + name + " < " +
              std::to_string(plan_.modulus);
    }
    return text;
  }

  std::string number(std::uint64_t value) const {
    const std::uint64_t shown = plan_.modulus == 0 && plan_.bits == 32 ? static_cast<std::uint32_t>(value) : value;
    return std::to_string(shown) + (shown > INT32_MAX ? shown > UINT32_MAX ? "ull" : "u" : "");
  }

  /// Returns "3 * a + b" for a row of the matrix and these names.
  std::string row(const std::vector<std::uint64_t> &factors, const std::vector<std::string> &names) const {
    std::string text;
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (factors[i] != 0)
        text += (text.empty() ? "" : " + ") + (factors[i] == 1 ? "" : number(factors[i]) + " * ") + names[i];
    return text;
  }

  std::string laneLoop() const {
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + count_ + "; ++" + lane_ + ")";
  }

  std::string starts() const {
    std::string text;
    for (std::size_t i = 0; i < sums_.size(); ++i)
      text += wide_ + " " + sums_[i] + " = " + castTo(wide_, nameOf(i)) + ";\n";
    for (const std::string &copy : copies_)
      text += narrow_ + " " + copy + "[" + count_ + "] = {};\n";
    return text;
  }

  /// Returns statements that replace `names` by matrix * names + `added`. A row that only needs its own old value and
  /// values that are still old comes first; the others have their old values kept.
  std::string advanced(const Matrix &matrix, const std::vector<std::string> &names,
                       const std::vector<std::string> &added) {
    std::vector<std::size_t> left(names.size());
    for (std::size_t i = 0; i < left.size(); ++i)
      left[i] = i;
    std::string text;
    while (!left.empty()) {
      const auto isFree = [&](std::size_t state) {
        return std::ranges::none_of(left,
                                    [&](std::size_t other) { return other != state && matrix[other][state] != 0; });
      };
      const auto free = std::ranges::find_if(left, isFree);
      if (free == left.end())
        return text + advancedAtOnce(matrix, names, added, left);
      text += update(matrix[*free], *free, names, added[*free]);
      left.erase(free);
    }
    return text;
  }

  std::string update(std::vector<std::uint64_t> factors, std::size_t state, const std::vector<std::string> &names,
                     const std::string &added) const {
    const bool keeps = factors[state] == 1;
    if (keeps)
      factors[state] = 0;
    std::string value = row(factors, names);
    if (!added.empty())
      value += (value.empty() ? "" : " + ") + added;
    if (keeps && value.empty())
      return {};
    return names[state] + (keeps ? " += " : " = ") + (value.empty() ? "0" : value) + ";\n";
  }

  std::string advancedAtOnce(const Matrix &matrix, const std::vector<std::string> &names,
                             const std::vector<std::string> &added, const std::vector<std::size_t> &states) {
    std::string values, stores;
    for (const std::size_t state : states) {
      const std::string next = names_.make("next");
      const std::string value = row(matrix[state], names);
      values += "const " + (&names == &laneNames_ ? narrow_ : wide_) + " " + next + " = " +
                (value.empty() ? "0" : value) + (added[state].empty() ? "" : " + " + added[state]) + ";\n";
      stores += names[state] + " = " + next + ";\n";
    }
    return values + stores;
  }

  std::string blocks() {
    const std::vector<std::string> none(sums_.size());
    for (const std::string &copy : copies_)
      laneNames_.push_back(copy + "[" + lane_ + "]");
    std::vector<std::string> added;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      std::vector<std::uint64_t> factors;
      for (const std::vector<std::uint64_t> &weights : lanes_.added)
        factors.push_back(weights[i]);
      added.push_back(row(factors, inputs_));
    }
    const std::string header = lanes_.blocks == 0
                                   ? cut_.blockHeader
                                   : "// Put together before a lane wraps.\nfor (int " + block_ + " = 0; " + block_ +
                                         " < " + std::to_string(lanes_.blocks) + " && " + cut_.start + " < " +
                                         cut_.end + "; ++" + block_ + ", " + cut_.start + " += " + cut_.size + ")";
    return header + " {\n" + advanced(lanes_.power, sums_, none) + laneLoop() + " {\n" + readInputs() +
           advanced(lanes_.advance, laneNames_, added) + "}\n}\n";
  }

  /// Returns the first element of the block's first iteration with the lane in its subscript.
  std::string behindFirst() const {
    const std::string &first = plan_.inputs.front().text;
    std::size_t open = first.size();
    for (int depth = 0; open-- > 0;) {
      depth += first[open] == ']' ? 1 : first[open] == '[' ? -1 : 0;
      if (depth == 0)
        break;
    }
    const std::string subscript = first.substr(open + 1, first.size() - open - 2);
    return first.substr(0, open) + "[(" + subscript + ") + " + lane_ + "]";
  }

  std::string readInputs() const {
    const std::string &variable = nest_.variable(loop_.variable).name;
    std::string text;
    if (plan_.rolled > 1) {
      text += "const " + cut_.type + " " + variable + " = " + cut_.start + ";\n";
      return text + "const " + narrow_ + " " + inputs_.front() + " = " + castTo(narrow_, behindFirst()) + ";\n";
    }
    text += "const " + cut_.type + " " + variable + " = " + cut_.start + " + " + lane_ + ";\n";
    for (const Statement *statement : plan_.kept)
      text += std::string(nest_.slice(statement->range)) + "\n";
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const LinearInput &input = plan_.inputs[i];
      // A conversion on the way changes nothing unless it drops bits or turns a negative number into another one.
      const bool isDirect = input.largest || input.bits >= lanes_.bits;
      text += "const " + narrow_ + " " + inputs_[i] + " = " +
              castTo(narrow_, isDirect ? input.text : castTo(input.type, input.text)) + ";\n";
    }
    return text;
  }

  /// Horner's rule over the lanes, then what was there before.
  std::string together() {
    std::string text;
    for (const std::string &total : totals_)
      text += wide_ + " " + total + " = 0;\n";
    std::vector<std::string> laneValues;
    for (const std::vector<std::uint64_t> &factors : lanes_.basis) {
      std::string value;
      for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i] != 0)
          value += (value.empty() ? "" : " + ") +
                   (factors[i] == 1 ? laneNames_[i]
                                    : number(factors[i]) + " * " +
                                          (narrow_ == wide_ ? laneNames_[i] : castTo(wide_, laneNames_[i])));
      laneValues.push_back(value);
    }
    text += laneLoop() + " {\n" + advanced(plan_.step, totals_, laneValues) + "}\n";
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const std::string sum = sums_[i] + " + " + totals_[i];
      const std::string value = plan_.modulus != 0 ? "(" + sum + ") % " + std::to_string(plan_.modulus) : sum;
      text += nameOf(i) + " = " + castTo(nest_.variable(plan_.states[i]).type, value) + ";\n";
    }
    return text;
  }

  const Nest &nest_;
  const Loop &loop_;
  const CoupledSums &plan_;
  const LanePlan &lanes_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, count_, wide_, narrow_, block_;
  std::vector<std::string> sums_, copies_, totals_, inputs_, laneNames_;
};

std::vector<std::string> whyCoupledLegal(const Nest &nest, const Loop &loop, const CoupledSums &plan) {
  std::string names;
  for (const VariableId id : plan.states)
    names += (names.empty() ? "'" : ", '") + nest.variable(id).name + "'";
  return {"Every iteration of '" + loop.name + "' makes " + names +
              " sums of each other and of what it reads, with constant factors;",
          "every lane gathers its own iterations, which are weighted where the lanes are put together.",
          plan.modulus != 0 ? "Remainders are taken late: nothing wraps before."
                            : "Sums of integers wrap, and do not depend on their order."};
}

Result<Rewrite> rewriteCoupledSums(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto lanes = TRY(parameterOf(step, "lanes", 2, kMostCoupledLanes));
  const Nest &nest = context.nest;
  const CoupledSums plan = planCoupledSums(nest, *loop);
  if (!plan.problem.empty())
    return illegalStep(step, plan.problem);
  const auto planned = lanesFor(nest, *loop, plan, lanes);
  if (!planned)
    return illegalStep(step, planned.error());
  return Rewrite{{{loop->range, CoupledSumsWriting(nest, *loop, plan, *planned, lanes).text()}},
                 whyCoupledLegal(nest, *loop, plan)};
}

} // namespace

const Move kCoupledSums = {"coupled-sums", offerCoupledSums, nullptr, rewriteCoupledSums};

} // namespace agentic::moves
