// inline-call(clip): the text of a function of the project stands in the place of its calls.
//
//   for (i …)                                for (i …) {
//     row(out + i * n, in + i * n, n);         const float *p = in + i * n;
//                                       →      float *q = out + i * n;
//                                              for (j …) q[j] = (p[j] < 0 ? 0 : p[j]);
//                                            }
//
// A compiler inlines it, too, but only after the moves, which see a call that may do anything. Algorithms of the
// standard library over numbers become the loops that the standard says they are: passes over the same data can then be
// fused.
//
// Legal if the function is written beside the kernel (a variant notices when it changes; headers are not watched), if
// it returns at its end only, and if every word in it means the same in the kernel. Its parameters become variables
// that hold what is passed, or are named as the variable that is passed if neither of them changes. Its statements
// stand in front of the statement of the call if nothing else of that statement is done before the call, or if the
// function changes nothing. A function that is nothing but a value that changes nothing is written where it is called.
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <map>
#include <set>

namespace agentic::moves {
namespace {

constexpr std::size_t kShortArgument = 24;    // characters of one that may be written several times
constexpr std::size_t kMostCharacters = 8000; // that all calls of a function may add

std::size_t usesOf(const HelperCall &call, std::size_t name) {
  return call.body.count(name) + call.value.count(name);
}

/// How a call is written.
enum class Form {
  Value,      ///< the value, with the arguments in it
  Statements, ///< copies of the arguments and the function's statements in front of the call's statement
  None
};

/// Returns whether the arguments may be written where the parameters stand.
bool areWrittenInPlace(const HelperCall &call, const Nest &nest, bool mayBeLong) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const HelperCall::Argument &argument = call.arguments[i];
    const std::string_view text = nest.slice(argument.range);
    const bool isShort = usesOf(call, i) < 2 || isName(text) ||
                         (text.size() <= kShortArgument && text.find('(') == std::string_view::npos);
    const bool isCastPointer = argument.isPointer && !argument.castType.empty();
    if (!argument.changesNothing || isCastPointer || (!isShort && !mayBeLong))
      return false;
  }
  return true;
}

Form formOf(const HelperCall &call, const Nest &nest) {
  const bool isValue = call.body.isEmpty() && call.mayStandInPlace && !call.isStatement;
  if (isValue && areWrittenInPlace(call, nest, false))
    return Form::Value;
  if (!call.statement.isEmpty())
    return Form::Statements;
  return isValue && areWrittenInPlace(call, nest, true) ? Form::Value : Form::None;
}

class Writing {
public:
  /// All calls are of one function.
  Writing(const Nest &nest, std::vector<const HelperCall *> calls)
      : nest_(nest), calls_(std::move(calls)), names_(textWithoutFunctions()) {}

  std::vector<Edit> edits() {
    for (const HelperCall *call : calls_)
      if (formOf(*call, nest_) == Form::Value)
        inside_.push_back({call->range, call->value.with(argumentsOf(*call))});
      else
        writeStatements(*call);
    return joined();
  }

private:
  /// Returns the text in which names are taken; those in the functions themselves are free.
  std::string textWithoutFunctions() const {
    std::set<std::pair<std::size_t, std::size_t>> functions;
    for (const HelperCall *call : calls_)
      functions.emplace(call->definition.begin, call->definition.end);
    std::string text = nest_.surroundings;
    for (auto function = functions.rbegin(); function != functions.rend(); ++function)
      text.erase(function->first, function->second - function->first);
    return text + nest_.text;
  }

