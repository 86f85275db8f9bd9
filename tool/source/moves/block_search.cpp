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
// search goes on behind it. With exact=1 the answers of the block with the hit are bits, and the loop as written begins
// at the first of them: for searches that mostly end in their first block, as those for the length of a match do.
//
// Legal if every effect of an iteration is behind a condition: as long as none holds nothing changes, so that each is
// answered in the state in which the loop as written asks it. And the conditions may be evaluated for the whole block:
// they have no effect, cannot trap or overflow, and read what every iteration reads anyway, or what the contract, a
// container's size or an array's type says is there; or blocks end where the extent that the contract declares does.
// No pointer needs to be different from another one: the questions write nothing. Worth it where hits are rare.
#include "tool/source/moves/block_search.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <array>
#include <map>
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

RoomText roomText(const SearchPlan &plan, FreshNames &names) {
  const std::string wide = "const unsigned long long ";
  std::map<std::string, std::string> extents;
  RoomText text;
  for (const Room &room : plan.rooms) {
    if (text.names.empty())
      text.lines = "// Elements that are there by the contract: blocks read no others.\n";
    auto [extent, isNew] = extents.try_emplace(room.extent);
    if (isNew) {
      extent->second = names.make("extent");
      text.lines += wide + extent->second + " = " + room.extent + ";\n";
    }
    if (room.place == "0") {
      text.names.push_back(extent->second);
      continue;
    }
    const std::string place = names.make("place");
    text.names.push_back(names.make("room"));
    text.lines += wide + place + " = " + room.place + ", " + text.names.back() + " = (" + extent->second + " - " +
                  place + ") * " + castTo("unsigned long long", place + " < " + extent->second) + ";\n";
  }
  return text;
}

std::string hitMaskText(const Nest &nest, const Loop &loop, const SearchPlan &plan, const BlockCut &cut, int lanes,
                        const std::string &lane, const std::string &mask, bool forGcc, FreshNames &names) {
  const std::string hits = names.make("hits"), word = names.make("word"), eight = names.make("eight");
  std::string text = "unsigned char " + hits + "[" + cut.size + "];\n" + keepLaneLoop(forGcc) + "for (" + cut.type +
                     " " + lane + " = 0; " + lane + " < " + cut.size + "; ++" + lane + ") {\nconst " + cut.type + " " +
                     nest.variable(loop.variable).name + " = " + cut.start + " + " + lane + ";\n";
  std::vector<const Statement *> declared;
  std::string answer;
  for (const Question &question : plan.questions) {
    for (const Statement *declaration : question.declarations)
      if (std::ranges::find(declared, declaration) == declared.end()) {
        text += std::string(nest.slice(declaration->range)) + "\n";
        declared.push_back(declaration);
      }
    answer += (answer.empty() ? "" : " | ") + questionText(nest, *question.condition);
  }
  return text + hits + "[" + lane + "] = " + castTo("unsigned char", answer) + ";\n}\nunsigned long long " + mask +
         " = 0; // a bit for each of the bytes, which are 0 or 1\nfor (int " + word + " = 0; " + word + " < " +
         std::to_string(lanes / 8) + "; ++" + word + ") {\nunsigned long long " + eight + ";\n__builtin_memcpy(&" +
         eight + ", " + hits + " + 8 * " + word + ", 8);\n" + mask + " |= ((" + eight +
         " * 0x0102040810204080ull) >> 56) << (8 * " + word + ");\n}\n";
}

namespace {

/// Returns whether an iteration's answer is one bit, so that the first hit of a block can be told.
bool canBeExact(const SearchPlan &plan, int block) {
  return plan.leavesAtHit && block % 8 == 0 && block <= 64 &&
         std::ranges::all_of(plan.questions, [](const Question &question) { return question.loops.empty(); });
}

bool isInLoop(const Nest &nest, const Loop &loop) {
  return std::ranges::any_of(nest.loops, [&](const Loop *around) { return isInside(loop, *around); });
}

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
    else if (isInLoop(context.nest, *loop) && canBeExact(plan, 64)) // many short searches
      result.offers.push_back({"block-search", loop->name, {{"block", {32, 64, 16, 8}}, {"exact", {1, 0}}}});
    else
      result.offers.push_back({"block-search", loop->name, {{"block", {64, 128, 32, 256, 16}}}});
  }
}

