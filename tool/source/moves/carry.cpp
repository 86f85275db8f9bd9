// carry(i): an element that the iteration before wrote stays in a variable, instead of being read again.
//
//   for (i = 1; i < n; ++i)               if (1 < n) {
//     out[i] = out[i - 1] + in[i];          float outLast = out[0];
//                                           for (i = 1; i < n; ++i) {
//                                     →       outLast = outLast + in[i];
//                                             out[i] = outLast;
//                                           }
//                                         }
//
// What the iterations hand on is then seen as a running sum, or whatever it is, by the moves for those; and nothing
// waits until what was stored can be loaded.
//
// Precondition: nothing leaves the loop early; one statement of every iteration assigns the element, and nothing else
// in the loop writes memory that may be the same; what is read is the element that this statement assigned one
// iteration ago. Some iteration's read is certain, so that the first one may be made in front of the loop.
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/evaluate.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

class Carrying {
public:
  Carrying(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop), effects_(effectsOf(loop)) {
    for (const Statement &statement : loop.body)
      if (!read_)
        find(statement);
    if (read_)
      problem_ = whyNot();
  }

  /// Returns whether an element of the iteration before is read.
  bool isNear() const { return read_ != nullptr; }
  const std::string &problem() const { return problem_; }
  std::string element() const { return write_->text; }

  Edit edit() const {
    FreshNames names(nest_.surroundings + nest_.text);
    const Variable &variable = nest_.variable(loop_.variable);
    const std::string last = names.make(nest_.variable(*write_->base).name + "Last"), upper(nest_.slice(loop_.upper));
    std::string first(nest_.slice(loop_.lower)), header(nest_.slice(loop_.header)), text = "{\n";
    if (!loop_.lowerConstant) {
      first = names.make(variable.name + "First");
      text += "const " + variable.type + " " + first + " = " + std::string(nest_.slice(loop_.lower)) + ";\n";
      header = applyEdits(nest_.text, loop_.header, {{loop_.lower, first}});
    }
    text += "if (" + first + " < " + upper + ") {\n" + target_->type + " " + last + " = " + firstElement(first) +
            ";\n" + header + " {\n" + body(last) + "\n}\n}\n}";
    return {loop_.range, text};
  }

private:
  /// Finds the statement that assigns an element, if the element of one iteration before is certainly read.
  void find(const Statement &statement) {
    if (!statement.expression || statement.expression->kind != Kind::Assign)
      return;
    const Expression &target = statement.expression->operands[0];
    const auto written = std::ranges::find_if(
        statement.accesses, [&](const Access &access) { return access.writes && access.range == target.range; });
    if (target.kind != Kind::Element || !target.isArithmetic() || written == statement.accesses.end())
      return;
    write_ = &*written;
    target_ = &target;
    for (const Statement &reader : loop_.body) {
      forEachRoot(reader, [&](const Expression &root) {
        forEachCertain(root, [&](const Expression &part) {
          if (!read_ && isLast(part, reader))
            read_ = &part;
        });
      });
      if (&reader == &statement)
        break;
    }
    if (read_)
      assignment_ = &statement;
  }

  /// Returns whether the element is the one that `write_` is one iteration earlier.
  bool isLast(const Expression &element, const Statement &statement) const {
    if (element.kind != Kind::Element || element.range.isEmpty() || !write_->base || !write_->subscript ||
        element.type != target_->type)
      return false;
    const auto access = std::ranges::find_if(statement.accesses, [&](const Access &one) {
      return one.range == element.range && !one.writes && one.base == write_->base && one.subscript;
    });
    if (access == statement.accesses.end())
      return false;
    const auto here = write_->subscript->linearIn(loop_.variable), there = access->subscript->linearIn(loop_.variable);
    const auto distance = Polynomial::subtract(*write_->subscript, *access->subscript);
    return here && there && distance && here->coefficient == there->coefficient && *distance == here->coefficient &&
           !distance->isZero();
  }