  std::vector<std::string> argumentsOf(const HelperCall &call) const {
    std::vector<std::string> names = call.names;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const HelperCall::Argument &argument = call.arguments[i];
      const std::string text(nest_.slice(argument.range));
      names[i] = argument.castType.empty() ? closed(text) : castTo(argument.castType, text);
    }
    return names;
  }

  void writeStatements(const HelperCall &call) {
    const bool isQuiet = std::ranges::all_of(call.arguments, &HelperCall::Argument::changesNothing);
    std::vector<std::string> names = call.names;
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const HelperCall::Argument *argument = i < call.arguments.size() ? &call.arguments[i] : nullptr;
      if (argument && argument->isVariable && (isQuiet || argument->isReference)) {
        names[i] = nest_.slice(argument->range);
        continue;
      }
      if (argument && isQuiet && usesOf(call, i) == 0)
        continue;
      names[i] = names_.make(names[i].empty() ? "unused" : names[i]);
      if (argument)
        text += argument->declaration.with(names) + " = " + std::string(nest_.slice(argument->range)) + ";\n";
    }
    if (!call.body.isEmpty())
      text += std::string(trim(call.body.with(names))) + "\n";
    const std::string value = call.value.with(names);
    Front &front = fronts_[call.statement.begin];
    front.statement = call.statement;
    front.text += text;
    if (!call.isStatement)
      inside_.push_back({call.range, value});
    else if (call.changesNothing || value.empty())
      front.isAll = true;
    else
      inside_.push_back({call.range, castTo("void", value)});
  }

  /// Returns edits that are disjoint: those inside of statements that something stands in front of are part of it.
  std::vector<Edit> joined() {
    std::ranges::sort(inside_, {}, [](const Edit &edit) { return edit.range.begin; });
    std::vector<Edit> edits;
    for (const Edit &edit : inside_)
      if (std::ranges::none_of(fronts_, [&](const auto &front) { return front.second.statement.contains(edit.range); }))
        edits.push_back(edit);
    for (const auto &[begin, front] : fronts_) {
      std::string text = front.text;
      if (!front.isAll)
        text += applyEdits(nest_.text, front.statement, inside_);
      const bool isInside = isInBlock(nest_.text, nest_.bodyBegin, begin);
      edits.push_back({front.statement, isInside ? text : "{\n" + text + "\n}"});
    }
    return edits;
  }

  struct Front {
    Range statement;
    std::string text;
    bool isAll = false; ///< nothing of the statement is left
  };
  const Nest &nest_;
  std::vector<const HelperCall *> calls_;
  FreshNames names_;
  std::vector<Edit> inside_;
  std::map<std::size_t, Front> fronts_; ///< by the begin of the statement
};

/// The calls of a function that can be written, or why there is none.
struct Plan {
  std::vector<const HelperCall *> calls;
  std::string problem;
  bool isWorthIt = false; ///< a loop is involved
};

Plan planOf(const Nest &nest, std::string_view function) {
  Plan plan;
  std::vector<const HelperCall *> possible;
  for (const HelperCall &call : nest.calls) {
    if (call.function != function)
      continue;
    const bool isPass = call.definition.isEmpty() && call.isStatement; // a copy alone is best left to the library
    plan.isWorthIt |= isPass ? !nest.loops.empty() : call.isInLoop || call.hasLoop;
    if (!call.problem.empty())
      plan.problem = call.problem;
    else if (formOf(call, nest) == Form::None)
      plan.problem = "it is called within an expression or a condition, and is more than one value";
    else
      possible.push_back(&call);
  }
  std::size_t added = 0;
  for (const HelperCall *call : possible) {
    const bool holdsOther = std::ranges::any_of(possible, [&](const HelperCall *other) {
      return other != call && call->range.contains(other->range); // its turn comes when that one is written
    });
    if (holdsOther)
      continue;
    plan.calls.push_back(call);
    added += call->body.size() + call->value.size();
  }
  if (added > kMostCharacters)
    return {{}, "it is too long to be written at each call", plan.isWorthIt};
  return plan;
}

void offerInlineCall(const MoveContext &context, const Schedule &, MoveOffers &result) {
  std::set<std::string, std::less<>> functions;
  for (const HelperCall &call : context.nest.calls)
    functions.insert(call.function);
  for (const std::string &function : functions) {
    Plan plan = planOf(context.nest, function);
    if (!plan.isWorthIt)
      continue;
    if (!plan.calls.empty())
      result.offers.push_back({"inline-call", function, {}});
    else
      result.refusals.push_back({"inline-call", function, "the call of '" + function + "': " + plan.problem});
  }
}

Result<Rewrite> rewriteInlineCall(const MoveContext &context, const MoveStep &step) {
  Plan plan = planOf(context.nest, step.target);
  if (plan.calls.empty())
    return illegalStep(step, plan.problem.empty()
                                 ? "'" + step.target + "' is not called, or not written beside the kernel"
                                 : plan.problem);
  return Rewrite{Writing(context.nest, std::move(plan.calls)).edits(),
                 {"What '" + step.target + "' does is written where it was called."}};
}

} // namespace

const Move kInlineCall = {"inline-call", offerInlineCall, nullptr, rewriteInlineCall, MoveRole::Form};

} // namespace agentic::moves
