#include "tool/source/loops/code_text.h"
#include "tool/source/loops/evaluate.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/shift_automaton.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

class ShiftAutomatonPlanner {
public:
  ShiftAutomatonPlanner(const Nest &nest, const Loop &loop) : nest_(nest) { plan_.loop = &loop; }

  std::optional<AutomatonPlan> run() {
    findUpdate();
    if (!plan_.update)
      return std::nullopt;
    plan_.problem = whyNot();
    return std::move(plan_);
  }

private:
  const Variable &variable(VariableId id) const { return nest_.variable(id); }
  const Expression &next() const { return plan_.update->expression->operands[1]; }

  /// Finds a `state = …` that has the state inside a subscript of a table: a possible target.
  void findUpdate() {
    for (const Statement &statement : plan_.loop->body) {
      if (!statement.expression || statement.expression->kind != Kind::Assign || statement.expression->op != "=")
        continue;
      const Expression &target = statement.expression->operands[0];
      if (target.kind != Kind::Variable || !target.isInteger ||
          variable(*target.variable).kind != Variable::Kind::Scalar)
        continue;
      bool looksUp = false;
      forEachExpression(statement.expression->operands[1], [&](const Expression &part) {
        looksUp |= part.kind == Kind::Element && mentions(part, *target.variable);
        return true;
      });
      if (!looksUp)
        continue;
      plan_.update = &statement;
      plan_.state = *target.variable;
    }
  }

  std::string whyNot() {
    const Variable &state = variable(plan_.state);
    if (!plan_.loop->tiedDown.empty())
      return plan_.loop->tiedDown;
    if (state.isGlobal || state.escapes || state.changes != 1)
      return "'" + state.name + "' is changed in other places as well";
    const std::optional<std::int64_t> first = firstState();
    if (!first)
      return "the value that '" + state.name + "' starts from is not known";
    if (const std::string reason = findInput(next()); !reason.empty())
      return reason;
    if (!plan_.input)
      return "the next '" + state.name + "' does not depend on any input";
    if (const std::string reason = reach(*first); !reason.empty())
      return reason;
    findHelpers();
    if (const std::string reason = whyNotConstantExpression(); !reason.empty())
      return reason;
    if (const std::string reason = whyInputChanges(); !reason.empty())
      return reason;
    plan_.isSeen = isSeen();
    return {};
  }

  std::optional<std::int64_t> firstState() const {
    std::optional<std::int64_t> value;
    forEachStatement(nest_.statements, [&](const Statement &statement) {
      if (statement.declares == plan_.state && statement.value && statement.range.end <= plan_.loop->range.begin)
        value = statement.value->value;
    });
    return value;
  }

  /// Returns the declaration in the loop's body, before the update, of a constant that is computed from others.
  const Statement *helperFor(VariableId id) const {
    for (const Statement &statement : plan_.loop->body) {
      const bool isBefore = statement.range.end <= plan_.update->range.begin;
      if (isBefore && statement.declares == id && statement.value && variable(id).changes == 0 &&
          !variable(id).escapes && !statement.sharesDeclaration)
        return &statement;
    }
    return nullptr;
  }

  bool isInput(const Expression &expression) const {
    const bool isByte = expression.isInteger && expression.bits == 8 && expression.type != "bool" &&
                        expression.isPure && !expression.range.isEmpty();
    if (expression.kind == Kind::Element) {
      const Expression *base = &expression;
      while (base->kind == Kind::Element)
        base = &base->operands[0].plain();
      return isByte && !mentions(expression, plan_.state) &&
             (base->kind != Kind::Variable || variable(*base->variable).values.empty());
    }
    return expression.kind == Kind::Variable && isByte && expression.variable != plan_.state && !expression.value;
  }

  /// Sets plan_.input to the one part that is neither the state nor constant.
  std::string findInput(const Expression &expression, bool isConditional = false) {
    if (expression.value || (expression.kind == Kind::Variable && expression.variable == plan_.state))
      return {};
    if (expression.kind == Kind::Variable && expression.isInteger)
      if (const Statement *helper = helperFor(*expression.variable); helper && !isInput(helper->value->plain()))
        return findInput(*helper->value);
    if (isInput(expression)) {
      if (plan_.input && nest_.slice(plan_.input->range) != nest_.slice(expression.range))
        return "the next state depends on both '" + std::string(nest_.slice(plan_.input->range)) + "' and '" +
               std::string(nest_.slice(expression.range)) + "'";
      if (isConditional && !plan_.input && expression.kind == Kind::Element)
        return "'" + std::string(nest_.slice(expression.range)) + "' is read only under a condition";
      plan_.input = &expression;
      return {};
    }
    if (expression.kind == Kind::Variable && !expression.isInteger && !variable(*expression.variable).values.empty())
      return {};
    if (expression.operands.empty() || expression.kind == Kind::Other || expression.kind == Kind::Call)
      return "'" + std::string(nest_.slice(expression.range)) + "' is no byte of input and no constant table";
    const bool chooses = expression.kind == Kind::Conditional || expression.op == "&&" || expression.op == "||";
    for (std::size_t i = 0; i < expression.operands.size(); ++i)
      if (const std::string reason = findInput(expression.operands[i], isConditional || (chooses && i > 0));
          !reason.empty())
        return reason;
    return {};
  }

