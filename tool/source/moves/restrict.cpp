// restrict(matmul): tells the compiler that the kernel's pointer parameters have memory of their own, so that it needs
// no test for overlap at run time and may keep loaded values across a store.
//
//   void matmul(const float *A, float *C, …)   →   void matmul(const float *__restrict A, float *__restrict C, …)
//
// The qualifier is on the parameter itself, where it is not part of the function's type and where both compilers honour
// it (clang ignores it on variables of inner blocks).
//
// Precondition: the body reaches the parameters' memory through the parameters only. Parameters are disjoint unless the
// contract says MAY_ALIAS: those stay as they are. Anything that could reach it another way (a global that is not
// constant, a pointer that is read from memory, a function that is not pure, a lambda) prevents the move. A parameter
// that is assigned another pointer stays unqualified: restricted pointers must not be assigned to each other.
#include "tool/base/text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

std::vector<const Parameter *> candidates(const MoveContext &context) {
  std::vector<const Parameter *> found;
  for (const Parameter &parameter : context.nest.function.parameters)
    if (parameter.isPlainPointer && !parameter.isRestrict && !parameter.isAssigned && parameter.nameOffset > 0 &&
        !isDeclaredAlias(context, parameter.name))
      found.push_back(&parameter);
  return found;
}

/// Returns empty if the move applies, else the reason.
std::string whyNotRestrict(const MoveContext &context) {
  const FunctionFacts &function = context.nest.function;
  if (!function.reachesMemory.empty())
    return function.reachesMemory + " may lead to the arguments' memory as well";
  const auto isPointer = [](const Parameter &parameter) { return parameter.type.ends_with("*"); };
  if (std::ranges::count_if(function.parameters, isPointer) < 2)
    return "there are no two pointers that could overlap";
  const auto isWritable = [&](const Parameter &parameter) {
    return isPointer(parameter) && !context.nest.variable(parameter.variable).pointsToConst;
  };
  if (std::ranges::none_of(function.parameters, isWritable))
    return "the function writes no memory of its arguments";
  return candidates(context).empty() ? "every parameter is restricted, assigned, no plain pointer, or overlaps another "
                                       "one (MAY_ALIAS, recorded calls)"
                                     : "";
}

void offerRestrict(const MoveContext &context, const Schedule &, MoveOffers &result) {
  result.add({"restrict", context.function, {}}, whyNotRestrict(context));
}

Result<Rewrite> rewriteRestrict(const MoveContext &context, const MoveStep &step) {
  if (const std::string reason = whyNotRestrict(context); !reason.empty())
    return illegalStep(step, reason);
  Rewrite result;
  std::vector<std::string> names;
  for (const Parameter *parameter : candidates(context)) {
    result.edits.push_back({{parameter->nameOffset, parameter->nameOffset}, "__restrict "});
    names.push_back("'" + parameter->name + "'");
  }
  result.why.push_back("Nothing else in the function leads to the memory of " + join(names, ", ") + ".");
  return result;
}

} // namespace

const Move kRestrict = {.name = "restrict", .offer = offerRestrict, .rewrite = rewriteRestrict};

} // namespace agentic::moves
