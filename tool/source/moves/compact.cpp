// compact(i, block=64): what iterations append under a condition goes into a small array first, where every iteration
// writes, and the next one writes over it if the condition did not hold. Whole blocks are then copied behind each
// other.
//
//   for (i …)                        →   for (i0 …; i0 += kBlockI) {
//     if (x[i] < pivot)                    int lessBlock[kBlockI];
//       less[n++] = x[i];                  size_t lessFound = 0;
//                                          for (ii …) { lessBlock[lessFound] = x[i]; lessFound += x[i] < pivot; }
//                                          for (k < lessFound) less[n + k] = lessBlock[k];
//                                          n += lessFound;
//                                        }
//
// A condition that nothing predicts costs no wrong guess: there is no branch. `else` may append to another array.
//
// Legal if nothing else happens in the loop, if each array is appended to through a counter of its own with which the
// loop does nothing else, if what is appended may be computed in every iteration (it has no effect, cannot trap, and
// reads what the iteration reads anyway), and if no iteration reads what may be appended: the elements reach their
// arrays later, in their order, and no other element is touched.
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"
#include "tool/source/moves/speculation.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <optional>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// `array[counter] = value`, with the counter stepped behind it, or before
struct Append {
  VariableId array{}, counter{};
  const Expression *element = nullptr, *value = nullptr;
  bool isElse = false, isBehindStep = false;
};

struct CompactPlan {
  std::vector<const Statement *> declarations; ///< in front of the `if`
  const Branch *branch = nullptr;
  std::vector<Append> appends;
  std::string problem;
};

/// Returns the variable of `n++` and `++n`, and of `n += 1`.
std::optional<VariableId> stepped(const Expression &expression) {
  const bool isUp = expression.kind == Kind::Unary && (expression.op == "++" || expression.op == "post++");
  const bool isSum = expression.kind == Kind::Assign && expression.op == "+=" && expression.operands[1].value == 1;
  return isUp || isSum ? expression.operands[0].plain().variable : std::nullopt;
}

class CompactPlanner {
public:
  CompactPlanner(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop), effects_(effectsOf(loop)) {}

  CompactPlan run() {
    plan_.problem = whyNot();
    return std::move(plan_);
  }

private:
  std::string whyNot() {
    if (!loop_.problem.empty())
      return loop_.problem;
    for (const Statement &statement : loop_.body) {
      if (!statement.problem.empty())
        return statement.problem;
      if (plan_.branch || statement.loop || (!statement.declares && !statement.branch))
        return kNothingElse;
      if (statement.branch)
        plan_.branch = statement.branch.get();
      else if (std::string reason = whyNotDeclared(statement); !reason.empty())
        return reason;
    }
    if (!plan_.branch)
      return kNothingElse;
    if (!plan_.branch->problem.empty())
      return plan_.branch->problem;
    if (!plan_.branch->condition.isPure || plan_.branch->condition.range.isEmpty())
      return "the condition has an effect, or comes from a macro";
    for (const auto &[body, isElse] :
         {std::pair(&plan_.branch->thenBody, false), std::pair(&plan_.branch->elseBody, true)})
      if (std::string reason = whyNotAppending(*body, isElse); !reason.empty())
        return reason;
    if (plan_.appends.empty())
      return kNothingElse;
    return whyInTheWay();
  }

  std::string whyNotDeclared(const Statement &statement) {
    const Variable &variable = nest_.variable(*statement.declares);
    if (variable.kind != Variable::Kind::Scalar || variable.isMutated || variable.escapes || !statement.value ||
        !statement.value->isPure || statement.sharesDeclaration)
      return "'" + variable.name + "' is no constant local number";
    plan_.declarations.push_back(&statement);
    return {};
  }

  /// Reads `array[n++] = value;`, `array[n] = value; … ++n;` and `++n; array[n] = value; …`.
  std::string whyNotAppending(const std::vector<Statement> &body, bool isElse) {
    std::vector<Append> open;         // their counters have not stepped
    std::set<VariableId> ahead, used; // counters that stepped before their elements
    for (const Statement &statement : body) {
      if (!statement.problem.empty() || !statement.expression)
        return statement.problem.empty() ? kNothingElse : statement.problem;
      const Expression &whole = *statement.expression;
      if (const auto counter = stepped(whole)) {
        const auto isIts = [&](const Append &append) { return append.counter == *counter; };
        const bool isAhead = std::ranges::none_of(open, isIts);
        if (isAhead && (!ahead.insert(*counter).second || std::ranges::any_of(plan_.appends, isIts)))
          return kNothingElse; // it steps twice
        std::ranges::copy_if(open, std::back_inserter(plan_.appends), isIts);
        std::erase_if(open, isIts);
        continue;
      }
      std::optional<Append> append = appendOf(whole, isElse);
      if (!append)
        return kNothingElse;
      const std::string &step = whole.operands[0].operands[1].plain().op;
      const bool isBehind = ahead.contains(append->counter);
      if (isBehind && !step.empty())
        return kNothingElse;
      append->isBehindStep = isBehind || step == "++";
      used.insert(append->counter);
      (isBehind || !step.empty() ? plan_.appends : open).push_back(*append);
    }
    return open.empty() && std::ranges::includes(used, ahead) ? std::string() : kNothingElse;
  }

