// split-scan(i, block=16): computes a running sum whose every value is used for a block at once, in a vector: adds it
// to itself shifted by 1, 2, 4, … places; then adds the sum before the block to all of it.
//
//   for (i …) {            →   for (i0 …; i0 += kBlockI) {
//     sum += x[i];               for (ii …) sumRun[ii] = x[i0 + ii];
//     y[i] = sum;                … part = sumRun; part += part shifted by 1; part += part shifted by 2; …
//   }                            … sumRun = part + before; before += last of part;
//                                for (ii …) y[i0 + ii] = sumRun[ii];
//                              }
//
// Precondition: one scalar passes between iterations: it is added to once, in the loop's own body, and only read after
// that; everything else is declared in the body or memory, and the added values do not depend on memory that the loop
// writes, unless it is the iteration's own element. Integers of 32 or 64 bits: always, since they wrap; floating point
// where the contract permits another order and does not require the sign of zeros.
#include "tool/source/loops/reduction.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

struct Scan {
  VariableId sum{};
  std::string type;     ///< of a lane; integers: unsigned, whose sums wrap
  std::string declared; ///< type of the sum
  bool isInteger = false;
  unsigned bytes = 0;
  std::size_t update = 0; ///< index in the loop's body
  Update how;
  bool needsDeclarations = false; ///< something after the update uses declarations before it
  std::string problem;
};

class ScanFinder {
public:
  ScanFinder(const MoveContext &context, const Loop &loop) : context_(context), nest_(context.nest), loop_(loop) {}

  Scan run() {
    Scan scan;
    scan.problem = fill(scan);
    return scan;
  }

private:
  std::string fill(Scan &scan) const {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (containsLoop(loop_))
      return "it has a loop inside";
    std::set<VariableId> declared, written;
    for (const Statement &statement : loop_.body) {
      if (!statement.problem.empty())
        return statement.problem;
      if (statement.declares)
        declared.insert(*statement.declares);
      for (const Reference &reference : statement.references)
        if (reference.writes)
          written.insert(reference.variable);
    }
    std::erase_if(written, [&](VariableId variable) { return declared.contains(variable); });
    if (written.size() != 1)
      return written.empty() ? "no scalar is accumulated in it" : "more than one scalar lives on between iterations";
    scan.sum = *written.begin();
    if (std::string reason = findUpdate(scan); !reason.empty())
      return reason;
    if (std::string reason = whyNotType(scan); !reason.empty())
      return reason;
    if (std::string reason = whyNotSplit(scan); !reason.empty())
      return reason;
    return whyNotMemory(scan);
  }

  const std::string &name(const Scan &scan) const { return variable(scan).name; }
  const Variable &variable(const Scan &scan) const { return nest_.variable(scan.sum); }

  std::string findUpdate(Scan &scan) const {
    bool isFound = false, isRead = false;
    for (std::size_t i = 0; i < loop_.body.size(); ++i) {
      const Statement &statement = loop_.body[i];
      const bool mentionsSum = std::ranges::any_of(
          statement.references, [&](const Reference &reference) { return reference.variable == scan.sum; });
      if (!mentionsSum)
        continue;
      if (isFound) {
        isRead = true;
        for (const Reference &reference : statement.references)
          if (reference.variable == scan.sum && reference.writes)
            return "'" + name(scan) + "' is changed twice in an iteration";
        continue;
      }
      const auto update = updateOf(statement);
      if (!update || update->operation != Update::Operation::Add || update->target->kind != Kind::Variable ||
          update->target->variable != scan.sum || !update->value)
        return "'" + name(scan) + "' is not just added to before it is used";
      scan.how = *update;
      scan.update = i;
      isFound = true;
    }
    return isRead ? "" : "the running values of '" + name(scan) + "' are not used";
  }

  std::string whyNotType(Scan &scan) const {
    const Expression &target = *scan.how.target;
    const Variable &sum = variable(scan);
    if (sum.kind != Variable::Kind::Scalar || sum.escapes || sum.isGlobal)
      return "'" + sum.name + "' may be changed or read elsewhere while the loop runs";
    if (target.type == "bool" || (target.bits != 32 && target.bits != 64))
      return "'" + sum.name + "' is a " + target.type;
    const bool keepsZeros = context_.contract && context_.contract->specialValues;
    if (target.isFloating && (!context_.mayReassociate || keepsZeros))
      return "'" + sum.name +
             "' is accumulated in floating point, which depends on the order; a contract with "
             "AGENTIC_TOLERANCE or AGENTIC_FP(reassociate) would permit another one";
    if (target.isFloating && (!scan.how.value->isArithmetic() || scan.how.value->plain().bits > target.bits))
      return "what is added to '" + sum.name + "' is wider than it";
    scan.declared = sum.type;
    scan.type = target.isSigned && !target.isFloating ? wrappingType(target.bits) : sum.type;
    scan.isInteger = target.isInteger;
    scan.bytes = target.bits / 8;
    return {};
  }

