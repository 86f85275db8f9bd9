// shift-automaton(i): keeps the state of a state machine over bytes as a shift distance, so that a step costs only one
// shift: the next state no longer waits for a load from a table.
//
//   size_t state = 0;                       static constexpr auto kRows = [] { … of[byte] … }();
//   for (i …)                               unsigned long long shift = 6 * state;
//     state = kNext[state][kClass[s[i]]];   for (i …)
//                                      →      shift = kRows.of[s[i]] >> (shift & 63);
//                                           state = (shift & 63) / 6;
//
// The row of a byte holds, at bit 6 * s, six times the state after s. The compiler computes it from the kernel's own
// tables.
//
// Precondition: the next state is an expression of the state, one byte of input and constexpr tables; the state starts
// from a known constant and is changed nowhere else; the states that can be reached from there, computed when the move
// is offered, are at most 10 (or 10 multiples of one number: premultiplied states), and none of their steps is
// undefined for any byte. If the loop reads the state, or leaves early, the state is kept up to date.
#include "tool/source/moves/shift_automaton.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

class ShiftAutomatonWriting {
public:
  ShiftAutomatonWriting(const Nest &nest, const AutomatonPlan &plan)
      : nest_(nest), plan_(plan), state_(nest.variable(plan.state)), names_(nest.surroundings + nest.text),
        rows_(names_.make("kRows")), states_(names_.make("kStatesOf" + capitalised(state_.name))),
        shift_(names_.make("shift")), from_(names_.make("from")), input_(names_.make("input")),
        byte_(names_.make("value")), next_(names_.make("next")) {}

  std::string text() const {
    std::vector<Edit> edits = withoutHelpers();
    edits.push_back({plan_.update->range, step()});
    const std::string loop = applyEdits(nest_.text, plan_.loop->range, edits);
    std::string text = rows() + "unsigned long long " + shift_ + " = " + scaled(state_.name) + ";\n" + loop + "\n";
    if (!plan_.isSeen)
      text += decoded() + "\n";
    return "{\n" + text + "}";
  }

private:
  /// Drops the constants that only the next state used; in order, in front of the update.
  std::vector<Edit> withoutHelpers() const {
    std::string rest = nest_.text.substr(plan_.loop->range.begin, plan_.loop->range.end - plan_.loop->range.begin);
    const auto blank = [&](Range range) {
      rest.replace(range.begin - plan_.loop->range.begin, range.end - range.begin, range.end - range.begin, ' ');
    };
    blank(plan_.update->range);
    rest += " " + std::string(nest_.slice(plan_.input->range));
    std::vector<Edit> edits;
    for (auto helper = plan_.helpers.rbegin(); helper != plan_.helpers.rend(); ++helper) {
      const std::string &name = nest_.variable(*(*helper)->declares).name;
      const std::string before = rest;
      blank((*helper)->range);
      if (mentionsName(rest, name))
        rest = before;
      else
        edits.insert(edits.begin(), {(*helper)->range, ""});
    }
    return edits;
  }

  /// Returns the state as a shift distance.
  std::string scaled(const std::string &name) const {
    const std::string bits = std::to_string(AutomatonPlan::kBits);
    return plan_.unit == 1 ? bits + "ull * " + name
                           : bits + "ull * (" + name + " / " + std::to_string(plan_.unit) + ")";
  }
  std::string decoded() const {
    std::string value = "(" + shift_ + " & 63) / " + std::to_string(AutomatonPlan::kBits);
    if (plan_.unit != 1)
      value += " * " + std::to_string(plan_.unit);
    return state_.name + " = static_cast<" + state_.type + ">(" + value + ");";
  }
  std::string step() const {
    const std::string input(nest_.slice(plan_.input->range));
    const bool isByte = plan_.input->type == "unsigned char";
    const std::string update = shift_ + " = " + rows_ + ".of[" +
                               (isByte ? input : "static_cast<unsigned char>(" + input + ")") + "] >> (" + shift_ +
                               " & 63);";
    if (!plan_.isSeen)
      return update;
    const std::string both = update + "\n" + decoded();
    return isInBlock(nest_.text, nest_.bodyBegin, plan_.update->range.begin) ? both : "{\n" + both + "\n}";
  }