  static std::optional<Append> appendOf(const Expression &whole, bool isElse) {
    if (whole.kind != Kind::Assign || whole.op != "=" || whole.operands[0].kind != Kind::Element ||
        whole.operands[0].operands.size() != 2 || !whole.operands[0].isArithmetic())
      return std::nullopt;
    const Expression &element = whole.operands[0];
    const Expression &array = element.operands[0].plain(), &index = element.operands[1].plain();
    const bool steps = index.kind == Kind::Unary && (index.op == "post++" || index.op == "++");
    const Expression &counter = steps ? index.operands[0].plain() : index;
    if (array.kind != Kind::Variable || counter.kind != Kind::Variable || counter.bits < 32)
      return std::nullopt;
    return Append{*array.variable, *counter.variable, &element, &whole.operands[1], isElse};
  }

  std::string whyInTheWay() const {
    for (const Append &append : plan_.appends) {
      const Variable &counter = nest_.variable(append.counter), &array = nest_.variable(append.array);
      if (array.changes != 0 || (array.kind != Variable::Kind::Pointer && array.extent == 0) || array.isGlobal)
        return "'" + array.name + "' is no array or pointer that stays where it is";
      const bool isCounter = counter.kind == Variable::Kind::Scalar && !counter.isFloating && !counter.escapes &&
                             !counter.isGlobal && !effects_.declared.contains(append.counter);
      if (!isCounter || mentionsElsewhere(append))
        return "'" + counter.name + "' is no counter of '" + array.name + "' alone";
      for (const Append &other : plan_.appends)
        if (&other != &append && (other.array == append.array || nest_.mayOverlap(other.array, append.array) ||
                                  (other.counter == append.counter && other.isElse != append.isElse)))
          return "'" + array.name + "' is appended to in two places";
      for (const Access *access : effects_.accesses)
        if (!access->writes && mayBeSameArray(nest_, access->base, append.array))
          return "'" + access->text + "' may be what the loop appends to '" + array.name + "'";
      if (std::string reason = whyNotSpeculative(nest_, *append.value, kWhere,
                                                 [&](const Expression &element) { return whyNotRead(element); });
          !reason.empty())
        return reason;
    }
    return {};
  }

  /// Returns whether a condition or a value uses the counter.
  bool mentionsElsewhere(const Append &append) const {
    const auto uses = [&](const Expression &expression) { return mentions(expression, append.counter); };
    return uses(plan_.branch->condition) ||
           std::ranges::any_of(plan_.appends, [&](const Append &other) { return uses(*other.value); }) ||
           std::ranges::any_of(plan_.declarations, [&](const Statement *one) { return uses(*one->value); });
  }

  /// The condition and the declarations are evaluated in every iteration, but for what stands behind && and the like.
  std::string whyNotRead(const Expression &element) const {
    const std::string_view text = nest_.slice(element.range);
    bool isRead = false;
    const auto look = [&](const Expression &whole) {
      forEachExpression(whole, [&](const Expression &part) {
        isRead |= part.kind == element.kind && nest_.slice(part.range) == text && !part.range.isEmpty();
        const bool isChoice =
            part.kind == Kind::Conditional || (part.kind == Kind::Binary && (part.op == "&&" || part.op == "||"));
        return !isChoice;
      });
    };
    look(firstOf(plan_.branch->condition));
    for (const Statement *one : plan_.declarations)
      look(*one->value);
    return isRead ? std::string() : "'" + std::string(text) + "' would be read " + kWhere;
  }
  /// Returns the part of a condition that is evaluated first.
  static const Expression &firstOf(const Expression &condition) {
    const Expression &plain = condition.plain();
    const bool isChain = plain.kind == Kind::Binary && (plain.op == "&&" || plain.op == "||");
    return isChain ? firstOf(plain.operands[0]) : plain;
  }

  inline static const std::string kNothingElse = "it does more than append elements under a condition, or less";
  inline static const std::string kWhere = "in an iteration that does not append it";