  /// Requires that only declarations precede the update, which may be evaluated earlier, and twice.
  std::string whyNotSplit(Scan &scan) const {
    std::set<VariableId> before;
    for (std::size_t i = 0; i < scan.update; ++i) {
      const Statement &statement = loop_.body[i];
      if (!statement.declares || !statement.value || !statement.value->isPure || statement.sharesDeclaration)
        return "something else happens before '" + name(scan) + "' is added to";
      before.insert(*statement.declares);
    }
    for (std::size_t i = scan.update + 1; i < loop_.body.size(); ++i)
      for (const Reference &reference : loop_.body[i].references) {
        if (!before.contains(reference.variable))
          continue;
        if (reference.writes)
          return "what is added to '" + name(scan) + "' is changed afterwards";
        scan.needsDeclarations = true;
      }
    const Statement &update = loop_.body[scan.update];
    for (const Reference &reference : update.references)
      if (reference.variable == scan.sum && scan.how.value->range.begin <= reference.offset &&
          reference.offset < scan.how.value->range.end)
        return "'" + name(scan) + "' is added to by a macro";
    const bool hasText = !scan.how.value->range.isEmpty() && update.range.contains(scan.how.value->range);
    return hasText ? "" : "'" + name(scan) + "' is added to by a macro";
  }

  /// Requires that the added values can be read for the whole block before anything is written.
  std::string whyNotMemory(const Scan &scan) const {
    if (std::string reason = hiddenAlias(nest_, loop_); !reason.empty())
      return reason;
    for (std::size_t i = scan.update + 1; i < loop_.body.size(); ++i)
      for (const Access &write : loop_.body[i].accesses) {
        if (!write.writes)
          continue;
        for (std::size_t k = 0; k <= scan.update; ++k)
          for (const Access &read : loop_.body[k].accesses)
            if (mayMeet(read, write))
              return "'" + read.text + "' may be an element that another iteration writes as '" + write.text + "'";
      }
    for (std::size_t k = 0; k <= scan.update; ++k)
      for (const Access &access : loop_.body[k].accesses)
        if (access.writes)
          return "'" + access.text + "' is written before '" + name(scan) + "' is added to";
    return {};
  }

  bool mayMeet(const Access &read, const Access &write) const {
    if (!read.base || !write.base)
      return true;
    if (read.base != write.base)
      return mayOverlap(*read.base, *write.base);
    if (!read.subscript || !write.subscript || *read.subscript != *write.subscript)
      return true;
    // A subscript with a division or a remainder, as `i - i % 4`, may give the same element again.
    for (const Symbol symbol : write.subscript->symbols())
      if (symbol != loop_.variable && nest_.symbolDependsOn(symbol, loop_.variable))
        return true;
    const auto linear = write.subscript->linearIn(loop_.variable);
    const auto stride = linear ? linear->coefficient.asConstant() : std::nullopt;
    return !stride || *stride == 0;
  }