  /// Returns `expression` for the state `from_` and the byte `input_`.
  std::string inLambda(const Expression &expression) const {
    std::vector<Edit> edits;
    forEachExpression(expression, [&](const Expression &part) {
      const bool isInput = !part.range.isEmpty() && nest_.slice(part.range) == nest_.slice(plan_.input->range);
      const bool isState = part.kind == Expression::Kind::Variable && part.variable == plan_.state;
      if ((isInput || isState) && std::ranges::none_of(edits, [&](const Edit &e) { return e.range == part.range; }))
        edits.push_back({part.range, isInput ? input_ : from_});
      return !isInput;
    });
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    return applyEdits(nest_.text, expression.range, edits);
  }

  std::string rows() const {
    const std::string bits = std::to_string(AutomatonPlan::kBits), unit = std::to_string(plan_.unit);
    std::string text = "// For every byte, at bit " + bits + " * s: " + bits + " times the state after s" +
                       (plan_.unit == 1 ? "" : ", both divided by " + unit) + ".\n";
    text += "static constexpr auto " + rows_ + " = [] {\nconstexpr " + state_.type + " " + states_ + "[] = {" +
            stateList() + "};\nstruct {\nunsigned long long of[256] = {};\n} rows;\n";
    text += "for (unsigned " + byte_ + " = 0; " + byte_ + " < 256; ++" + byte_ + ")\nfor (const " + state_.type + " " +
            from_ + " : " + states_ + ") {\n";
    text += "const auto " + input_ + " = static_cast<" + plan_.input->type + ">(" + byte_ + ");\n";
    for (const Statement *helper : plan_.helpers)
      text += applyInHelper(*helper);
    text += "const " + state_.type + " " + next_ + " = " + inLambda(plan_.update->expression->operands[1]) + ";\n";
    text += "rows.of[" + byte_ + "] |= " + scaled(next_) + " << " + scaled(from_) + ";\n}\nreturn rows;\n}();\n";
    return text;
  }
  std::string stateList() const {
    std::string list;
    for (const std::int64_t state : plan_.states)
      list += (list.empty() ? "" : ", ") + std::to_string(state);
    return list;
  }
  std::string applyInHelper(const Statement &helper) const {
    const Variable &variable = nest_.variable(*helper.declares);
    return "const " + variable.type + " " + variable.name + " = " + inLambda(*helper.value) + ";\n";
  }

  const Nest &nest_;
  const AutomatonPlan &plan_;
  const Variable &state_;
  FreshNames names_;
  std::string rows_, states_, shift_, from_, input_, byte_, next_;
};

void offerShiftAutomaton(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const auto plan = planAutomaton(context.nest, *loop);
    if (plan)
      result.add({"shift-automaton", loop->name, {}}, plan->problem);
  }
}

Result<Rewrite> rewriteShiftAutomaton(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto plan = planAutomaton(context.nest, *loop);
  if (!plan)
    return illegalStep(step, "the loop '" + step.target + "' runs no state machine from tables");
  if (!plan->problem.empty())
    return illegalStep(step, plan->problem);
  const std::string name = context.nest.variable(plan->state).name;
  return Rewrite{{{loop->range, ShiftAutomatonWriting(context.nest, *plan).text()}},
                 {"From its start, '" + name + "' reaches " + std::to_string(plan->states.size()) +
                      " states whatever the bytes are: one row of 64 bits holds what a byte",
                  "makes of each of them, and a step waits for a shift instead of a load."}};
}

} // namespace

const Move kShiftAutomaton = {
    .name = "shift-automaton", .offer = offerShiftAutomaton, .rewrite = rewriteShiftAutomaton, .needsCxx = true};

} // namespace agentic::moves
