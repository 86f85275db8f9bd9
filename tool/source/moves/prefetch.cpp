// prefetch(k, distance=16): requests elements early whose place is itself read from memory, which the processor cannot
// predict.
//
//   for (size_t k = begin; k < end; ++k)        constexpr size_t kAhead = 16; // iterations of 'k'
//     sum += values[k] * x[columns[k]];         for (size_t k = begin; k < end; ++k) {
//                                           →     if (end - k > kAhead)
//                                                   __builtin_prefetch(&x[columns[k + kAhead]]);
//                                                 sum += values[k] * x[columns[k]];
//                                               }
//
// Precondition: the loop is understood and runs to its bound, so that the place is read later anyway; the place depends
// only on the loop's variable and on what the loop does not change; every iteration reads the element. The distance to
// the bound cannot overflow: the variable is unsigned or starts at a constant that is not negative.
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

struct Target {
  const Statement *statement = nullptr;
  const Expression *element = nullptr; ///< `x[columns[k]]`
};

class PrefetchFinder {
public:
  PrefetchFinder(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop), effects_(effectsOf(loop)) {}

  /// Returns the indirect reads of the loop; `reason` says why one of them, or the loop, is left alone.
  std::vector<Target> run(std::string &reason) const {
    std::vector<Target> targets;
    for (const Statement &statement : loop_.body)
      for (const auto *tree : {&statement.expression, &statement.value})
        if (*tree)
          forEachCertain(**tree, [&](const Expression &inner) {
            if (!isIndirect(inner))
              return;
            std::string why = whyNot(statement, inner);
            if (why.empty() && !isKnown(targets, inner))
              targets.push_back({&statement, &inner});
            else if (reason.empty())
              reason = std::move(why);
          });
    return targets;
  }

private:
  /// False for an array of known size: it is in the cache, or has few cache lines.
  bool isIndirect(const Expression &expression) const {
    return expression.kind == Kind::Element && expression.operands.size() == 2 &&
           expression.operands[0].plain().kind == Kind::Variable && readsMemory(expression.operands[1]) &&
           nest_.variable(*expression.operands[0].plain().variable).kind == Variable::Kind::Pointer;
  }

  bool isKnown(const std::vector<Target> &targets, const Expression &element) const {
    return std::ranges::any_of(targets, [&](const Target &target) {
      return nest_.slice(target.element->range) == nest_.slice(element.range);
    });
  }

  std::string whyNot(const Statement &statement, const Expression &element) const {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (loop_.upperValue.plain().type != loop_.lowerValue.type)
      return "the bound of the loop '" + loop_.name + "' has another type than its variable";
    if (loop_.lowerValue.isSigned && (!loop_.lowerConstant || *loop_.lowerConstant < 0))
      return "the distance to the bound of the loop '" + loop_.name + "' may overflow";
    std::vector<const Access *> reads;
    for (const Access &access : statement.accesses)
      reads.push_back(&access);
    // Only the loop's own variable may advance; everything else must stay.
    LoopEffects others = effects_;
    others.declared.erase(loop_.variable);
    const Expression &place = element.operands[1];
    if (std::string reason = whyNotInvariant(nest_, place, reads, others); !reason.empty())
      return reason;
    if (!mentions(place, loop_.variable))
      return "'" + std::string(nest_.slice(element.range)) + "' is the same in each iteration";
    return element.range.isEmpty() ? "an expression is not understood" : "";
  }

  const Nest &nest_;
  const Loop &loop_;
  LoopEffects effects_;
};

void offerPrefetch(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    std::string reason;
    if (!PrefetchFinder(context.nest, *loop).run(reason).empty())
      result.offers.push_back({"prefetch", loop->name, {{"distance", {16, 32, 64, 8}}}});
    else if (!reason.empty())
      result.refusals.push_back({"prefetch", loop->name, std::move(reason)});
  }
}

/// Returns the element as iteration `ahead` later names it.
std::string later(const Nest &nest, const Loop &loop, const Target &target, const std::string &ahead) {
  std::vector<Edit> edits;
  for (const Reference &reference : target.statement->references)
    if (const Range range{reference.offset, reference.offset + reference.length};
        reference.variable == loop.variable && target.element->range.contains(range)) {
      const bool isAlone = nest.text[range.begin - 1] == '[' && nest.text[range.end] == ']';
      const std::string sum = std::string(nest.slice(range)) + " + " + ahead;
      edits.push_back({range, isAlone ? sum : "(" + sum + ")"});
    }
  return applyEdits(nest.text, target.element->range, edits);
}

Result<Rewrite> rewritePrefetch(const MoveContext &context, const MoveStep &step) {
  const auto found = TRY(targetLoop(context, step));
  const auto distance = TRY(parameterOf(step, "distance", 1, 1024));
  const Loop &loop = *found;
  const Nest &nest = context.nest;
  std::string reason;
  const std::vector<Target> targets = PrefetchFinder(nest, loop).run(reason);
  if (targets.empty())
    return illegalStep(step, reason.empty() ? "no element in it is found through memory" : reason);
  if (distance > loop.largest)
    return illegalStep(step, "the type of '" + loop.name + "' holds no such distance");

  const Variable &variable = nest.variable(loop.variable);
  const std::string ahead = FreshNames(nest.surroundings + nest.text).make("kAhead");
  std::string hints = "if ((" + std::string(nest.slice(loop.upper)) + ") - " + variable.name + " > " + ahead + ") {\n";
  if (loop.upperValue.plain().kind == Kind::Variable)
    hints = "if (" + std::string(nest.slice(loop.upper)) + " - " + variable.name + " > " + ahead + ") {\n";
  for (const Target &target : targets)
    hints += "__builtin_prefetch(&" + later(nest, loop, target, ahead) + ");\n";
  hints += "}\n";

  Rewrite result;
  const std::size_t body = nest.text.find_first_not_of(" \t\n", loop.header.end);
  const bool isBlock = nest.text[body] == '{';
  const std::size_t at = isBlock ? body + 1 : loop.header.end;
  result.edits.push_back({{at, at}, (isBlock ? "\n" : " {\n") + hints});
  if (!isBlock)
    result.edits.push_back({{loop.range.end, loop.range.end}, "\n}"});
  result.edits.push_back({{nest.bodyBegin + 1, nest.bodyBegin + 1},
                          "\nconstexpr " + variable.type + " " + ahead + " = " + std::to_string(distance) +
                              "; // iterations of '" + loop.name + "'\n"});
  result.why.push_back("Elements that '" + loop.name +
                       "' finds through memory are asked for early; only places that it "
                       "reads later anyway are looked at.");
  return result;
}

} // namespace

const Move kPrefetch = {.name = "prefetch", .offer = offerPrefetch, .rewrite = rewritePrefetch, .role = MoveRole::Hint};

} // namespace agentic::moves