  bool mayOverlap(VariableId left, VariableId right) const {
    const auto nameOf = [&](VariableId id) { return nest_.variable(id).name; };
    return context_.contract && mayAlias(*context_.contract, nameOf(left), nameOf(right));
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
};

void offerSplitScan(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const Scan scan = ScanFinder(context, *loop).run();
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
  SplitScanWriting(const Nest &nest, const Loop &loop, int block, const Scan &scan)
      : nest_(nest), loop_(loop), block_(block), scan_(scan), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, block, "kBlock", "running sums side by side", names_)),
        lane_(laneName(nest, loop, names_)), sum_(nest.variable(scan.sum).name), run_(names_.make(sum_ + "Run")),
        lanes_(names_.make("Lanes")), zero_(names_.make("kNone")), part_(names_.make("part")),
        before_(names_.make("before")), sums_(names_.make("sums")) {}

  std::string text() const {
    std::string text = "{\n" + cut_.declarations;
    text += "typedef " + scan_.type + " " + lanes_ + " __attribute__((vector_size(" + cut_.size + " * sizeof(" +
            scan_.type + "))));\n";
    text += "constexpr " + lanes_ + " " + zero_ + " = {};\n";
    text += lanes_ + " " + before_ + " = " + zero_ + " + " + cast(scan_.type, sum_) +
            "; // the sum so far, in every lane\n";
    text += cut_.blockHeader + " {\n" + scan_.type + " " + run_ + "[" + cut_.size + "];\n";
    text +=
        laneLoop() + declaredVariable() + textOf(0, scan_.update) + run_ + "[" + lane_ + "] = " + value() + ";\n}\n";
    text += lanes_ + " " + part_ + ";\n__builtin_memcpy(&" + part_ + ", " + run_ + ", sizeof " + part_ + ");\n";
    for (int distance = 1; distance < block_; distance *= 2)
      text += part_ + " += __builtin_shufflevector(" + part_ + ", " + zero_ + ", " + shifted(distance) + ");\n";
    text += "const " + lanes_ + " " + sums_ + " = " + before_ + " + " + part_ + ";\n";
    text += "__builtin_memcpy(" + run_ + ", &" + sums_ + ", sizeof " + sums_ + ");\n";
    text += before_ + " += __builtin_shufflevector(" + part_ + ", " + part_ + ", " + lastEverywhere() + ");\n";
    text += laneLoop() + declaredVariable() + (scan_.needsDeclarations ? textOf(0, scan_.update) : "") +
            textOf(scan_.update + 1, loop_.body.size()) + "}\n}\n";
    return text + sum_ + " = " + cast(scan_.declared, before_ + "[0]") + ";\n" + cut_.rest + "}";
  }

private:
  std::string cast(const std::string &type, const std::string &value) const {
    return scan_.type == scan_.declared ? value : "static_cast<" + type + ">(" + value + ")";
  }

  std::string laneLoop() const {
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; ++" + lane_ + ") {\n";
  }

  std::string declaredVariable() const {
    return "const " + cut_.type + " " + nest_.variable(loop_.variable).name + " = " + cut_.start + " + " + lane_ +
           ";\n";
  }

  std::string value() const {
    const std::string written = assignedText(nest_, *scan_.how.value);
    const bool isSame = scan_.how.value->plain().type == scan_.how.target->type && scan_.type == scan_.declared;
    const std::string value =
        isSame && !scan_.how.isNegated ? written : "static_cast<" + scan_.type + ">(" + written + ")";
    return scan_.how.isNegated ? "-" + value : value;
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

  /// Lane k takes lane k - distance, or nothing if there is none: larger indices name the second vector.
  std::string shifted(int distance) const {
    std::string indices;
    for (int lane = 0; lane < block_; ++lane)
      indices += (lane == 0 ? "" : ", ") + std::to_string(lane < distance ? block_ + lane : lane - distance);
    return indices;
  }

  std::string lastEverywhere() const {
    std::string indices;
    for (int lane = 0; lane < block_; ++lane)
      indices += (lane == 0 ? "" : ", ") + std::to_string(block_ - 1);
    return indices;
  }

  const Nest &nest_;
  const Loop &loop_;
  int block_;
  const Scan &scan_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, sum_, run_, lanes_, zero_, part_, before_, sums_;
};

Result<Rewrite> rewriteSplitScan(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto block = TRY(parameterOf(step, "block", 2, 64));
  if ((block & (block - 1)) != 0)
    return illegalStep(step, "'block' must be a power of two");
  const Nest &nest = context.nest;
  const Scan scan = ScanFinder(context, *loop).run();
  if (!scan.problem.empty())
    return illegalStep(step, scan.problem);
  if (const std::string reason = whyNotCut(nest, *loop, block); !reason.empty())
    return illegalStep(step, reason);
  Rewrite result;
  result.edits = {{loop->range, SplitScanWriting(nest, *loop, block, scan).text()}};
  result.why = {
      "The running values of '" + nest.variable(scan.sum).name + "' are computed for a block of '" + loop->name +
          "' at once, without what came before it:",
      scan.isInteger ? "sums of integers wrap, and do not depend on their order. What is added is read for "
                       "the whole block"
                     : "the contract permits floating-point sums in another order. What is added is read "
                       "for the whole block",
      "before the block is written; the loop writes none of it, given that pointer arguments do not overlap."};
  return result;
}

} // namespace

const Move kSplitScan = {"split-scan", offerSplitScan, nullptr, rewriteSplitScan};

} // namespace agentic::moves
