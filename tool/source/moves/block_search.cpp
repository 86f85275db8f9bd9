// block-search(i, block=64): asks a whole block of iterations at once whether any of them does something. While none
// does, the block is skipped.
//
//   for (i …)                        →   for (i0 …; i0 += kBlockI) {
//     if (x[i] == wanted)                  unsigned any = 0;
//       return i;                          for (ii …) any |= x[i0 + ii] == wanted;
//                                          if (any != 0) { iHit = i0; break; }
//                                        }
//                                        for (i = iHit …) as written
//
// Where a hit does not leave the loop (`if (x[i] > best) best = x[i], at = i;`), its block is run as written, and the
// search goes on behind it.
//
// Legal if every effect of an iteration is behind a condition: as long as none holds nothing changes, so that each is
// answered in the state in which the loop as written asks it. And the conditions may be evaluated for the whole block:
// they have no effect, cannot trap or overflow, and read what every iteration reads anyway, or what the contract, a
// container's size or an array's type says is there. No pointer needs to be different from another one: the questions
// write nothing. Worth it where hits are rare.
#include "tool/source/moves/block_search.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic::moves {

std::string questionText(const Nest &nest, const Expression &condition) {
  const Expression &plain = condition.plain();
  const std::string text(nest.slice(plain.range));
  if (!isSpelledOut(plain))
    return "((" + text + ") != 0)";
  if (plain.kind == Expression::Kind::Binary && (plain.op == "&&" || plain.op == "||"))
    return "(" + questionText(nest, plain.operands[0]) + (plain.op == "&&" ? " & " : " | ") +
           questionText(nest, plain.operands[1]) + ")";
  static constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<", "<=", ">", ">="};
  if (plain.kind == Expression::Kind::Binary && std::ranges::find(kComparisons, plain.op) != kComparisons.end())
    return "(" + text + ")";
  return plain.kind == Expression::Kind::Unary && plain.op == "!" ? "(" + text + ")" : "((" + text + ") != 0)";
}

namespace {

std::string whyNotBlockSearch(const MoveContext &context, const Loop &loop, const SearchPlan &plan, int block) {
  if (!plan.problem.empty())
    return plan.problem;
  if (isOneBlock(context.nest, loop))
    return "it is a block of another move";
  return isRestOfBlocks(context.nest, loop) ? "it only does what blocks left over"
                                            : whyNotCut(context.nest, loop, block);
}

void offerBlockSearch(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const SearchPlan plan = planBlockSearch(context, *loop);
    if (const std::string reason = whyNotBlockSearch(context, *loop, plan, 16); !reason.empty())
      result.refusals.push_back({"block-search", loop->name, reason});
    else
      result.offers.push_back({"block-search", loop->name, {{"block", {64, 128, 32, 256, 16}}}});
  }
}

class BlockSearchWriting {
public:
  BlockSearchWriting(const Nest &nest, const Loop &loop, int block, const SearchPlan &plan)
      : nest_(nest), loop_(loop), plan_(plan), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, block, "kBlock", "iterations that are asked at once", names_)),
        lane_(laneName(nest, loop, names_)), any_(names_.make("any")), hits_(names_.make("hits")),
        hit_(names_.make(nest.variable(loop.variable).name + "Hit")) {}

  std::string text() const {
    std::string text = "{\n" + cut_.declarations;
    if (plan_.leavesAtHit)
      text += cut_.type + " " + hit_ + " = " + cut_.end + "; // where the loop as written takes over\n";
    text += cut_.blockHeader + " {\n" + questions();
    if (plan_.leavesAtHit)
      return text + "if (" + any_ + " != 0) {\n" + hit_ + " = " + cut_.start + ";\nbreak;\n}\n}\n" +
             "// From the block with the first hit, or for the rest.\n" + asWritten({{loop_.lower, hit_}}) + "}";
    text += "if (" + any_ + " == 0)\ncontinue;\n";
    return text + asWritten({{loop_.lower, cut_.start}, {loop_.upper, cut_.start + " + " + cut_.size}}) + "}\n" +
           cut_.rest + "}";
  }

private:
  std::string asWritten(std::vector<Edit> edits) const {
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    return applyEdits(nest_.text, loop_.range, edits) + "\n";
  }

  std::string type() const {
    return plan_.bits <= 8    ? "unsigned char"
           : plan_.bits <= 16 ? "unsigned short"
           : plan_.bits <= 32 ? "unsigned"
                              : "unsigned long long";
  }

  bool hasInnerLoops() const {
    return std::ranges::any_of(plan_.questions, [](const Question &question) { return !question.loops.empty(); });
  }

  std::string laneLoop() const {
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; ++" + lane_ + ")";
  }

  /// The answers of an inner loop are kept a lane each: to join them in each of its rounds would cost more than asking.
  std::string questions() const {
    const bool isKept = hasInnerLoops();
    std::string text = type() + " " + any_ + " = 0;\n";
    if (isKept)
      text = type() + " " + hits_ + "[" + cut_.size + "];\n" + laneLoop() + "\n" + hits_ + "[" + lane_ + "] = 0;\n";
    for (const Question &question : plan_.questions)
      text += askedInLoops(question, 0, isKept ? hits_ + "[" + lane_ + "]" : any_);
    if (isKept)
      text += type() + " " + any_ + " = 0;\n" + laneLoop() + "\n" + any_ + " |= " + hits_ + "[" + lane_ + "];\n";
    return text;
  }

  std::string askedInLoops(const Question &question, std::size_t depth, const std::string &answer) const {
    if (depth < question.loops.size())
      return std::string(nest_.slice(question.loops[depth]->header)) + " {\n" +
             askedInLoops(question, depth + 1, answer) + "}\n";
    std::string text = laneLoop() + " {\nconst " + cut_.type + " " + nest_.variable(loop_.variable).name + " = " +
                       cut_.start + " + " + lane_ + ";\n";
    for (const Statement *declaration : question.declarations)
      text += std::string(nest_.slice(declaration->range)) + "\n";
    return text + answer + " |= " + questionText(nest_, *question.condition) + ";\n}\n";
  }

  const Nest &nest_;
  const Loop &loop_;
  const SearchPlan &plan_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, any_, hits_, hit_;
};

Result<Rewrite> rewriteBlockSearch(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto block = TRY(parameterOf(step, "block", 2, 1024));
  const SearchPlan plan = planBlockSearch(context, *loop);
  if (const std::string reason = whyNotBlockSearch(context, *loop, plan, block); !reason.empty())
    return illegalStep(step, reason);
  Rewrite result;
  result.edits = {{loop->range, BlockSearchWriting(context.nest, *loop, block, plan).text()}};
  result.why = {"Blocks of '" + loop->name +
                    "' in which no condition holds are skipped: nothing changes in them, so "
                    "that all their conditions can be evaluated at once;",
                plan.leavesAtHit ? "from the first block with a hit on, the loop is as written. What is read behind "
                                   "the hit is there."
                                 : "a block with a hit is run as written."};
  return result;
}

} // namespace

const Move kBlockSearch = {"block-search", offerBlockSearch, nullptr, rewriteBlockSearch};

} // namespace agentic::moves