  std::optional<std::int64_t> nextOf(std::int64_t state, std::int64_t input) const {
    KnownValue known;
    known = [&](const Expression &part) -> std::optional<std::int64_t> {
      if (part.kind == Kind::Variable && part.variable == plan_.state)
        return state;
      if (!part.range.isEmpty() && part.kind == plan_.input->kind &&
          nest_.slice(part.range) == nest_.slice(plan_.input->range))
        return input;
      if (part.kind == Kind::Variable && part.isInteger && !part.value)
        if (const Statement *helper = helperFor(*part.variable))
          return evaluate(nest_, *helper->value, known);
      return std::nullopt;
    };
    return evaluate(nest_, next(), known);
  }

  /// Computes all states from the first one on, under every byte.
  std::string reach(std::int64_t first) {
    const std::string name = "'" + variable(plan_.state).name + "'";
    const std::int64_t lowest = plan_.input->isSigned ? -128 : 0;
    std::vector<std::int64_t> open = {first};
    plan_.states.insert(first);
    while (!open.empty()) {
      const std::int64_t state = open.back();
      open.pop_back();
      for (std::int64_t input = lowest; input < lowest + 256; ++input) {
        const auto next = nextOf(state, input);
        if (!next)
          return "what follows the state " + std::to_string(state) + " is not known for the byte " +
                 std::to_string(input & 255);
        if (plan_.states.insert(*next).second)
          open.push_back(*next);
        if (plan_.states.size() > AutomatonPlan::kMostStates)
          return name + " has more than " + std::to_string(AutomatonPlan::kMostStates) + " states";
      }
    }
    plan_.unit = 0;
    for (const std::int64_t state : plan_.states)
      plan_.unit = std::gcd(plan_.unit, state);
    plan_.unit = std::max<std::int64_t>(plan_.unit, 1);
    if (*plan_.states.begin() < 0 || *plan_.states.rbegin() / plan_.unit >= AutomatonPlan::kMostStates)
      return "the states of " + name + " are not small numbers";
    return {};
  }

  void findHelpers() {
    std::set<const Statement *> found;
    addHelpers(next(), found);
    for (const Statement &statement : plan_.loop->body)
      if (found.contains(&statement))
        plan_.helpers.push_back(&statement);
  }
  void addHelpers(const Expression &expression, std::set<const Statement *> &found) {
    forEachExpression(expression, [&](const Expression &part) {
      const bool isInputItself = nest_.slice(part.range) == nest_.slice(plan_.input->range);
      const Statement *helper = part.kind == Kind::Variable && !isInputItself ? helperFor(*part.variable) : nullptr;
      if (helper && found.insert(helper).second)
        addHelpers(*helper->value, found);
      return !isInputItself || part.range.isEmpty();
    });
  }

  /// A helper may have read the input earlier; the move reads it where the next state is computed.
  std::string whyInputChanges() const {
    if (plan_.helpers.empty())
      return {};
    for (const Statement &statement : plan_.loop->body) {
      const bool isBetween =
          plan_.helpers.front()->range.end <= statement.range.begin && statement.range.end <= plan_.update->range.begin;
      if (!isBetween)
        continue;
      const bool writesMemory = std::ranges::any_of(statement.accesses, &Access::writes);
      const bool writesPart = std::ranges::any_of(statement.references, [&](const Reference &reference) {
        return reference.writes && mentions(*plan_.input, reference.variable);
      });
      if (!statement.problem.empty() || writesPart || (writesMemory && readsMemory(*plan_.input)))
        return "'" + std::string(nest_.slice(plan_.input->range)) + "' may change before '" +
               variable(plan_.state).name + "' does";
    }
    return {};
  }

  /// Requires rows that the compiler can compute: from tables that it may read, in text whose parts the move can find.
  std::string whyNotConstantExpression() const {
    std::string reason;
    const auto check = [&](const Expression &expression) {
      forEachExpression(expression, [&](const Expression &part) {
        if (part.kind == Kind::Variable && !variable(*part.variable).values.empty() &&
            !variable(*part.variable).isConstexpr)
          reason = "the table '" + variable(*part.variable).name + "' is not constexpr";
        if (part.kind == Kind::Variable && part.variable == plan_.state && part.range.isEmpty())
          reason = "a macro writes '" + variable(plan_.state).name + "'";
        return true;
      });
    };
    check(next());
    for (const Statement *helper : plan_.helpers)
      check(*helper->value);
    if (next().range.isEmpty())
      reason = "a macro writes the next state";
    return reason;
  }

  bool isSeen() const {
    const Loop &loop = *plan_.loop;
    const std::string name = variable(plan_.state).name;
    const std::string_view text = nest_.text;
    // An early exit comes with a problem.
    if (!loop.problem.empty() || std::ranges::any_of(loop.body, [](const Statement &s) { return !s.problem.empty(); }))
      return true;
    const Range update = plan_.update->range;
    return mentionsName(text.substr(loop.range.begin, update.begin - loop.range.begin), name) ||
           mentionsName(text.substr(update.end, loop.range.end - update.end), name);
  }

  const Nest &nest_;
  AutomatonPlan plan_;
};

} // namespace

std::optional<AutomatonPlan> planAutomaton(const Nest &nest, const Loop &loop) {
  return ShiftAutomatonPlanner(nest, loop).run();
}

} // namespace agentic::moves
