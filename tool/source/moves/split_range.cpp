// split-range(x): conditions that only the first and the last iterations of a loop need are left out of the others.
//
//   for (x = 0; x < width; ++x)                     const size_t xInterior = width > 2 ? width - 2 : 0;
//     for (j = 0; j < 3; ++j)                       const size_t xHead = width < 1 ? width : 1;
//       if (x + j >= 1 && x + j <= width)           for (x = 0; x < xHead; ++x) as written
//         out[x] += in[x + j - 1] * w[j];    →      for (x = 0; x < xInterior; ++x)
//                                                     for (j = 0; j < 3; ++j)
//                                                       out[(x + 1)] += in[(x + 1) + j - 1] * w[j];
//                                                   for (x = xHead + xInterior; x < width; ++x) as written
//
// Always legal for a loop that nothing leaves early: the iterations and their order are the same. A comparison of x +
// something with a constant or an invariant is left out if it is true for every value of the inner loops' variables
// (their bounds are constants), in its own types: for unsigned ones the interior also excludes values that could wrap
// around. The interior starts at 0, as other moves need it, unless a part of the body is not understood. In the first
// and the last iterations, too, comparisons are left out that have one value there (`x == 0` where x < 1), and loops in
// which nothing is left: what never runs, no test would cover.
#include "tool/source/moves/split_range.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <cctype>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// The text of the loop's body in iterations of which something is known, with a variable that may begin at 0 there.
class KnownText {
public:
  KnownText(const SplitRange &plan, const Known &known, bool isShifted) : plan_(plan), known_(known) {
    forEachInside(plan.loop.body, [&](const Statement &statement) {
      if (isShifted)
        shiftVariable(statement);
      if (statement.branch)
        simplifyBranch(statement);
      if (statement.loop)
        dropUnreached(statement.loop->body);
      forEachRoot(statement, [&](const Expression &root) {
        forEachExpression(root, [&](const Expression &expression) {
          if (expression.kind == Kind::Conditional)
            simplifyChoice(expression);
          return true;
        });
      });
    });
    dropUnreached(plan.loop.body);
    std::ranges::sort(edits_, [](const Pending &left, const Pending &right) {
      return left.range.begin != right.range.begin ? left.range.begin < right.range.begin
                                                   : left.range.end > right.range.end;
    });
  }

  std::string textOf(Range range) const {
    std::vector<Edit> edits;
    std::size_t position = range.begin;
    for (const Pending &edit : edits_) {
      if (edit.range.begin < position || edit.range.end > range.end || edit.range == range)
        continue;
      edits.push_back({edit.range, edit.text()});
      position = edit.range.end;
    }
    return applyEdits(plan_.nest.text, range, edits);
  }

private:
  struct Pending {
    Range range;
    std::function<std::string()> text; ///< may hold other edits
  };

  void shift(Range name) {
    const bool isKnown = std::ranges::any_of(edits_, [&](const Pending &edit) { return edit.range == name; });
    if (!isKnown)
      edits_.push_back({name, [this, name] {
                          const std::string text =
                              std::string(plan_.nest.slice(name)) + " + " + std::to_string(plan_.first);
                          return standsAlone(plan_.nest, name) ? text : "(" + text + ")";
                        }});
  }

  void shiftVariable(const Statement &statement) {
    const auto shiftAll = [&](const std::vector<Reference> &references) {
      for (const Reference &reference : references)
        if (reference.variable == plan_.loop.variable)
          shift({reference.offset, reference.offset + reference.length});
    };
    shiftAll(statement.references);
    if (statement.loop)
      shiftAll(statement.loop->boundReferences);
    if (statement.branch && statement.kind == Statement::Kind::Opaque) // it has no references
      forEachExpression(statement.branch->condition, [&](const Expression &expression) {
        if (expression.kind == Kind::Variable && expression.variable == plan_.loop.variable)
          shift(expression.range);
        return true;
      });
  }