  std::string whyNot() const {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (!effects_.problem.empty())
      return effects_.problem;
    if (effects_.declared.contains(*write_->base) || effects_.assigned.contains(*write_->base))
      return "'" + write_->text + "' is in another array in each iteration";
    for (const Access *other : effects_.accesses)
      if (other != write_ && other->writes && mayBeSameArray(nest_, other->base, write_->base))
        return "'" + other->text + "' is written, too, and may be the same element as '" + write_->text + "'";
    for (const Symbol symbol : write_->subscript->symbols()) {
      if (symbol == loop_.variable)
        continue;
      if (symbol >= Nest::kFirstOpaque || !whyVariableChanges(nest_, symbol, effects_).empty())
        return "the place of '" + write_->text + "' may depend on more than '" + loop_.name + "'";
    }
    if (!isSpelledOut(*assignment_->expression) || !isSpelledOut(*read_))
      return "'" + write_->text + "' comes from a macro";
    return {};
  }

  /// Returns the element in front of the loop.
  std::string firstElement(const std::string &first) const {
    const auto subscript = read_->operands.size() == 2 && loop_.lowerConstant
                               ? evaluate(nest_, read_->operands[1],
                                          [&](const Expression &part) {
                                            return part.variable == loop_.variable ? loop_.lowerConstant : std::nullopt;
                                          })
                               : std::nullopt;
    if (subscript)
      return std::string(nest_.slice(read_->operands[0].range)) + "[" + std::to_string(*subscript) + "]";
    std::vector<Edit> edits;
    forEachExpression(*read_, [&](const Expression &part) {
      if (part.kind == Kind::Variable && part.variable == loop_.variable)
        edits.push_back({part.range, closed(first)});
      return true;
    });
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    return applyEdits(nest_.text, read_->range, edits);
  }

  std::string body(const std::string &last) const {
    std::vector<Edit> edits;
    const Expression &whole = *assignment_->expression, &value = whole.operands[1];
    forEachInside(loop_.body, [&](const Statement &statement) {
      if (statement.range.begin > assignment_->range.begin)
        return; // reads what is there
      forEachRoot(statement, [&](const Expression &root) {
        forEachExpression(root, [&](const Expression &part) {
          if (!isLast(part, statement) || !isSpelledOut(part))
            return true;
          edits.push_back({part.range, last});
          return false;
        });
      });
    });
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    const auto isInValue = [&](const Edit &edit) { return value.range.contains(edit.range); };
    std::vector<Edit> inValue;
    std::ranges::copy_if(edits, std::back_inserter(inValue), isInValue);
    std::erase_if(edits, isInValue);
    const std::string place(nest_.slice(target_->range));
    std::string text = applyEdits(nest_.text, value.range, inValue);
    if (whole.op != "=") {
      text = place + " " + whole.op.substr(0, whole.op.size() - 1) + " " + closed(text);
      if (target_->bits < 32 || value.plain().type != target_->type)
        text = castTo(target_->type, text);
    }
    edits.push_back({whole.range, last + " = " + text + ";\n" + place + " = " + last});
    return bodyText(nest_, loop_, edits);
  }

  const Nest &nest_;
  const Loop &loop_;
  LoopEffects effects_;
  const Statement *assignment_ = nullptr;
  const Access *write_ = nullptr;
  const Expression *target_ = nullptr; ///< the element of `write_`
  const Expression *read_ = nullptr;
  std::string problem_;
};

void offerCarry(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const Carrying carrying(context.nest, *loop);
    if (carrying.isNear())
      result.add({"carry", loop->name, {}}, carrying.problem());
  }
}

Result<Rewrite> rewriteCarry(const MoveContext &context, const MoveStep &step) {
  const Loop *loop = TRY(targetLoop(context, step));
  const Carrying carrying(context.nest, *loop);
  if (!carrying.isNear())
    return illegalStep(step, "no iteration of '" + step.target + "' reads what the one before has assigned");
  if (!carrying.problem().empty())
    return illegalStep(step, carrying.problem());
  return Rewrite{{carrying.edit()},
                 {"Each iteration of '" + step.target + "' finds what the one before assigned to '" +
                  carrying.element() + "' in a variable; nothing else in the loop writes there."}};
}

} // namespace

const Move kCarry = {"carry", offerCarry, nullptr, rewriteCarry, MoveRole::Form};

} // namespace agentic::moves