class BlockSearchWriting {
public:
  BlockSearchWriting(const Nest &nest, const Loop &loop, int block, bool isExact, const SearchPlan &plan, bool forGcc)
      : nest_(nest), loop_(loop), block_(block), isExact_(isExact), forGcc_(forGcc), plan_(plan),
        names_(nest.surroundings + nest.text), room_(roomText(plan, names_)),
        cut_(cutLoop(nest, loop, block, "kBlock", "iterations that are asked at once", names_, {}, room_.names)),
        lane_(laneName(nest, loop, names_)), any_(names_.make("any")),
        hit_(names_.make(nest.variable(loop.variable).name + "Hit")) {}

  std::string text() {
    std::string text = "{\n" + room_.lines + cut_.declarations;
    if (plan_.leavesAtHit)
      text += cut_.type + " " + hit_ + " = " + cut_.end + "; // where the loop as written takes over\n";
    text += cut_.blockHeader + " {\n" + questions();
    if (plan_.leavesAtHit)
      return text + "if (" + any_ + " != 0) {\n" + atHit() + "break;\n}\n}\n" +
             (isExact_ ? "// From the first hit, or for the rest.\n"
                       : "// From the block with the first hit, or for the rest.\n") +
             asWritten({{loop_.lower, hit_}}) + "}";
    text += "if (" + any_ + " == 0)\ncontinue;\n";
    return text + asWritten({{loop_.lower, cut_.start}, {loop_.upper, cut_.start + " + " + cut_.size}}) + "}\n" +
           cut_.rest + "}";
  }

private:
  std::string atHit() {
    if (!isExact_)
      return hit_ + " = " + cut_.start + ";\n";
    const std::string mask = names_.make("hitMask");
    return hitMaskText(nest_, loop_, plan_, cut_, block_, lane_, mask, forGcc_, names_) + hit_ + " = " + cut_.start +
           " + " + castTo(cut_.type, "__builtin_ctzll(" + mask + ")") + ";\n";
  }

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
  std::string questions() {
    const std::string declared = type() + " " + any_ + " = 0;\n";
    if (!hasInnerLoops())
      return declared + asked(any_);
    const std::string hits = names_.make("hits"), own = hits + "[" + lane_ + "]";
    return type() + " " + hits + "[" + cut_.size + "];\n" + laneLoop() + "\n" + own + " = 0;\n" + asked(own) +
           declared + laneLoop() + "\n" + any_ + " |= " + own + ";\n";
  }

  std::string asked(const std::string &answer) const {
    std::string text;
    for (const Question &question : plan_.questions)
      text += askedInLoops(question, 0, answer);
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
  int block_;
  bool isExact_, forGcc_;
  const SearchPlan &plan_;
  FreshNames names_;
  RoomText room_;
  BlockCut cut_;
  std::string lane_, any_, hit_;
};

Result<Rewrite> rewriteBlockSearch(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto block = TRY(parameterOf(step, "block", 2, 1024));
  const bool isExact = TRY(parameterOf(step, "exact", 0, 1, 0)) == 1;
  const SearchPlan plan = planBlockSearch(context, *loop);
  if (const std::string reason = whyNotBlockSearch(context, *loop, plan, block); !reason.empty())
    return illegalStep(step, reason);
  if (isExact && !canBeExact(plan, block))
    return illegalStep(step, "exact=1 takes blocks of 8 to 64 iterations without a loop inside that a hit leaves");
  Rewrite result;
  result.edits = {{loop->range, BlockSearchWriting(context.nest, *loop, block, isExact, plan, context.forGcc).text()}};
  result.why = {"Blocks of '" + loop->name +
                    "' in which no condition holds are skipped: nothing changes in them, so "
                    "that all their conditions can be evaluated at once;",
                !plan.leavesAtHit ? "a block with a hit is run as written."
                : isExact         ? "from the first hit on, the loop is as written. What is read behind it is there."
                                  : "from the first block with a hit on, the loop is as written. What is read behind "
                                    "the hit is there."};
  return result;
}

} // namespace

const Move kBlockSearch = {"block-search", offerBlockSearch, nullptr, rewriteBlockSearch};

} // namespace agentic::moves
