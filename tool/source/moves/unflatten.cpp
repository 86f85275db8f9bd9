// unflatten(i): one loop over all elements of a matrix, with i / columns and i % columns, is a loop over the rows
// around one over the columns.
//
//   for (i = 0; i < n; ++i)               const size_t iSome = n > 0;
//     out[i] = in[i] * w[i % columns];    const size_t iRows = (n - iSome) / (columns | (n == 0)) + iSome;
//                                         for (iRow = 0; iRow < iRows; ++iRow) {
//                                           const size_t iFirst = iRow * columns, iLeft = n - iFirst;
//                                      →    const size_t iCount = iLeft - (iLeft > columns) * (iLeft - columns);
//                                           for (iColumn = 0; iColumn < iCount; ++iColumn) {
//                                             const size_t i = iFirst + iColumn;
//                                             out[i] = in[i] * w[iColumn];
//                                           }
//                                         }
//
// A division takes as long as ten sums, and an element that it selects is a gather; behind it both loops walk through
// memory. The iterations keep their order. That the last row may be shorter, and that there may be none, is computed
// without a branch: no test need reach both sides.
//
// Precondition: the loop counts from 0; every iteration divides by what the loop does not change, so that a 0 was
// undefined before, too; the divisor is unsigned or a constant above 0, and its type holds what the loop counts; it
// reads no memory and cannot trap, where no iteration runs.
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// Rows of fewer columns would be loops of a few iterations: divisions are then what costs less.
constexpr std::int64_t kFewestColumns = 16;

bool isDivisionBy(const Expression &part, VariableId dividend) {
  return part.kind == Kind::Binary && (part.op == "/" || part.op == "%") && part.isInteger &&
         part.operands[0].plain().kind == Kind::Variable && part.operands[0].plain().variable == dividend;
}

/// Returns whether evaluating a number where no iteration runs may do what the loop as written does not.
bool mayTrap(const Expression &number) {
  bool found = readsMemory(number);
  forEachExpression(number, [&](const Expression &part) {
    const bool isSafe = part.op == "&" || part.op == "|" || part.op == "^" ||
                        (!part.isSigned && (part.op == "+" || part.op == "-" || part.op == "*"));
    found |= part.kind == Kind::Call || part.kind == Kind::Unary || (part.kind == Kind::Binary && !isSafe);
    return !found;
  });
  return found && !number.value;
}

class Unflattening {
public:
  Unflattening(const MoveContext &context, const Loop &loop)
      : context_(context), nest_(context.nest), loop_(loop), effects_(effectsOf(loop)) {
    findDivision();
    if (division_ && problem_.empty())
      problem_ = whyNot();
  }

  /// Returns whether something in the loop divides its variable.
  bool isNear() const { return division_ != nullptr; }
  const std::string &problem() const { return problem_; }

  Edit edit() const {
    FreshNames names(nest_.surroundings + nest_.text);
    const std::string &name = nest_.variable(loop_.variable).name, &type = nest_.variable(loop_.variable).type;
    const std::string &own = loop_.lowerValue.type; // as the division's, canonical
    const std::string &wide = division_->type == own ? type : division_->type;
    const Expression &divisor = division_->operands[1];
    std::string text = "{\n";
    const auto named = [&](Range range, bool isPlain, const std::string &as, const std::string &wish) {
      const std::string written(nest_.slice(range));
      return nameFor(isPlain ? written : castTo(as, written), isPlain, as, wish, names, text);
    };
    const auto isOwn = [](const Expression &number, const std::string &kind) {
      return number.type == kind || number.value.has_value();
    };
    const std::string end = named(loop_.upper, isOwn(loop_.upperValue.plain(), own), type, name + "Bound");
    const std::string columns =
        named(divisor.plain().range, isOwn(divisor.plain(), division_->type), wide, name + "Columns");
    const std::string rows = names.make(name + "Rows"), some = names.make(name + "Some"),
                      row = names.make(name + "Row"), left = names.make(name + "Left"),
                      first = names.make(name + "First"), count = names.make(name + "Count"),
                      column = names.make(name + "Column");
    const auto loop = [&](const std::string &variable, const std::string &bound) {
      return "for (" + wide + " " + variable + " = 0; " + variable + " < " + bound + "; ++" + variable + ") {\n";
    };
    text += "const " + wide + " " + some + " = " + castTo(wide, end + " > 0") + ";\n";
    std::string all = end;
    if (type != wide) { // no large number where it is negative
      all = names.make(name + "All");
      text += "const " + wide + " " + all + " = " + castTo(wide, end) + " * " + some + ";\n";
    }
    if (!divisor.value)
      text += "// Without any element nothing is divided, not even by 0.\n";
    text += "const " + wide + " " + rows + " = (" + all + " - " + some + ") / " +
            (divisor.value ? columns : "(" + columns + " | " + castTo(wide, all + " == 0") + ")") + " + " + some +
            ";\n" + loop(row, rows);
    text += "const " + wide + " " + first + " = " + row + " * " + columns + ";\n";
    text += "const " + wide + " " + left + " = " + all + " - " + first + ";\n";
    text += "const " + wide + " " + count + " = " + left + " - " + castTo(wide, left + " > " + columns) + " * (" +
            left + " - " + columns + ");\n" + loop(column, count);
    const std::string place = first + " + " + column;
    text += "const " + type + " " + name + " = " + (type == wide ? place : castTo(type, place)) + ";\n";
    return {loop_.range, text + bodyText(nest_, loop_, replacements(row, column)) + "\n}\n}\n}"};
  }

private:
  void findDivision() {
    for (const Statement &statement : loop_.body)
      forEachRoot(statement, [&](const Expression &root) {
        forEachCertain(root, [&](const Expression &part) {
          if (!division_ && isDivisionBy(part, loop_.variable))
            division_ = &part;
        });
      });
  }

