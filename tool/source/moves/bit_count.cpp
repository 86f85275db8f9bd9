// bit-count(x): a loop that counts the set bits of x one by one becomes one instruction.
//
//   while (x != 0) {
//     x &= x - 1;           →   count += __builtin_popcountll(x);
//     ++count;                  x = 0; // where x is used afterwards
//   }
//
// Other forms: `for (; x; x &= x - 1) ++count;`, with `x ^= x & -x`, and bit by bit: `count += x & 1; x >>= 1;` or
// `if (x & 1) ++count; x >>= 1;`. The target is the variable whose bits are counted.
//
// Precondition: x and the count are different integer variables of at most 64 bits, x unsigned (shifting a negative
// number never ends, and counting one's bits overflows), and the loop does nothing else. The count wraps, or overflows,
// exactly where it did: it is a sum of ones.
#include "tool/source/moves/bit_count.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

/// Returns whether anything may see that x is 0 after the loop.
bool isUsedAfter(const Nest &nest, const BitLoop &loop) {
  const Variable &bits = nest.variable(*loop.bits->variable);
  if (loop.start && loop.start->declares == loop.bits->variable)
    return false;
  // A variable declared in the same block is new whenever control comes here again.
  return !loop.declaration || bits.escapes ||
         mentionsName(std::string_view(nest.text).substr(loop.range.end), bits.name);
}

std::string replacement(const Nest &nest, const BitLoop &loop) {
  const Variable &bits = nest.variable(*loop.bits->variable), &count = nest.variable(*loop.count->variable);
  std::string text, operand = bits.name;
  const bool declares = loop.start && loop.start->declares == loop.bits->variable;
  if (declares) {
    operand = std::string(nest.slice(loop.start->value->range));
    if (loop.start->value->plain().type != loop.bits->type)
      operand = "static_cast<" + bits.type + ">(" + operand + ")";
  } else if (loop.start) {
    text = std::string(nest.slice(loop.start->expression->range)) + ";\n";
  }
  const std::string number =
      std::string(loop.bits->bits <= 32 ? "__builtin_popcount(" : "__builtin_popcountll(") + operand + ")";
  const std::string op = loop.isNegated ? "-" : "+";
  if (loop.count->type == "int")
    text += count.name + " " + op + "= " + number + ";";
  else if (loop.count->bits >= 32)
    text += count.name + " " + op + "= static_cast<" + count.type + ">(" + number + ");";
  else
    text += count.name + " = static_cast<" + count.type + ">(" + count.name + " " + op + " " + number + ");";
  if (isUsedAfter(nest, loop))
    text += "\n" + bits.name + " = 0;";
  const bool isOne = text.find('\n') == std::string::npos;
  return isOne || isInBlock(nest.text, nest.bodyBegin, loop.range.begin) ? text : "{\n" + text + "\n}";
}

std::string nameOf(const Nest &nest, const BitLoop &loop) {
  return nest.variable(*loop.bits->variable).name;
}

void offerBitCount(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const BitLoop &loop : bitLoopsOf(context.nest)) {
    const std::string name = nameOf(context.nest, loop);
    if (!loop.problem.empty())
      result.refusals.push_back({"bit-count", name, loop.problem});
    else if (std::ranges::none_of(result.offers, [&](const MoveOffer &offer) {
               return offer.move == "bit-count" && offer.target == name;
             }))
      result.offers.push_back({"bit-count", name, {}});
  }
}

Result<Rewrite> rewriteBitCount(const MoveContext &context, const MoveStep &step) {
  Rewrite result;
  for (const BitLoop &loop : bitLoopsOf(context.nest)) {
    if (nameOf(context.nest, loop) != step.target)
      continue;
    if (!loop.problem.empty())
      return illegalStep(step, loop.problem);
    result.edits.push_back({loop.range, replacement(context.nest, loop)});
  }
  if (result.edits.empty())
    return illegalStep(step, "no loop counts the bits of '" + step.target + "'");
  result.why = {"The loop over the bits of '" + step.target + "' only counted them: there is an instruction for that."};
  return result;
}

} // namespace

const Move kBitCount = {"bit-count", offerBitCount, nullptr, rewriteBitCount};

} // namespace agentic::moves
