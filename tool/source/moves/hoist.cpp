// hoist(k): computes the bounds of a loop once, in front of it, if they come from memory or the condition has `variable
// + c`.
//
//   for (size_t k = begin[r]; k < begin[r + 1]; ++k)     const size_t kBegin = begin[r];
//     sum += values[k] * x[columns[k]];              →   const size_t kEnd = begin[r + 1];
//                                                        for (size_t k = kBegin; k < kEnd; ++k)
//                                                          sum += values[k] * x[columns[k]];
//
//   for (size_t x = 1; x + 1 < width; ++x)               const size_t xEnd = width > 1 ? width - 1 : 0;
//     …                                              →   for (size_t x = 1; x < xEnd; ++x)
//                                                          …
//
// After it the loop's trip count is known at its start, which other moves and the compilers' vectorizers need. A loop
// evaluates both bounds at least once, so no new memory is read.
//
// Precondition: the bounds are pure arithmetic on variables and elements that nothing in the loop writes or changes;
// arrays are disjoint as usual. The loop's variable itself does not occur in its bound. For `x + c < width`, x starts
// at a small constant that is not negative, steps by one and has the type of the bound, so that x + c never wraps.
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

struct Bound {
  const Expression *value;
  Range range; ///< as written
  std::string_view suffix;
};

std::vector<const Access *> pointersTo(const std::vector<Access> &accesses) {
  std::vector<const Access *> pointers;
  for (const Access &access : accesses)
    pointers.push_back(&access);
  return pointers;
}

std::vector<Bound> boundsToHoist(const Loop &loop) {
  std::vector<Bound> bounds;
  if (loop.upper.isEmpty())
    return bounds;
  for (const Bound &bound : {Bound{&loop.lowerValue, loop.lower, "Begin"}, Bound{&loop.upperValue, loop.upper, "End"}})
    if (readsMemory(*bound.value) || (bound.value == &loop.upperValue && loop.ahead != 0))
      bounds.push_back(bound);
  return bounds;
}

/// Returns empty if the bounds can be read in front of the loop, else the reason. A lower bound is always read there.
std::string whyNotHoist(const Nest &nest, const Loop &loop) {
  const std::vector<Bound> bounds = boundsToHoist(loop);
  if (bounds.empty())
    return loop.upper.isEmpty() ? loop.problem : "its bounds are plain";
  if (!loop.tiedDown.empty())
    return loop.tiedDown;
  constexpr std::int64_t kSmall = 1 << 30;
  if (loop.ahead != 0 &&
      (loop.step != 1 || loop.upperValue.plain().type != loop.lowerValue.type || loop.lowerValue.bits < 32 ||
       !loop.lowerConstant || *loop.lowerConstant < 0 || *loop.lowerConstant > kSmall))
    return "'" + loop.name + " + " + std::to_string(loop.ahead) + "' in its condition may wrap";
  const LoopEffects effects = effectsOf(loop);
  for (const Bound &bound : bounds) {
    if (!bound.value->isArithmetic())
      return "a bound is no number";
    const bool isLower = bound.value == &loop.lowerValue;
    const auto reason =
        whyNotInvariant(nest, *bound.value, pointersTo(loop.boundAccesses), isLower ? LoopEffects() : effects);
    if (!reason.empty())
      return reason;
  }
  return {};
}

void offerHoist(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (loop->upper.isEmpty() || boundsToHoist(*loop).empty())
      continue; // a loop with plain bounds needs no refusal
    result.add({"hoist", loop->name, {}}, whyNotHoist(context.nest, *loop));
  }
}

/// Returns the end of `v < end` for `v + c < upper`.
std::string endText(const Loop &loop, const std::string &upper) {
  if (loop.ahead == 0)
    return upper;
  const std::string ahead = std::to_string(loop.ahead);
  const std::string bound = loop.upperValue.plain().kind == Expression::Kind::Variable ? upper : "(" + upper + ")";
  return bound + " > " + ahead + " ? " + bound + " - " + ahead + " : 0";
}

std::size_t conditionBegin(const Nest &nest, const Loop &loop) {
  return nest.text.find_first_not_of(" \t\n", nest.text.find(';', loop.lower.end) + 1);
}

/// The loop to put them in front of: arithmetic on a variable cannot trap, and keeps outer loops directly nested.
const Loop &placeFor(const Nest &nest, const Loop &loop) {
  const Loop *place = &loop;
  const Expression &upper = loop.upperValue;
  if (loop.ahead == 0 || upper.plain().kind != Expression::Kind::Variable || readsMemory(upper))
    return loop;
  while (place->parent && place->parent->tiedDown.empty() && place->parent->header.end != 0 &&
         whyNotInvariant(nest, upper, {}, effectsOf(*place->parent)).empty())
    place = place->parent;
  return *place;
}

Result<Rewrite> rewriteHoist(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  if (const std::string reason = whyNotHoist(context.nest, *loop); !reason.empty())
    return illegalStep(step, reason);
  FreshNames names(context.nest.surroundings + context.nest.text);
  Rewrite result;
  std::string declarations;
  std::vector<std::string> hoisted;
  const Variable &variable = context.nest.variable(loop->variable);
  for (const Bound &bound : boundsToHoist(*loop)) {
    const std::string name = names.make(variable.name + std::string(bound.suffix));
    const bool isEnd = bound.value == &loop->upperValue;
    const std::string written(context.nest.slice(bound.range));
    // The loop compares it in this type: a conversion that the header implies is made here.
    const std::string &type = bound.value->type == loop->lowerValue.type ? variable.type : bound.value->type;
    declarations += "const " + type + " " + name + " = " + (isEnd ? endText(*loop, written) : written) + ";\n";
    if (isEnd && loop->ahead != 0)
      result.edits.push_back({{conditionBegin(context.nest, *loop), bound.range.end}, variable.name + " < " + name});
    else
      result.edits.push_back({bound.range, name});
    hoisted.push_back("'" + written + "'");
  }
  const Loop &front = placeFor(context.nest, *loop);
  const bool isPlain = isInBlock(context.nest.text, context.nest.bodyBegin, front.range.begin);
  const std::size_t begin = front.range.begin, end = front.range.end;
  result.edits.push_back({{begin, begin}, (isPlain ? "" : "{\n") + declarations});
  if (!isPlain)
    result.edits.push_back({{end, end}, "\n}"});
  result.why.push_back("Nothing in the loop '" + loop->name + "' changes " + join(hoisted, " or ") +
                       ": the bounds stay as they are at its start.");
  return result;
}

} // namespace

const Move kHoist = {.name = "hoist", .offer = offerHoist, .rewrite = rewriteHoist, .role = MoveRole::Enabler};

} // namespace agentic::moves
