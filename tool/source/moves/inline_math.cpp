// inline-math(i): calls of library functions on float in a loop become calls of a branch-free function in front of the
// kernel, which compilers inline and compute for many elements at once.
//
//   for (i …) y[i] = std::exp(x[i]);   →   static inline float expApprox(float x) { … }
//                                          for (i …) y[i] = expApprox(x[i]);
//
// Precondition: the contract declares a tolerance that is several times the replacement's error, which is measured over
// all floats; the project is not compiled with -ffast-math, under which compilers may cancel the steps that make the
// replacement exact. Infinities, NaN, overflow and subnormal results are as in the library; errno and the
// floating-point exception flags are not set.
#include "tool/source/moves/inline_math.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

struct Call {
  const MathFunction *function = nullptr;
  Range name;
};

/// Returns the function of the text before a call's first parenthesis, if that is a function's name and not a macro's.
const MathFunction *functionNamed(std::string_view name) {
  const auto found =
      std::ranges::find_if(mathFunctions(), [&](const MathFunction &function) { return function.isSpelling(name); });
  return found == mathFunctions().end() ? nullptr : &*found;
}

/// Collects the calls in one loop; those in loops inside it are theirs.
class Calls {
public:
  explicit Calls(const Nest &nest) : nest_(nest) {}

  std::vector<Call> in(const Loop &loop) {
    visit(loop.body);
    return std::move(found_);
  }

private:
  void visit(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      visit(statement.expression);
      visit(statement.value);
      if (statement.branch) {
        visit(statement.branch->condition);
        visit(statement.branch->thenBody);
        visit(statement.branch->elseBody);
      }
      if (statement.exitLoop && !statement.loop) {
        visit(statement.exitLoop->start);
        visit(statement.exitLoop->condition);
        visit(statement.exitLoop->step);
        visit(statement.exitLoop->body);
      }
    }
  }

  void visit(const std::optional<Expression> &expression) {
    if (expression)
      forEachExpression(*expression, [&](const Expression &inner) {
        add(inner);
        return true;
      });
  }

  void add(const Expression &expression) {
    const bool isOfFloat = expression.kind == Kind::Call && expression.isLibrary && expression.operands.size() == 1 &&
                           expression.type == "float" && expression.operands[0].type == "float";
    if (!isOfFloat || expression.range.isEmpty())
      return;
    const std::string_view text = nest_.slice(expression.range);
    const std::size_t parenthesis = text.find('(');
    if (parenthesis == std::string_view::npos)
      return;
    const std::string_view name = text.substr(0, text.find_last_not_of(" \t\n", parenthesis - 1) + 1);
    const MathFunction *function = functionNamed(name);
    const bool isNew =
        std::ranges::none_of(found_, [&](const Call &call) { return call.name.begin == expression.range.begin; });
    // A call from a macro has another name in front, or another function after the name.
    if (function && isNew && function->isSpelling(expression.op))
      found_.push_back({function, {expression.range.begin, expression.range.begin + name.size()}});
  }

  const Nest &nest_;
  std::vector<Call> found_;
};

std::string whyFlagsForbid(const MoveContext &context, const std::string &name) {
  return context.nest.function.mayReassociateByFlags
             ? name + " is not approximated where the project's flags let compilers cancel floating-point operations"
             : "";
}

/// Returns empty if the contract leaves room for the function's error, else the reason.
std::string whyNotApproximate(const MoveContext &context, const MathFunction &function) {
  constexpr double kMargin = 4;          // factor by which the rest of the kernel may enlarge an error
  constexpr double kAbsoluteMargin = 32; // the same for a tolerance that says nothing of how large results are
  constexpr double kUlp = 0x1p-23;
  const std::string name = "'" + std::string(function.name) + "'";
  const auto tooLittle = [&](double margin) {
    return name + " may not be approximated: the declared tolerance is less than " +
           std::to_string(static_cast<int>(margin)) + " times the approximation's error";
  };
  if (!context.hasTolerance || !context.contract || !context.contract->tolerance)
    return name + " may not be approximated: the contract declares no tolerance";
  const Tolerance &tolerance = *context.contract->tolerance;
  // Of results around 1. Those that are larger than the margin bears differ by no more than orders of a sum do, which
  // a tolerance permits too: whether that is too much is seen where candidates run.
  if (tolerance.kind == Tolerance::Kind::Absolute)
    return tolerance.value >= kAbsoluteMargin * function.errorInUlp * kUlp / 2 ? whyFlagsForbid(context, name)
                                                                               : tooLittle(kAbsoluteMargin);
  const double allowed = tolerance.kind == Tolerance::Kind::Ulp ? tolerance.value : tolerance.value / kUlp;
  if (!(allowed >= kMargin * function.errorInUlp))
    return tooLittle(kMargin);
  return whyFlagsForbid(context, name);
}

/// Removes comments and white space: the same code in any layout.
std::string squeezed(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with("//"))
      at = std::min(text.find('\n', at), text.size() - 1);
    else if (text[at] != ' ' && text[at] != '\t' && text[at] != '\n')
      result += text[at];
  }
  return result;
}

std::string calledName(std::string_view definition, const std::string &name) {
  std::string text(definition);
  text.replace(text.find('@'), 1, name);
  return text;
}

void offerInlineMath(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const std::vector<Call> calls = Calls(context.nest).in(*loop);
    std::string reason;
    for (const Call &call : calls)
      if (reason.empty())
        reason = whyNotApproximate(context, *call.function);
    if (!reason.empty())
      result.refusals.push_back({"inline-math", loop->name, reason});
    else if (!calls.empty())
      result.offers.push_back({"inline-math", loop->name, {}});
  }
}

Result<Rewrite> rewriteInlineMath(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const Nest &nest = context.nest;
  Rewrite result;
  FreshNames names(nest.surroundings + nest.text);
  const std::string before = squeezed(nest.text);
  const std::size_t begin = declarationBegin(nest.text, nest.bodyBegin);
  std::vector<std::pair<const MathFunction *, std::string>> made;
  std::string definitions;
  for (const Call &call : Calls(nest).in(*loop)) {
    if (const std::string reason = whyNotApproximate(context, *call.function); !reason.empty())
      return illegalStep(step, reason);
    auto known = std::ranges::find(made, call.function, &std::pair<const MathFunction *, std::string>::first);
    if (known == made.end()) {
      std::string name = std::string(call.function->name) + "Approx";
      // An earlier step for another loop may have added it.
      if (before.find(squeezed(calledName(call.function->definition, name))) == std::string::npos) {
        name = names.make(name);
        definitions += calledName(call.function->definition, name) + "\n";
      }
      known = made.insert(made.end(), {call.function, name});
      result.why.push_back("In '" + step.target + "', " + name + " takes the place of " +
                           std::string(call.function->name) + ": off by at most " +
                           fmt::format("{:.1f}", call.function->errorInUlp) + " units in the last place, which the");
      result.why.push_back("contract's tolerance leaves room for.");
    }
    result.edits.push_back({call.name, known->second});
  }
  if (result.edits.empty())
    return illegalStep(step,
                       "the loop '" + step.target + "' calls none of the functions that there are replacements for");
  if (!definitions.empty())
    result.edits.push_back({{begin, begin}, definitions});
  return result;
}

} // namespace

const Move kInlineMath = {"inline-math", offerInlineMath, nullptr, rewriteInlineMath};

} // namespace agentic::moves
