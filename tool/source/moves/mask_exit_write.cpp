#include "tool/source/loops/assignment.h"
#include "tool/source/moves/mask_exit.h"

#include <algorithm>
#include <cctype>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

struct Names {
  std::string lanes, lane, start, end, active, isActive, anyActive;
  std::map<VariableId, std::string> arrays;
};

Names namesFor(const MaskPlan &plan) {
  FreshNames fresh(plan.nest.surroundings + "\n" + plan.nest.text);
  std::string variable = plan.variable(plan.outer.variable).name;
  Names names;
  names.start = fresh.make(variable + "0");
  names.end = fresh.make(variable + "End");
  for (const VariableId id : plan.lanes)
    names.arrays[id] = fresh.make(plan.variable(id).name + "Lanes");
  variable[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(variable[0])));
  names.lanes = fresh.make("kLanes" + variable);
  names.lane = fresh.make("lane");
  names.active = fresh.make("activeLanes");
  names.isActive = fresh.make("isActive");
  names.anyActive = fresh.make("anyActive");
  return names;
}

/// Writes the inner loop's body for one lane. It reads local copies, and makes every change that matters to a finished
/// lane under the mask.
class MaskExitBody {
public:
  MaskExitBody(const MaskPlan &plan, const Names &names, std::string maskType, Writer &writer)
      : plan_(plan), names_(names), maskType_(std::move(maskType)), writer_(writer),
        fresh_(plan.nest.surroundings + "\n" + plan.nest.text) {}

  void write() {
    const ExitLoop &loop = *plan_.inner->exitLoop;
    if (loop.condition)
      writeStay(*loop.condition, false);
    writeStatements(loop.body, names_.isActive);
    if (loop.step)
      writeChange(*loop.step, names_.isActive);
  }

private:
  std::string slice(const Expression &expression) const { return std::string(plan_.nest.slice(expression.range)); }

  /// Writes an operand of `&`, without branches: everything in it can be evaluated.
  std::string truth(const Expression &condition) const {
    const Expression &plain = condition.plain();
    const bool mayDivide = isSpelledOut(plain);
    if (mayDivide && plain.kind == Kind::Unary && plain.op == "!")
      return "!" + truth(plain.operands[0]);
    if (mayDivide && plain.kind == Kind::Binary && (plain.op == "&&" || plain.op == "||"))
      return "(" + truth(plain.operands[0]) + (plain.op == "&&" ? " & " : " | ") + truth(plain.operands[1]) + ")";
    const std::string text = "(" + slice(condition) + ")";
    return plain.type == "bool" ? text : "(" + text + " != 0)";
  }

  /// Writes `isActive &= …` for every conjunct, without a branch, so that all lanes can do it at once.
  void writeStay(const Expression &condition, bool isNegated) {
    const Expression &plain = condition.plain();
    if (isSpelledOut(plain) && plain.kind == Kind::Binary && plain.op == (isNegated ? "||" : "&&")) {
      writeStay(plain.operands[0], isNegated);
      return writeStay(plain.operands[1], isNegated);
    }
    writer_.line(names_.isActive + " &= " + (isNegated ? "!" : "") + truth(condition) + ";");
  }

  void writeStatements(const std::vector<Statement> &body, const std::string &mask) {
    Range last;
    for (const Statement &statement : body) {
      if (statement.branch) {
        writeBranch(*statement.branch, mask);
      } else if (statement.declares) {
        if (!(statement.range == last))
          writer_.line(plan_.nest.slice(statement.range));
        last = statement.range;
      } else if (statement.expression) {
        writeChange(*statement.expression, mask);
      }
    }
  }

  void writeBranch(const Branch &branch, const std::string &mask) {
    const auto isBreak = [](const std::vector<Statement> &body) {
      return !body.empty() && body.back().exit == Statement::Exit::Break;
    };
    if (isBreak(branch.thenBody) && branch.thenBody.size() == 1 && !branch.hasElse)
      return writeStay(branch.condition, true);
    writer_.line("{");
    const std::string taken = fresh_.make("taken");
    writer_.line("const " + maskType_ + " " + taken + " = " + mask + " & " + truth(branch.condition) + ";");
    std::string other;
    if (branch.hasElse) {
      other = fresh_.make("notTaken");
      writer_.line("const " + maskType_ + " " + other + " = " + mask + " & !" + taken + ";");
    }
    writeStatements(branch.thenBody, taken);
    if (isBreak(branch.thenBody))
      writer_.line(names_.isActive + " &= !" + taken + ";");
    if (branch.hasElse) {
      writer_.line("{");
      writeStatements(branch.elseBody, other);
      if (isBreak(branch.elseBody))
        writer_.line(names_.isActive + " &= !" + other + ";");
      writer_.line("}");
    }
    writer_.line("}");
  }

