// specialise(K, value=3072): a copy of the kernel for a value that an integer parameter has in the benchmarks, so that
// the compiler knows trip counts and strides there.
//
//   void matmul(const float *A, float *C, size_t K) { … }
//     →
//   static inline __attribute__((always_inline)) void matmulFor(const float *A, float *C, size_t K) { … }
//   void matmul(const float *A, float *C, size_t K) {
//     if (K == 3072)
//       return matmulFor(A, C, 3072);
//     return matmulFor(A, C, K);
//   }
//
// It gives the kernel's own body away, so it belongs behind all moves that work on the loops; further parameters may
// follow.
//
// Precondition: none for the value; every other one takes the general copy. The parameters can be passed on without a
// copy that costs or does something, the body does not call the kernel, and no variable in it outlives the call.
#include "tool/base/text.h"
#include "tool/source/moves/loop_effects.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

/// Empty if the body can stand in a function of its own.
std::string whyNot(const MoveContext &context) {
  const FunctionFacts &function = context.nest.function;
  if (function.parameterList.isEmpty() || function.body.isEmpty())
    return "the function's parameters come from a macro";
  if (function.isVariadic)
    return "the function takes variable arguments";
  if (function.callsItself)
    return "the function calls itself";
  if (!function.copiesAreFree)
    return "a parameter is an object that would be copied";
  if (function.hasStaticLocal)
    return "a variable outlives the call";
  if (std::ranges::any_of(function.parameters, [](const Parameter &parameter) { return parameter.name.empty(); }))
    return "a parameter has no name";
  return {};
}

const Parameter *parameterNamed(const MoveContext &context, const std::string &name) {
  const auto &parameters = context.nest.function.parameters;
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() || !found->isInteger ? nullptr : &*found;
}

/// Whether the function asks for this value already.
bool isSpecialised(const MoveContext &context, const std::string &name, std::int64_t value) {
  const std::string question = "if (" + name + " == " + std::to_string(value) + ")";
  return context.nest.slice(context.nest.function.body).find(question) != std::string_view::npos;
}

/// Small and large enough for a step's parameter, and held by the parameter's type.
bool isUsable(const Parameter &parameter, std::int64_t value) {
  return value >= 0 && value <= parameter.largest && value <= INT32_MAX;
}

void offer(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const auto &[name, values] : context.observed) {
    const Parameter *parameter = parameterNamed(context, name);
    if (!parameter)
      continue;
    std::vector<int> usable;
    for (const std::int64_t value : values)
      if (isUsable(*parameter, value) && !isSpecialised(context, name, value))
        usable.push_back(static_cast<int>(value));
    if (std::string reason = whyNot(context); !reason.empty())
      result.refusals.push_back({"specialise", name, std::move(reason)});
    else if (!usable.empty())
      result.offers.push_back({"specialise", name, {{"value", std::move(usable)}}});
  }
}

/// GCC refuses to inline a function into one with other target options.
std::string targetAttribute(std::string_view declaration) {
  const std::size_t begin = declaration.find("__attribute__((target(");
  const std::size_t end = begin == std::string_view::npos ? begin : declaration.find(")))", begin);
  return end == std::string_view::npos ? "" : std::string(declaration.substr(begin, end + 3 - begin)) + "\n";
}

std::string callOf(const MoveContext &context, const std::string &helper, const std::string &fixed,
                   const std::string &value) {
  std::vector<std::string> arguments;
  for (const Parameter &parameter : context.nest.function.parameters)
    arguments.push_back(parameter.name == fixed ? value : parameter.name);
  return "return " + helper + "(" + join(arguments, ", ") + ");\n";
}

Result<Rewrite> rewrite(const MoveContext &context, const MoveStep &step) {
  const Nest &nest = context.nest;
  if (const std::string reason = whyNot(context); !reason.empty())
    return illegalStep(step, reason);
  const Parameter *parameter = parameterNamed(context, step.target);
  if (!parameter)
    return illegalStep(step, "there is no integer parameter '" + step.target + "'");
  const auto value = parameterOf(step, "value", 0, INT32_MAX);
  if (!value)
    return std::unexpected(value.error());
  if (!isUsable(*parameter, *value))
    return illegalStep(step, "'" + step.target + "' never has that value");

  const FunctionFacts &function = nest.function;
  const std::string number = std::to_string(*value);
  const std::string helper = FreshNames(nest.surroundings + nest.text).make(context.function + "For");
  const std::string parameters(nest.slice(function.parameterList)), body(nest.slice(function.body));
  Rewrite result;
  const std::size_t begin = declarationBegin(nest.text, function.body.begin);
  result.edits.push_back({{begin, begin},
                          (begin == 0 ? "" : "\n\n") + targetAttribute(nest.slice({begin, function.body.begin})) +
                              "static inline __attribute__((always_inline)) " + function.returnType + " " + helper +
                              "(" + parameters + ")" + (function.isNoexcept ? " noexcept " : " ") + body + "\n\n"});
  result.edits.push_back({function.body, "{\nif (" + parameter->name + " == " + number + ")\n" +
                                             callOf(context, helper, parameter->name, number) +
                                             callOf(context, helper, parameter->name, parameter->name) + "}"});
  result.why.push_back("'" + parameter->name + "' is " + number + " in the benchmarks; every other value takes '" +
                       helper + "' in general.");
  return result;
}

} // namespace

const Move kSpecialise = {.name = "specialise", .offer = offer, .rewrite = rewrite};

} // namespace agentic::moves