  /// Leaves out what stands behind `if (true) { …; continue; }` in a loop, and the `continue`.
  void dropUnreached(const std::vector<Statement> &body) {
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      const std::vector<Statement> *taken = takenBranch(body[i]);
      if (!taken || taken->empty() || taken->back().exit != Statement::Exit::Continue)
        continue;
      const Range rest{body[i].range.end, body.back().range.end};
      if (!hasWholeBlocks(plan_.nest.slice(rest)))
        return;
      edits_.push_back({rest, [] { return std::string(); }});
      last_.insert(taken);
      return;
    }
  }
  const std::vector<Statement> *takenBranch(const Statement &statement) const {
    if (!statement.branch)
      return nullptr;
    const auto value = simplified(known_, statement.branch->condition).constant;
    return !value ? nullptr : *value ? &statement.branch->thenBody : &statement.branch->elseBody;
  }

  void simplifyBranch(const Statement &statement) {
    const Branch &branch = *statement.branch;
    const std::vector<Statement> *taken = takenBranch(statement);
    if (taken) {
      edits_.push_back({statement.range, [this, taken] { return bodyText(*taken); }});
    } else if (simplified(known_, branch.condition).isChanged) {
      edits_.push_back({branch.condition.range, [this, &branch] { return conditionText(branch.condition); }});
    }
  }

  std::string bodyText(const std::vector<Statement> &body) const {
    if (body.empty())
      return ";";
    const std::size_t kept = body.size() - (last_.contains(&body) ? 1 : 0);
    if (kept == 0)
      return ";";
    const std::string text = textOf({body.front().range.begin, body[kept - 1].range.end});
    // The first statement's own range may be an edit, too: then it is the only statement.
    const bool isPlain = kept == 1 && !body.front().declares;
    const std::string whole = isPlain ? editedWhole(body.front().range, text) : text;
    return isPlain ? whole : "{\n" + whole + "\n}";
  }
  std::string editedWhole(Range range, const std::string &text) const {
    for (const Pending &edit : edits_)
      if (edit.range == range)
        return edit.text();
    return text;
  }

  void simplifyChoice(const Expression &choice) {
    const Simplified result = simplified(known_, choice.operands[0]);
    if (result.constant) {
      const Expression &value = choice.operands[*result.constant ? 1 : 2];
      edits_.push_back({choice.range, [this, &value, &choice] {
                          const std::string text = "(" + wholeText(value.range) + ")";
                          return value.plain().type == choice.type ? text : "static_cast<" + choice.type + ">" + text;
                        }});
    } else if (result.isChanged) {
      edits_.push_back({choice.operands[0].range, [this, &choice] { return conditionText(choice.operands[0]); }});
    }
  }
  /// `range` may itself be one edit.
  std::string wholeText(Range range) const { return editedWhole(range, textOf(range)); }

  /// Writes the condition without the known operands; the others stay as written.
  std::string conditionText(const Expression &condition) const {
    const Expression &plain = condition.plain();
    const Simplified result = simplified(known_, plain);
    if (!result.isChanged)
      return textOf(plain.range);
    if (plain.kind == Kind::Unary)
      return "!(" + conditionText(plain.operands[0]) + ")";
    std::string text;
    for (const Expression &operand : plain.operands) {
      if (simplified(known_, operand).constant)
        continue;
      const Expression &inner = operand.plain();
      const bool isBoth = inner.kind == Kind::Binary && (inner.op == "&&" || inner.op == "||") &&
                          !simplified(known_, inner.operands[0]).constant &&
                          !simplified(known_, inner.operands[1]).constant;
      const bool needsParentheses = isBoth && inner.op != plain.op;
      const std::string part = conditionText(operand);
      text += (text.empty() ? "" : " " + plain.op + " ") + (needsParentheses ? "(" + part + ")" : part);
    }
    return text;
  }

  const SplitRange &plan_;
  const Known &known_;
  std::vector<Pending> edits_;
  std::set<const std::vector<Statement> *> last_; ///< nothing stands behind these: no `continue` is needed
};

class SplitWriter {
public:
  explicit SplitWriter(const SplitRange &plan)
      : plan_(plan), fresh_(plan.nest.surroundings + "\n" + plan.nest.text),
        name_(plan.nest.variable(plan.loop.variable).name), type_(plan.nest.variable(plan.loop.variable).type),
        upper_(plan.nest.slice(plan.loop.upper)) {}

  std::string run() {
    const Loop &loop = plan_.loop;
    const std::string lower(plan_.nest.slice(loop.lower));
    const auto bodyText = [&](const Known &known, bool isShifted) {
      return KnownText(plan_, known, isShifted).textOf({loop.header.end, loop.range.end});
    };
    const std::string interiorBody = bodyText(plan_.interior, plan_.first > 0 && !plan_.isKept);
    const auto loopText = [&](const std::string &from, const std::string &to) {
      return "for (" + type_ + " " + name_ + " = " + from + "; " + name_ + " < " + to + "; ++" + name_ + ")";
    };
    // Empty if nothing is left in these iterations.
    const auto borderText = [&](const Known &known) {
      const std::string text = bodyText(known, false);
      return std::ranges::any_of(text, [](unsigned char c) { return std::isalnum(c) != 0; }) ? text : std::string();
    };
    const std::string head = plan_.first > *loop.lowerConstant ? borderText(plan_.head) : "",
                      tail = reachesEnd() ? "" : borderText(plan_.tail);
    if (isWhole())
      return std::string(plan_.nest.slice(loop.header)) + interiorBody;
    const std::string count = writeCount();
    std::string start = std::to_string(plan_.first);
    const std::string first = start;
    if (plan_.first > *loop.lowerConstant && !(head + tail).empty()) {
      start = fresh_.make(name_ + "Head");
      line("const " + type_ + " " + start + " = " + upper_ + " < " + first + " ? " + upper_ + " : " + first + ";");
    }
    if (!head.empty())
      line(loopText(lower, start) + head);
    line("// The interior: no condition on '" + name_ + "' is needed.");
    line((plan_.isKept && plan_.first > 0 ? loopText(first, first + " + " + count) : loopText("0", count)) +
         interiorBody);
    if (!tail.empty())
      line(loopText(start == "0" ? count : start + " + " + count, upper_) + tail);
    return text_;
  }

private:
  void line(const std::string &text) { text_ += text + "\n"; }