  void writeChange(const Expression &expression, const std::string &mask) {
    if (expression.kind == Kind::Binary) {
      writeChange(expression.operands[0], mask);
      return writeChange(expression.operands[1], mask);
    }
    Statement statement;
    statement.expression = expression;
    const Expression &target = expression.operands[0];
    const auto update = updateOf(statement);
    if (update && update->operation == Update::Operation::Add && target.isInteger)
      return writeSum(*update, mask);
    if (expression.kind == Kind::Unary)
      return writeStep(expression, mask);
    const Variable &variable = plan_.variable(*target.variable);
    // A lane that is done may go on: its value of this variable is not read again.
    const bool mayGoOn = mask == names_.isActive && !plan_.usedAfter.contains(*target.variable);
    if (mayGoOn)
      return writer_.line(slice(expression) + ";");
    const std::string next = fresh_.make(variable.name + "Next");
    writer_.line("const " + variable.type + " " + next + " = " + assignedValue(plan_.nest, expression) + ";");
    writer_.line(variable.name + " = " + mask + " ? " + next + " : " + variable.name + ";");
  }

  /// Writes `v += mask`, or the value under the mask: a lane that is done adds 0.
  void writeSum(const Update &update, const std::string &mask) {
    const Variable &variable = plan_.variable(*update.target->variable);
    const std::string sign = update.isNegated ? "-" : "+";
    std::string addend = mask;
    bool isPlain = update.target->type == maskType_;
    const bool isOne = !update.value || update.value->plain().value == 1;
    if (!isOne) {
      addend = "(" + mask + " ? " + slice(*update.value) + " : 0)";
      isPlain = update.target->bits >= 32 && update.value->plain().type == update.target->type;
    }
    if (isPlain)
      return writer_.line(variable.name + " " + sign + "= " + addend + ";");
    if (isOne)
      addend = "static_cast<" + variable.type + ">(" + addend + ")";
    writer_.line(variable.name + " = static_cast<" + variable.type + ">(" + variable.name + " " + sign + " " + addend +
                 ");");
  }

  /// Writes ++ and -- of a floating-point number.
  void writeStep(const Expression &expression, const std::string &mask) {
    const Variable &variable = plan_.variable(*expression.operands[0].variable);
    const std::string next = fresh_.make(variable.name + "Next");
    writer_.line("const " + variable.type + " " + next + " = " + variable.name +
                 (expression.op.ends_with("++") ? " + 1;" : " - 1;"));
    writer_.line(variable.name + " = " + mask + " ? " + next + " : " + variable.name + ";");
  }

  const MaskPlan &plan_;
  const Names &names_;
  std::string maskType_;
  Writer &writer_;
  FreshNames fresh_;
};

class MaskExitWriter {
public:
  MaskExitWriter(const MaskPlan &plan, int lanes)
      : plan_(plan), names_(namesFor(plan)), count_(lanes), type_(plan.variable(plan.outer.variable).type),
        variable_(plan.variable(plan.outer.variable).name), maskType_(plan.isWide ? "long long" : "int"), writer_("") {}

