// split-scan(i, block=16): computes a running sum whose every value is used for a block at once, in a vector: adds to
// each value those 1, 2, 4, … places before it, which may be in the block before; that makes the sums of the last 16
// values. To these it adds the sum 16 places before.
//
//   for (i …) {            →   for (i0 …; i0 += kBlockI) {
//     sum += x[i];               for (ii …) sumRun[ii] = x[i0 + ii];
//     y[i] = sum;                part = sumRun; part2 = part + part shifted by 1; part4 = part2 + part2 shifted by 2; …
//   }                            sums += part16; sumRun = sums;
//                                for (ii …) y[i0 + ii] = sumRun[ii];
//                              }
//
// A sum that is multiplied in each iteration, `s = a * s + x[i]` and `s += a * (x[i] - s)`, likewise, with powers of
// the factor: part2 = part + a * part shifted by 1; part4 = part2 + a² * part2 shifted by 2; …
//
// Nothing is shifted in but values: Zen 5 takes some ten cycles for each expanding move that Clang chooses for zeros.
//
// Precondition: one scalar passes between iterations: it is added to once, in the loop's own body, and only read after
// that; everything else is declared in the body or memory, and the added values do not depend on memory that the loop
// writes, unless it is the iteration's own element. Integers of 32 or 64 bits: always, since they wrap; floating point
// where the contract permits another order and does not require the sign of zeros, and factors, which the loop leaves
// alone, in blocks only where their magnitude is at most 1: else powers overflow and errors grow. `s += a * (x[i] - s)`
// in floating point only where the contract excludes infinities: as written, the difference of two of them is NaN.
#include "tool/source/moves/split_scan.h"
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/reduction.h"
#include "tool/source/schedule/block_cut.h"

#include <string>
#include <vector>

namespace agentic::moves {
namespace {

void offerSplitScan(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const Scan scan = planScan(context, *loop);
    std::string reason = scan.problem.empty() ? whyNotCut(context.nest, *loop, 4) : scan.problem;
    if (reason.empty() && isRestOfBlocks(context.nest, *loop))
      reason = "it only does what blocks left over";
    if (!reason.empty()) {
      result.refusals.push_back({"split-scan", loop->name, reason});
      continue;
    }
    // One register is best: 64 bytes if the level has such.
    const bool isWide = context.level.empty() || context.level == "x86-64-v4";
    const std::vector<int> sizes = isWide == (scan.bytes == 4) ? std::vector{16, 8, 4, 32}
                                   : isWide                    ? std::vector{8, 4, 16}
                                                               : std::vector{4, 8, 2};
    result.offers.push_back({"split-scan", loop->name, {{"block", sizes}}});
  }
}

class SplitScanWriting {
public:
  SplitScanWriting(const Nest &nest, const Loop &loop, int block, const Scan &scan, bool forGcc)
      : nest_(nest), loop_(loop), block_(block), scan_(scan), names_(nest.surroundings + nest.text),
        sum_(nest.variable(scan.sum).name), factor_(scan.factor ? names_.make(sum_ + "Factor") : ""),
        cut_(cutLoop(nest, loop, block, "kBlock", "running sums side by side", names_,
                     scan.factor && !scan.isInteger ? factor_ + " * " + factor_ + " <= 1" : "")),
        lane_(laneName(nest, loop, names_)), run_(names_.make(sum_ + "Run")), lanes_(names_.make("Lanes")),
        sums_(names_.make("sums")), keepLoop_(keepLaneLoop(forGcc)) {
    for (int width = 1; width < block; width *= 2) {
      parts_.push_back(names_.make(width == 1 ? "part" : "part" + std::to_string(width)));
      lasts_.push_back(names_.make(width == 1 ? "last" : "last" + std::to_string(width)));
      powers_.push_back(scan.factor && width > 1 ? names_.make(factor_ + std::to_string(width)) : factor_);
    }
    whole_ = names_.make("part" + std::to_string(block));
    powers_.push_back(scan.factor ? names_.make(factor_ + std::to_string(block)) : "");
  }

  std::string text() const {
    const std::string last = sums_ + "[" + cut_.size + " - 1]";
    std::string text = "{\n" + factorText() + cut_.declarations + "typedef " + scan_.type + " " + lanes_ +
                       " __attribute__((vector_size(" + cut_.size + " * sizeof(" + scan_.type + "))));\n" + lanes_ +
                       " " + sums_ + " = {};\n" + last + " = " + cast(scan_.type, sum_) + ";\n" + lanes_ + " " +
                       join(lasts_, " = " + sums_ + ", ") + " = " + sums_ + "; // of the block before\n";
    text += cut_.blockHeader + " {\n" + scan_.type + " " + run_ + "[" + cut_.size + "];\n";
    text +=
        laneLoop() + declaredVariable() + textOf(0, scan_.update) + run_ + "[" + lane_ + "] = " + value() + ";\n}\n";
    text += lanes_ + " " + parts_[0] + ";\n__builtin_memcpy(&" + parts_[0] + ", " + run_ + ", sizeof " + parts_[0] +
            ");\n" + partsText() + sums_ + (scan_.factor ? " = " + powers_.back() + " * " + sums_ + " + " : " += ") +
            whole_ + ";\n";
    text += "__builtin_memcpy(" + run_ + ", &" + sums_ + ", sizeof " + sums_ + ");\n";
    text += laneLoop() + declaredVariable() + (scan_.needsDeclarations ? textOf(0, scan_.update) : "") +
            textOf(scan_.update + 1, loop_.body.size()) + "}\n}\n";
    return text + sum_ + " = " + cast(scan_.declared, last) + ";\n" + cut_.rest + "}";
  }

private:
  std::string cast(const std::string &type, const std::string &value) const {
    return scan_.type == scan_.declared ? value : "static_cast<" + type + ">(" + value + ")";
  }

