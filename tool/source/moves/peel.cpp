// peel(i): the value that an iteration leaves for the next one is computed there again; the first iteration stands
// alone.
//
//   for (i = 0; i < n; ++i) {             if (0 < n) {
//     out[i] = in[i] - before;              { const size_t i = 0; … as written }
//     before = in[i];                →      for (i = 0 + 1; i < n; ++i)
//   }                                         out[i] = in[i] - in[i - 1];
//                                           before = in[n - 1];
//                                         }
//
// No value then passes from one iteration to the next.
//
// Precondition: nothing leaves the loop early; the variable is assigned once, in every iteration, and read before that
// only; what it is assigned is arithmetic on the loop's variable, on what does not change, on constants of the
// iteration that are such arithmetic themselves, and on elements of arrays that the loop does not write. The same
// expression one iteration later, with i - 1 for i, then has the value that was assigned: i - 1 does not wrap around,
// because i is larger than where it began.
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <optional>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// A variable that hands a value on.
struct Carried {
  VariableId variable{};
  const Statement *assignment = nullptr;
  const Expression *value = nullptr;
  std::string type; ///< of the variable, canonical
};

/// Writes values as another iteration computes them.
class ValueWriter {
public:
  ValueWriter(const Nest &nest, const Loop &loop, const LoopEffects &effects)
      : nest_(nest), loop_(loop), effects_(effects) {}

  /// Returns the text of `value` with `iteration` for the loop's variable; nullopt if it is not known there.
  std::optional<std::string> textOf(const Expression &value, const Statement &statement, const std::string &iteration,
                                    int depth = 0) const {
    constexpr int kDeepest = 4;
    if (depth > kDeepest || !value.isPure || !isSpelledOut(value) || value.range.isEmpty())
      return std::nullopt;
    for (const Access &access : statement.accesses)
      if (value.range.contains(access.range) && (access.writes || mayBeWritten(nest_, access, effects_)))
        return std::nullopt;
    std::vector<Edit> edits;
    bool isKnown = true;
    forEachExpression(value, [&](const Expression &part) {
      if (part.kind == Kind::Other)
        isKnown = false;
      if (part.kind != Kind::Variable || !isKnown)
        return isKnown;
      const std::optional<std::string> text = textOf(*part.variable, part.type, iteration, depth);
      isKnown = text.has_value();
      if (isKnown && *text != nest_.slice(part.range))
        edits.push_back(
            {part.range, part.range == value.range || standsAlone(nest_, part.range) ? *text : closed(*text)});
      return isKnown;
    });
    if (!isKnown)
      return std::nullopt;
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    return applyEdits(nest_.text, value.range, edits);
  }

private:
  std::optional<std::string> textOf(VariableId id, const std::string &type, const std::string &iteration,
                                    int depth) const {
    const Variable &variable = nest_.variable(id);
    if (id == loop_.variable)
      return iteration;
    if (effects_.declared.contains(id)) {
      const auto declaration =
          std::ranges::find_if(loop_.body, [&](const Statement &statement) { return statement.declares == id; });
      if (declaration == loop_.body.end() || variable.isMutated || variable.escapes || !declaration->value ||
          declaration->sharesDeclaration || !declaration->problem.empty())
        return std::nullopt;
      const auto text = textOf(*declaration->value, *declaration, iteration, depth + 1);
      return text && declaration->value->plain().type != type ? castTo(type, *text) : text;
    }
    return whyVariableChanges(nest_, id, effects_).empty() ? std::optional(variable.name) : std::nullopt;
  }

  const Nest &nest_;
  const Loop &loop_;
  const LoopEffects &effects_;
};

/// Returns all uses of a variable in the loop's body.
std::vector<Reference> referencesTo(const Loop &loop, VariableId variable) {
  std::vector<Reference> references;
  const auto add = [&](const std::vector<Reference> &from) {
    std::ranges::copy_if(from, std::back_inserter(references),
                         [&](const Reference &reference) { return reference.variable == variable; });
  };
  forEachStatement(loop.body, [&](const Statement &statement) {
    add(statement.references);
    if (statement.loop)
      add(statement.loop->boundReferences);
  });
  return references;
}

class Peeling {
public:
  Peeling(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop), effects_(effectsOf(loop)) {
    problem_ = find();
  }

  /// Returns why no value stops passing between the loop's iterations; empty if one does.
  const std::string &problem() const { return problem_; }
  /// Returns whether a value is handed on, known or not.
  bool isNear() const { return isNear_; }