  std::string run() {
    const Loop &loop = plan_.outer;
    const std::string upper(plan_.nest.slice(loop.upper));
    const bool isName = loop.upperValue.plain().kind == Kind::Variable;
    const std::string operand = isName ? upper : "(" + upper + ")";
    const std::string whole = operand + " - " + operand + " % " + names_.lanes;
    writer_.open("");
    writer_.line("constexpr " + type_ + " " + names_.lanes + " = " + std::to_string(count_) + "; // iterations of '" +
                 loop.name + "' side by side");
    writer_.line("const " + type_ + " " + names_.end + " = " +
                 (loop.mayTruncateBound ? operand + " > 0 ? " + whole + " : 0" : whole) + ";");
    writer_.open("for (" + type_ + " " + names_.start + " = 0; " + names_.start + " < " + names_.end + "; " +
                 names_.start + " += " + names_.lanes + ")");
    writeFirst();
    writeInner();
    writeLast();
    writer_.close();
    writer_.line("// The rest, when " + upper + " is no multiple of " + names_.lanes + ".");
    const Range body{loop.header.end, loop.range.end};
    writer_.line("for (" + type_ + " " + variable_ + " = " + names_.end + "; " + variable_ + " < " + upper + "; ++" +
                 variable_ + ")" + std::string(plan_.nest.slice(body)));
    writer_.close();
    return writer_.take();
  }

private:
  void openLanes(bool namesVariable) {
    writer_.open("for (" + type_ + " " + names_.lane + " = 0; " + names_.lane + " < " + names_.lanes + "; ++" +
                 names_.lane + ")");
    if (namesVariable)
      writer_.line("const " + type_ + " " + variable_ + " = " + names_.start + " + " + names_.lane + ";");
  }
  std::string element(VariableId id) const { return names_.arrays.at(id) + "[" + names_.lane + "]"; }

  bool mentionsVariable(const std::vector<const Statement *> &statements) const {
    return std::ranges::any_of(statements, [&](const Statement *statement) {
      return std::ranges::any_of(statement->references, [&](const Reference &reference) {
        return reference.variable == plan_.outer.variable;
      });
    });
  }
  void writeRange(const std::vector<const Statement *> &statements) {
    if (!statements.empty())
      writer_.line(plan_.nest.slice({statements.front()->range.begin, statements.back()->range.end}));
  }

  void writeFirst() {
    for (const VariableId id : plan_.lanes)
      writer_.line(plan_.variable(id).type + " " + names_.arrays.at(id) + "[" + names_.lanes + "];");
    writer_.line(maskType_ + " " + names_.active + "[" + names_.lanes + "]; // 1 until the lane leaves its loop");
    std::vector<const Statement *> start;
    for (const Statement &statement : plan_.inner->exitLoop->start)
      start.push_back(&statement);
    openLanes(mentionsVariable(plan_.before) || mentionsVariable(start));
    writeRange(plan_.before);
    Range last;
    for (const Statement *statement : start) {
      std::string text(plan_.nest.slice(statement->range));
      if (!(statement->range == last))
        writer_.line(text.ends_with(';') ? text : text + ";");
      last = statement->range;
    }
    for (const VariableId id : plan_.lanes)
      writer_.line(element(id) + " = " + plan_.variable(id).name + ";");
    writer_.line(names_.active + "[" + names_.lane + "] = 1;");
    writer_.close();
  }

  void writeInner() {
    writer_.line(maskType_ + " " + names_.anyActive + ";");
    writer_.open("do");
    writer_.line(names_.anyActive + " = 0;");
    openLanes(plan_.usedInside.contains(plan_.outer.variable));
    for (const VariableId id : plan_.lanes)
      if (plan_.usedInside.contains(id))
        writer_.line((plan_.changed.contains(id) ? "" : "const ") + plan_.variable(id).type + " " +
                     plan_.variable(id).name + " = " + element(id) + ";");
    writer_.line(maskType_ + " " + names_.isActive + " = " + names_.active + "[" + names_.lane + "];");
    MaskExitBody(plan_, names_, maskType_, writer_).write();
    for (const VariableId id : plan_.lanes)
      if (plan_.changed.contains(id))
        writer_.line(element(id) + " = " + plan_.variable(id).name + ";");
    writer_.line(names_.active + "[" + names_.lane + "] = " + names_.isActive + ";");
    writer_.line(names_.anyActive + " |= " + names_.isActive + ";");
    writer_.close();
    writer_.close();
    writer_.line("while (" + names_.anyActive + " != 0);");
  }

  void writeLast() {
    if (plan_.after.empty())
      return;
    openLanes(mentionsVariable(plan_.after));
    for (const VariableId id : plan_.lanes)
      if (plan_.usedAfter.contains(id))
        writer_.line(plan_.variable(id).type + " " + plan_.variable(id).name + " = " + element(id) + ";");
    writeRange(plan_.after);
    writer_.close();
  }

  const MaskPlan &plan_;
  Names names_;
  int count_;
  std::string type_, variable_, maskType_;
  Writer writer_;
};

} // namespace

std::string writeMaskExit(const MaskPlan &plan, int lanes) {
  return MaskExitWriter(plan, lanes).run();
}

} // namespace agentic::moves
