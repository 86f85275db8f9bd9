// specialise(K, value=3072) and specialise(matmul, K=3072, M=64): makes a copy of the kernel for values that integer
// parameters have in the benchmarks, so that the compiler knows trip counts and strides there.
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
// It moves the kernel's own body away, so it comes after all moves that work on the loops; other values may follow.
//
// Precondition: none for the values; all others take the general copy. The parameters can be passed on without a costly
// or visible copy, the body does not call the kernel, and no variable in it outlives the call.
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <map>

namespace agentic::moves {
namespace {

/// Returns empty if the body can be a function of its own, else the reason.
std::string whyNotSpecialise(const MoveContext &context) {
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

const Parameter *integerNamed(const MoveContext &context, const std::string &name) {
  const Parameter *parameter = context.nest.function.parameter(name);
  return parameter && parameter->isInteger ? parameter : nullptr;
}

/// Returns whether the value fits into a step's parameter and the parameter's type.
bool isUsable(const Parameter &parameter, std::int64_t value) {
  return value >= 0 && value <= parameter.largest && value <= INT32_MAX;
}

/// The values of one copy.
struct Fixed {
  std::vector<const Parameter *> parameters; // in the order of the signature
  std::vector<std::string> values;

  std::string condition() const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parts.push_back(parameters[i]->name + " == " + values[i]);
    return join(parts, " && ");
  }
  std::string argument(const Parameter &parameter) const {
    const auto found = std::ranges::find(parameters, &parameter);
    return found == parameters.end() ? parameter.name : values[static_cast<std::size_t>(found - parameters.begin())];
  }
};

/// Returns whether the function tests for that value already, alone or together with others.
bool isKnown(const MoveContext &context, const Parameter &parameter, std::int64_t value) {
  const std::string_view body = context.nest.slice(context.nest.function.body);
  const std::string question = parameter.name + " == " + std::to_string(value);
  return body.find(question + ")") != std::string_view::npos || body.find(question + " ") != std::string_view::npos;
}

using Values = std::map<std::string, std::vector<int>>;

Values usableValues(const MoveContext &context) {
  Values usable;
  for (const auto &[name, values] : context.observed)
    if (const Parameter *parameter = integerNamed(context, name))
      for (const std::int64_t value : values)
        if (isUsable(*parameter, value) && !isKnown(context, *parameter, value))
          usable[name].push_back(static_cast<int>(value));
  return usable;
}

/// Strides matter together: a compiler that knows one of two can do little. If all benchmarks differ in all parameters,
/// as many values of each remain, in one order.
std::vector<Values> joint(const Values &usable) {
  if (usable.size() < 2)
    return {};
  const std::size_t count = usable.begin()->second.size();
  if (std::ranges::any_of(usable, [&](const auto &entry) { return entry.second.size() != count; }))
    return {usable};
  std::vector<Values> result(count);
  for (const auto &[name, values] : usable)
    for (std::size_t i = 0; i < count; ++i)
      result[i][name] = {values[i]};
  return result;
}

void offerSpecialise(const MoveContext &context, const Schedule &, MoveOffers &result) {
  const Values usable = usableValues(context);
  if (usable.empty())
    return;
  if (std::string reason = whyNotSpecialise(context); !reason.empty()) {
    result.refusals.push_back({"specialise", context.function, std::move(reason)});
    return;
  }
  for (Values &together : joint(usable))
    result.offers.push_back({"specialise", context.function, std::move(together)});
  for (const auto &[name, values] : usable)
    result.offers.push_back({"specialise", name, {{"value", values}}});
}

/// GCC refuses to inline a function into one with other target options.
std::string targetAttribute(std::string_view declaration) {
  const std::size_t begin = declaration.find("__attribute__((target(");
  const std::size_t end = begin == std::string_view::npos ? begin : declaration.find(")))", begin);
  return end == std::string_view::npos ? "" : std::string(declaration.substr(begin, end + 3 - begin)) + "\n";
}

std::string callOf(const MoveContext &context, const std::string &helper, const Fixed &fixed) {
  std::vector<std::string> arguments;
  for (const Parameter &parameter : context.nest.function.parameters)
    arguments.push_back(fixed.argument(parameter));
  return "return " + helper + "(" + join(arguments, ", ") + ");\n";
}

Result<Fixed> fixedBy(const MoveContext &context, const MoveStep &step) {
  std::map<std::string, int> wanted = step.parameters;
  if (step.target != context.function) {
    const auto value = TRY(parameterOf(step, "value", 0, INT32_MAX));
    wanted = {{step.target, value}};
  }
  if (wanted.empty())
    return illegalStep(step, "it names no value");
  Fixed fixed;
  for (const auto &[name, value] : wanted) {
    const Parameter *parameter = integerNamed(context, name);
    if (!parameter)
      return illegalStep(step, "there is no integer parameter '" + name + "'");
    if (!isUsable(*parameter, value))
      return illegalStep(step, "'" + name + "' never has that value");
  }
  for (const Parameter &parameter : context.nest.function.parameters)
    if (const auto found = wanted.find(parameter.name); found != wanted.end()) {
      fixed.parameters.push_back(&parameter);
      fixed.values.push_back(std::to_string(found->second));
    }
  return fixed;
}

Result<Rewrite> rewriteSpecialise(const MoveContext &context, const MoveStep &step) {
  const Nest &nest = context.nest;
  if (const std::string reason = whyNotSpecialise(context); !reason.empty())
    return illegalStep(step, reason);
  const auto fixed = TRY(fixedBy(context, step));

  const FunctionFacts &function = nest.function;
  const std::string helper = FreshNames(nest.surroundings + nest.text).make(context.function + "For");
  const std::string parameters(nest.slice(function.parameterList)), body(nest.slice(function.body));
  const std::size_t begin = declarationBegin(nest.text, function.body.begin);
  Rewrite result;
  result.edits.push_back({{begin, begin},
                          (begin == 0 ? "" : "\n\n") + targetAttribute(nest.slice({begin, function.body.begin})) +
                              "static inline __attribute__((always_inline)) " + function.returnType + " " + helper +
                              "(" + parameters + ")" + (function.isNoexcept ? " noexcept " : " ") + body + "\n\n"});
  result.edits.push_back({function.body, "{\nif (" + fixed.condition() + ")\n" + callOf(context, helper, fixed) +
                                             callOf(context, helper, {}) + "}"});
  result.why.push_back("The benchmarks have " + fixed.condition() + "; all other calls take '" + helper +
                       "' in general.");
  return result;
}

} // namespace

const Move kSpecialise = {
    .name = "specialise", .offer = offerSpecialise, .rewrite = rewriteSpecialise, .role = MoveRole::Hint};

} // namespace agentic::moves
