// guard-aliasing(f): tests once per call whether arguments that the contract declares as possibly overlapping do
// overlap; if so, the original runs. The rest of the function may take them to be disjoint.
//
//   AGENTIC_MAY_ALIAS(a, b)         static void fOverlapping(…) { … }   // the original
//   void f(…) { … }            →    static bool overlap(…) { … }
//                                   void f(…) {
//                                     if (overlap(a, sizeof(*a) * n, b, sizeof(*b) * n))
//                                       return fOverlapping(…);
//                                     …
//                                   }
//
// Precondition: both parameters are plain pointers with extents in the contract; every parameter has a name and can be
// passed on without a visible copy; the function keeps nothing in static variables.
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

std::string whyNotGuarded(const MoveContext &context, const std::pair<std::string, std::string> &pair) {
  if (pair.first == pair.second)
    return "'" + pair.first + "' is declared to overlap itself";
  for (const std::string &name : {pair.first, pair.second}) {
    const Parameter *parameter = context.nest.function.parameter(name);
    if (!parameter || !parameter->type.ends_with("*"))
      return "'" + name + "' is no pointer";
    if (!extentOf(*context.contract, name))
      return "the contract declares no extent of '" + name + "'";
  }
  return {};
}

/// Returns the pairs that a test can keep apart. Empty, and the reason, if there are none.
std::vector<AliasPair> pairsOf(const MoveContext &context, std::string &reason) {
  const FunctionFacts &function = context.nest.function;
  std::vector<AliasPair> pairs;
  if (!context.contract || context.nest.mayAlias.empty()) {
    reason = "no arguments are declared to overlap";
    return pairs;
  }
  const auto isNameless = [](const Parameter &parameter) { return parameter.name.empty(); };
  if (function.parameterList.isEmpty() || function.body.isEmpty() || function.isVariadic || !function.copiesAreFree ||
      std::ranges::any_of(function.parameters, isNameless))
    reason = "the arguments cannot be passed on to a copy of the function";
  else if (function.hasStaticLocal)
    reason = "the function keeps something in a static variable";
  if (!reason.empty())
    return pairs;
  for (const auto &pair : context.nest.mayAlias)
    if (const std::string why = whyNotGuarded(context, pair); why.empty())
      pairs.push_back({pair.first, pair.second});
    else
      reason = why;
  return pairs;
}

/// Widens every number of the extent first: products of int parameters must not overflow.
std::string widened(const FunctionFacts &function, const std::string &extent) {
  std::string result;
  for (std::size_t at = 0; at < extent.size();) {
    std::size_t end = at;
    while (end < extent.size() && isWordCharacter(extent[end]))
      ++end;
    if (end == at) {
      result += extent[at++];
      continue;
    }
    const std::string word = extent.substr(at, end - at);
    const Parameter *parameter = function.parameter(word);
    const bool isNarrow = parameter && parameter->isInteger && parameter->type != "unsigned long";
    result += isNarrow ? "static_cast<long long>(" + word + ")" : word;
    at = end;
  }
  return result;
}

std::string bytesOf(const MoveContext &context, const std::string &name) {
  const std::string extent = "(" + widened(context.nest.function, extentOf(*context.contract, name)->text) + ")";
  const Parameter *parameter = context.nest.function.parameter(name);
  return parameter && parameter->type.ends_with("void *") ? extent : "sizeof(*" + name + ") * " + extent;
}

/// Writes `static void fOverlapping(…) { … }`
std::string originalUnder(const Nest &nest, const std::string &name) {
  const FunctionFacts &function = nest.function;
  return "// The original, for arguments that overlap.\nstatic " + function.returnType + " " + name + "(" +
         std::string(nest.slice(function.parameterList)) + ")" + (function.isNoexcept ? " noexcept " : " ") +
         std::string(nest.slice(function.body)) + "\n\n";
}

/// Uses differences of unsigned numbers, so that no sum can wrap.
std::string overlapTest(const std::string &name) {
  return "// Whether two pieces of memory have a byte in common.\nstatic bool " + name +
         "(const void *left, unsigned long leftBytes, const void *right, unsigned long rightBytes) {\n"
         "if (leftBytes > ~0ul / 4 || rightBytes > ~0ul / 4)\n  return true;\n"
         "const auto *first = static_cast<const char *>(left);\n"
         "const auto *second = static_cast<const char *>(right);\n"
         "return (second <= first && first < second + rightBytes) || (first <= second && second < first + "
         "leftBytes);\n}\n\n";
}

void offerGuardAliasing(const MoveContext &context, const Schedule &, MoveOffers &result) {
  std::string reason;
  if (!pairsOf(context, reason).empty())
    result.offers.push_back({"guard-aliasing", context.function, {}});
  else if (context.contract && !context.contract->mayAlias.empty())
    result.refusals.push_back({"guard-aliasing", context.function, std::move(reason)});
}

Result<Rewrite> rewriteGuardAliasing(const MoveContext &context, const MoveStep &step) {
  std::string reason;
  if (step.target != context.function)
    return illegalStep(step, "the kernel is called '" + context.function + "'");
  const std::vector<AliasPair> pairs = pairsOf(context, reason);
  if (pairs.empty())
    return illegalStep(step, reason);
  const Nest &nest = context.nest;
  FreshNames names(nest.surroundings + nest.text);
  const std::string original = names.make(context.function + "Overlapping"), overlap = names.make("overlap");
  std::vector<std::string> tests, arguments, quoted;
  for (const AliasPair &pair : pairs) {
    tests.push_back(overlap + "(" + pair.first + ", " + bytesOf(context, pair.first) + ", " + pair.second + ", " +
                    bytesOf(context, pair.second) + ")");
    quoted.push_back("'" + pair.first + "' and '" + pair.second + "'");
  }
  for (const Parameter &parameter : nest.function.parameters)
    arguments.push_back(parameter.name);
  const std::size_t start = nest.function.body.begin + 1;
  const std::size_t front =
      declarationBegin(nest.text, start); // after the functions that earlier steps made, because it calls them
  return Rewrite{{{{front, front}, (front == 0 ? "" : "\n\n") + originalUnder(nest, original) + overlapTest(overlap)},
                  {{start, start},
                   "\nif (" + join(tests, " || ") + ")\nreturn " + original + "(" + join(arguments, ", ") + ");\n"}},
                 {join(quoted, ", ") + " may overlap: if they do, the original runs, and what follows may take them to "
                                       "be disjoint."},
                 pairs};
}

} // namespace

const Move kGuardAliasing = {"guard-aliasing", offerGuardAliasing, nullptr, rewriteGuardAliasing, MoveRole::Enabler};

} // namespace agentic::moves