  const Nest &nest_;
  const Loop &loop_;
  LoopEffects effects_;
  CompactPlan plan_;
};

std::string whyNotCompact(const MoveContext &context, const Loop &loop, const CompactPlan &plan, int block) {
  if (!plan.problem.empty())
    return plan.problem;
  return isRestOfBlocks(context.nest, loop) ? "it only does what blocks left over"
                                            : whyNotCut(context.nest, loop, block);
}

void offerCompact(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (containsLoop(*loop))
      continue;
    const CompactPlan plan = CompactPlanner(context.nest, *loop).run();
    if (std::string reason = whyNotCompact(context, *loop, plan, 16); reason.empty())
      result.offers.push_back({"compact", loop->name, {{"block", {64, 256}}}});
    else if (plan.branch && !plan.appends.empty()) // of others there is nothing to say
      result.refusals.push_back({"compact", loop->name, std::move(reason)});
  }
}

class CompactWriting {
public:
  CompactWriting(const Nest &nest, const Loop &loop, int block, const CompactPlan &plan)
      : nest_(nest), loop_(loop), plan_(plan), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, block, "kBlock", "iterations whose elements are copied at once", names_)),
        lane_(laneName(nest, loop, names_)), holds_(names_.make("holds")), place_(names_.make("k")) {
    for (const Append &append : plan.appends) {
      blocks_.push_back(names_.make(nest.variable(append.array).name + "Block"));
      const bool isKnown =
          std::ranges::any_of(counters_, [&](const Counter &counter) { return counter.id == append.counter; });
      if (!isKnown)
        counters_.push_back({append.counter, names_.make(nest.variable(append.counter).name + "Found"), append.isElse});
    }
  }

  std::string text() const {
    std::string text = "{\n" + cut_.declarations + cut_.blockHeader + " {\n";
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      text += plan_.appends[i].element->type + " " + blocks_[i] + "[" + cut_.size + "];\n";
    for (const Counter &counter : counters_)
      text += nest_.variable(counter.id).type + " " + counter.found + " = 0;\n";
    text += "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; ++" + lane_ + ") {\nconst " +
            cut_.type + " " + nest_.variable(loop_.variable).name + " = " + cut_.start + " + " + lane_ + ";\n";
    for (const Statement *declaration : plan_.declarations)
      text += std::string(nest_.slice(declaration->range)) + "\n";
    text += "const int " + holds_ + " = (" + std::string(nest_.slice(plan_.branch->condition.range)) + ") ? 1 : 0;\n";
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      text += blocks_[i] + "[" + found(i) + "] = " + std::string(nest_.slice(plan_.appends[i].value->range)) + ";\n";
    for (const Counter &counter : counters_)
      text += counter.found +
              " += " + castTo(nest_.variable(counter.id).type, (counter.isElse ? "1 - " : "") + holds_) + ";\n";
    text += "}\n";
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Append &append = plan_.appends[i];
      text += "for (" + nest_.variable(append.counter).type + " " + place_ + " = 0; " + place_ + " < " + found(i) +
              "; ++" + place_ + ")\n" + nest_.variable(append.array).name + "[" + nest_.variable(append.counter).name +
              (append.isBehindStep ? " + 1 + " : " + ") + place_ + "] = " + blocks_[i] + "[" + place_ + "];\n";
    }
    for (const Counter &counter : counters_)
      text += nest_.variable(counter.id).name + " += " + counter.found + ";\n";
    return text + "}\n" + cut_.rest + "}";
  }

private:
  struct Counter {
    VariableId id;
    std::string found;
    bool isElse;
  };

  const std::string &found(std::size_t append) const {
    return std::ranges::find(counters_, plan_.appends[append].counter, &Counter::id)->found;
  }

  const Nest &nest_;
  const Loop &loop_;
  const CompactPlan &plan_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, holds_, place_;
  std::vector<std::string> blocks_; ///< of each append
  std::vector<Counter> counters_;
};

Result<Rewrite> rewriteCompact(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto block = TRY(parameterOf(step, "block", 2, 1024));
  const CompactPlan plan = CompactPlanner(context.nest, *loop).run();
  if (const std::string reason = whyNotCompact(context, *loop, plan, block); !reason.empty())
    return illegalStep(step, reason);
  return Rewrite{{{loop->range, CompactWriting(context.nest, *loop, block, plan).text()}},
                 {"What iterations of '" + loop->name +
                  "' append is collected for a block, without a branch, and copied behind the rest: the same elements "
                  "in the same order, and no other is touched."}};
}

} // namespace

const Move kCompact = {"compact", offerCompact, nullptr, rewriteCompact};

} // namespace agentic::moves