  std::optional<VariableId> upperVariable() const { return plan_.loop.upperValue.plain().variable; }

  /// No iteration is left behind the interior.
  bool reachesEnd() const {
    return std::ranges::all_of(plan_.ends,
                               [&](const SplitRange::End &end) { return end == SplitRange::End{upperVariable(), 0}; });
  }
  bool isWhole() const { return plan_.first == 0 && reachesEnd(); }

  std::string nameOf(VariableId id) const { return plan_.nest.variable(id).name; }

  /// Declares the number of iterations of the interior, and returns its name.
  std::string writeCount() {
    std::int64_t offset = 0;
    for (const SplitRange::End &end : plan_.ends)
      if (end.value == upperVariable())
        offset = std::min(offset, end.offset);
    std::string end = upper_;
    std::int64_t skipped = plan_.first - offset;
    for (const SplitRange::End &other : plan_.ends) {
      if (other.value == upperVariable())
        continue;
      if (end == upper_ && offset < 0) {
        end = fresh_.make(name_ + "End");
        line("const " + type_ + " " + end + " = " + upper_ + " > " + std::to_string(-offset) + " ? " + upper_ + " - " +
             std::to_string(-offset) + " : 0;");
      }
      skipped = plan_.first;
      const std::string value = valueOf(other), next = fresh_.make(name_ + "End");
      line("const " + type_ + " " + next + " = " + value + " < " + end + " ? " + value + " : " + end + ";");
      end = next;
    }
    const std::string count = fresh_.make(name_ + "Interior");
    const std::string taken = std::to_string(skipped);
    line("const " + type_ + " " + count + " = " +
         (skipped == 0 && !plan_.loop.upperValue.isSigned
              ? end
              : end + " > " + taken + " ? " + end + " - " + taken + " : 0") +
         ";");
    return count;
  }

  /// Returns a name or a number; declares a longer expression.
  std::string valueOf(const SplitRange::End &end) {
    if (!end.value)
      return std::to_string(end.offset);
    if (end.offset == 0)
      return nameOf(*end.value);
    const std::string limit = fresh_.make(name_ + "Limit"), offset = std::to_string(-end.offset);
    const std::string value = nameOf(*end.value);
    line("const " + type_ + " " + limit + " = " + value + " > " + offset + " ? " + value + " - " + offset + " : 0;");
    return limit;
  }

  const SplitRange &plan_;
  FreshNames fresh_;
  std::string name_, type_, upper_, text_;
};

/// Puts several statements in the place of one.
std::string inPlace(const Nest &nest, const Loop &loop, const std::string &text) {
  const bool isTop =
      std::ranges::any_of(nest.statements, [&](const Statement &statement) { return statement.loop.get() == &loop; });
  const std::size_t next = loop.parent ? nest.text.find_first_not_of(" \t\n", loop.parent->header.end) : 0;
  const bool isInBlock = isTop || (loop.parent && next != std::string::npos && nest.text[next] == '{');
  return isInBlock ? text : "{\n" + text + "}";
}

void offerSplitRange(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    SplitRange plan = planSplitRange(context.nest, *loop);
    if (plan.problem.empty() && hasFewIterations(context.nest, *loop))
      plan.problem = "it has few iterations anyway";
    result.add({.move = "split-range", .target = loop->name, .parameters = {}, .isForm = plan.isKept},
               std::move(plan.problem));
  }
}

Result<Rewrite> rewriteSplitRange(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const SplitRange plan = planSplitRange(context.nest, *loop);
  if (!plan.problem.empty())
    return illegalStep(step, plan.problem);
  Rewrite rewrite;
  rewrite.edits.push_back({loop->range, inPlace(context.nest, *loop, SplitWriter(plan).run())});
  rewrite.why = {"The first and the last iterations of '" + step.target +
                 "' are apart: between them the conditions on '" + step.target + "' hold anyway."};
  return rewrite;
}

} // namespace

const Move kSplitRange = {"split-range", offerSplitRange, nullptr, rewriteSplitRange, MoveRole::Enabler};

} // namespace agentic::moves