  std::string whyNot() const {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (!effects_.problem.empty())
      return effects_.problem;
    if (std::string reason = whyNotCut(nest_, loop_, 1); !reason.empty())
      return reason;
    const std::string &name = nest_.variable(loop_.variable).name;
    if (loop_.lowerConstant != 0)
      return "the loop '" + loop_.name + "' does not start at 0";
    const Expression &divisor = division_->operands[1];
    if (!isSpelledOut(*division_) || division_->range.isEmpty() || divisor.plain().range.isEmpty())
      return "'" + name + "' is divided in a macro";
    if (division_->bits < loop_.lowerValue.bits)
      return "the type of '" + std::string(nest_.slice(division_->range)) + "' does not hold what '" + name + "' does";
    const std::string text(nest_.slice(divisor.plain().range));
    if (mayTrap(divisor))
      return "'" + text + "' may not be evaluated where no iteration runs";
    if (std::string reason = whyNotInvariant(nest_, divisor.plain(), effects_.accesses, effects_); !reason.empty())
      return reason;
    if (divisor.value ? *divisor.value <= 0 : division_->isSigned)
      return "'" + text + "' may be negative; where it is unsigned, 'i % " + text + "' counts the columns of a matrix";
    if (hasFewColumns(divisor))
      return "rows of '" + text + "' elements are short";
    return {};
  }

  bool hasFewColumns(const Expression &divisor) const {
    if (divisor.value)
      return *divisor.value < kFewestColumns;
    const auto variable = divisor.plain().variable;
    const auto observed = variable && nest_.variable(*variable).isParameter
                              ? context_.observed.find(nest_.variable(*variable).name)
                              : context_.observed.end();
    return observed != context_.observed.end() &&
           std::ranges::any_of(observed->second, [](std::int64_t columns) { return columns < kFewestColumns; });
  }

  /// Returns edits that write the row for every quotient and the column for every remainder.
  std::vector<Edit> replacements(const std::string &row, const std::string &column) const {
    std::vector<Edit> edits;
    const auto replaceIn = [&](const Expression &root) {
      forEachExpression(root, [&](const Expression &part) {
        if (!isDivisionBy(part, loop_.variable) || !isIdentical(part.operands[1], division_->operands[1]) ||
            part.type != division_->type || part.range.isEmpty() || !isSpelledOut(part))
          return true;
        edits.push_back({part.range, part.op == "/" ? row : column});
        return false;
      });
    };
    forEachInside(loop_.body, [&](const Statement &statement) {
      forEachRoot(statement, replaceIn);
      for (const Expression &element : statement.elements)
        replaceIn(element);
      if (statement.loop) {
        replaceIn(statement.loop->lowerValue);
        replaceIn(statement.loop->upperValue);
      }
    });
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    const auto [last, end] = std::ranges::unique(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    edits.erase(last, end);
    return edits;
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
  LoopEffects effects_;
  const Expression *division_ = nullptr; ///< that every iteration makes
  std::string problem_;
};

void offerUnflatten(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const Unflattening unflattening(context, *loop);
    if (unflattening.isNear())
      result.add({"unflatten", loop->name, {}}, unflattening.problem());
  }
}

Result<Rewrite> rewriteUnflatten(const MoveContext &context, const MoveStep &step) {
  const Loop *loop = TRY(targetLoop(context, step));
  const Unflattening unflattening(context, *loop);
  if (!unflattening.isNear())
    return illegalStep(step, "not every iteration of '" + step.target + "' divides its variable");
  if (!unflattening.problem().empty())
    return illegalStep(step, unflattening.problem());
  return Rewrite{{unflattening.edit()},
                 {"The loop '" + step.target +
                  "' divided its variable: it is a loop over rows around one over their "
                  "columns, with the same iterations in the same order."}};
}

} // namespace

const Move kUnflatten = {"unflatten", offerUnflatten, nullptr, rewriteUnflatten, MoveRole::Form};

} // namespace agentic::moves