  std::string laneLoop() const {
    return keepLoop_ + "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; ++" + lane_ +
           ") {\n";
  }

  std::string declaredVariable() const {
    return "const " + cut_.type + " " + nest_.variable(loop_.variable).name + " = " + cut_.start + " + " + lane_ +
           ";\n";
  }

  std::string value() const {
    const std::string written = assignedText(nest_, *scan_.value);
    const bool isSame = scan_.value->plain().type == scan_.declared && scan_.type == scan_.declared;
    std::string value = isSame && !scan_.isNegated ? written : castTo(scan_.type, written);
    if (scan_.isBlend)
      value = (scan_.isInteger ? castTo(scan_.type, nest_.slice(scan_.factor->range)) : slice(*scan_.factor)) + " * " +
              (isSame ? closed(value) : value);
    return scan_.isNegated ? "-" + value : value;
  }

  std::string slice(const Expression &expression) const { return closed(std::string(nest_.slice(expression.range))); }

  /// Declares the factor and its powers.
  std::string factorText() const {
    if (!scan_.factor)
      return {};
    const std::string factor = castTo(scan_.type, nest_.slice(scan_.factor->range));
    std::string text = "const " + scan_.type + " " + factor_ + " = " + (scan_.isBlend ? "1 - " : "") + factor;
    for (std::size_t i = 1; i < powers_.size(); ++i)
      text += ", " + powers_[i] + " = " + powers_[i - 1] + " * " + powers_[i - 1];
    return text + ";\n";
  }

  /// Sums of the last two values, of the last four, …; those in front of the block come from the block before.
  std::string partsText() const {
    std::string sums, kept;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string &more = i + 1 < parts_.size() ? parts_[i + 1] : whole_;
      sums += "const " + lanes_ + " " + more + " = " + parts_[i] + " + " + (scan_.factor ? powers_[i] + " * " : "") +
              "__builtin_shufflevector(" + parts_[i] + ", " + lasts_[i] + ", " + shifted(1 << i) + ");\n";
      kept += lasts_[i] + " = " + parts_[i] + ";\n";
    }
    return sums + kept;
  }

  /// Returns statements of the body, with the sum of this iteration.
  std::string textOf(std::size_t from, std::size_t to) const {
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
      std::vector<Edit> edits;
      for (const Reference &reference : loop_.body[i].references)
        if (reference.variable == scan_.sum)
          edits.push_back({{reference.offset, reference.offset + reference.length},
                           cast(scan_.declared, run_ + "[" + lane_ + "]")});
      text += applyEdits(nest_.text, loop_.body[i].range, edits) + "\n";
    }
    return text;
  }

  /// Lane k takes lane k - distance, and of the second vector where there is none: larger indices name that.
  std::string shifted(int distance) const {
    std::string indices;
    for (int lane = 0; lane < block_; ++lane)
      indices +=
          (lane == 0 ? "" : ", ") + std::to_string(lane < distance ? 2 * block_ + lane - distance : lane - distance);
    return indices;
  }

  const Nest &nest_;
  const Loop &loop_;
  int block_;
  const Scan &scan_;
  FreshNames names_;
  std::string sum_, factor_;
  BlockCut cut_;
  std::string lane_, run_, lanes_, sums_, keepLoop_;
  std::vector<std::string> parts_, lasts_, powers_; ///< sums of 1, 2, 4, … values; those of the block before; factors
  std::string whole_;                               ///< sums of as many values as a block has
};

Result<Rewrite> rewriteSplitScan(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto block = TRY(parameterOf(step, "block", 2, 64));
  if ((block & (block - 1)) != 0)
    return illegalStep(step, "'block' must be a power of two");
  const Nest &nest = context.nest;
  const Scan scan = planScan(context, *loop);
  if (!scan.problem.empty())
    return illegalStep(step, scan.problem);
  if (const std::string reason = whyNotCut(nest, *loop, block); !reason.empty())
    return illegalStep(step, reason);
  Rewrite result;
  result.edits = {{loop->range, SplitScanWriting(nest, *loop, block, scan, context.forGcc).text()}};
  result.why = {
      "The running values of '" + nest.variable(scan.sum).name + "' are computed for a block of '" + loop->name +
          "' at once, without what came before it:",
      scan.isInteger ? "sums of integers wrap, and do not depend on their order. What is added is read for "
                       "the whole block"
                     : "the contract permits floating-point sums in another order. What is added is read "
                       "for the whole block",
      "before the block is written; the loop writes none of it, given that pointer arguments do not overlap."};
  if (scan.factor)
    result.why.push_back("'" + nest.variable(scan.sum).name +
                         "' is multiplied in each iteration, which powers of the factor do" +
                         (scan.isInteger ? "." : "; where its magnitude is above 1, the loop is as written."));
  return result;
}

} // namespace

const Move kSplitScan = {"split-scan", offerSplitScan, nullptr, rewriteSplitScan};

} // namespace agentic::moves