  Edit edit() const {
    FreshNames names(nest_.surroundings + nest_.text);
    const std::string &name = nest_.variable(loop_.variable).name, &type = nest_.variable(loop_.variable).type;
    const std::string first = names.make(name + "First"), last = names.make(name + "Last");
    const std::string lower(nest_.slice(loop_.lower)), upper(nest_.slice(loop_.upper));
    const std::string body(trim(nest_.slice(bodyOf(nest_, loop_))));
    std::string text = "{\nconst " + type + " " + first + " = " + lower + ";\nif (" + first + " < " + upper +
                       ") {\n{\nconst " + type + " " + name + " = " + first + ";\n" + body + "\n}\nfor (" + type + " " +
                       name + " = " + first + " + 1; " + name + " < " + upper + "; ++" + name + ") {\n" +
                       std::string(trim(laterBody(name))) + "\n}\nconst " + type + " " + last + " = " +
                       castTo(type, closed(upper) + " - 1") + ";\n";
    for (const Carried &carried : carried_)
      text += nest_.variable(carried.variable).name + " = " + *valueOf(carried, last) + ";\n";
    return {loop_.range, text + "}\n}"};
  }

  std::string carriedNames() const {
    std::vector<std::string> names;
    for (const Carried &carried : carried_)
      names.push_back("'" + nest_.variable(carried.variable).name + "'");
    return join(names, " and ");
  }

private:
  std::string find() {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (!effects_.problem.empty())
      return effects_.problem;
    std::string reason = "no value is left for the next iteration of '" + loop_.name + "'";
    for (const VariableId variable : effects_.assigned) {
      const std::optional<Carried> carried = effects_.declared.contains(variable) ? std::nullopt : carriedBy(variable);
      if (!carried)
        continue;
      isNear_ = true;
      if (valueOf(*carried, "i"))
        carried_.push_back(*carried);
      else
        reason = "'" + nest_.variable(variable).name + "' is left for the next iteration of '" + loop_.name +
                 "', which cannot compute it again: it depends on more than the place in arrays that the loop does not "
                 "write";
    }
    return carried_.empty() ? reason : "";
  }

  std::optional<Carried> carriedBy(VariableId id) const {
    const Variable &variable = nest_.variable(id);
    if (variable.kind != Variable::Kind::Scalar || variable.escapes || variable.isGlobal)
      return std::nullopt;
    const std::vector<Reference> references = referencesTo(loop_, id);
    const auto writes = std::ranges::count_if(references, &Reference::writes);
    const auto assignment = std::ranges::find_if(loop_.body, [&](const Statement &statement) {
      return statement.expression && statement.expression->kind == Kind::Assign && statement.expression->op == "=" &&
             statement.expression->operands[0].variable == id;
    });
    if (writes != 1 || references.size() < 2 || assignment == loop_.body.end() ||
        assignment->expression->operands[0].kind != Kind::Variable)
      return std::nullopt;
    const bool isReadBefore = std::ranges::all_of(references, [&](const Reference &reference) {
      return reference.writes ? !reference.reads : reference.offset < assignment->range.begin;
    });
    const Expression &value = assignment->expression->operands[1];
    if (!isReadBefore || !value.isArithmetic() || mentions(value, id))
      return std::nullopt;
    return Carried{id, &*assignment, &value, assignment->expression->operands[0].type};
  }

  std::optional<std::string> valueOf(const Carried &carried, const std::string &iteration) const {
    const auto text = ValueWriter(nest_, loop_, effects_).textOf(*carried.value, *carried.assignment, iteration);
    return text && carried.value->plain().type != carried.type ? castTo(carried.type, *text) : text;
  }

  /// Returns the body of all iterations but the first.
  std::string laterBody(const std::string &name) const {
    std::vector<Edit> edits;
    for (const Carried &carried : carried_) {
      edits.push_back({carried.assignment->range, ""});
      const std::string value = *valueOf(carried, name + " - 1");
      for (const Reference &reference : referencesTo(loop_, carried.variable)) {
        const Range range = {reference.offset, reference.offset + reference.length};
        if (!carried.assignment->range.contains(range))
          edits.push_back({range, standsAlone(nest_, range) ? value : closed(value)});
      }
    }
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    return applyEdits(nest_.text, bodyOf(nest_, loop_), edits);
  }

  const Nest &nest_;
  const Loop &loop_;
  LoopEffects effects_;
  std::vector<Carried> carried_;
  bool isNear_ = false;
  std::string problem_;
};

void offerPeel(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (const Peeling peeling(context.nest, *loop); peeling.isNear())
      result.add({"peel", loop->name, {}}, peeling.problem());
  }
}

Result<Rewrite> rewritePeel(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const Peeling peeling(context.nest, *loop);
  if (!peeling.problem().empty())
    return illegalStep(step, peeling.problem());
  return Rewrite{{peeling.edit()},
                 {"Each iteration of '" + loop->name + "' but the first computes " + peeling.carriedNames() +
                  " again from what the one before it was given, which nothing changes."}};
}

} // namespace

const Move kPeel = {"peel", offerPeel, nullptr, rewritePeel};

} // namespace agentic::moves
