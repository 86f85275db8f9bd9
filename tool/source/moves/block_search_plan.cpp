#include "tool/source/loops/code_text.h"
#include "tool/source/moves/block_search.h"
#include "tool/source/moves/block_search_room.h"
#include "tool/source/moves/speculation.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

const std::string kWhere = "in an iteration behind the one that leaves the loop";

std::string withoutBlanks(std::string_view text) {
  std::string result(text);
  std::erase_if(result, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  return result;
}

/// What the statements behind a condition may do to the loop around them.
struct Hit {
  bool mayLeave = false;  ///< the loop may end here
  bool hasBreak = false;  ///< a `break` of this loop, or of something that is not understood
  bool isUnclear = false; ///< it holds text that must not be there twice
};

class BlockSearchPlanner {
public:
  BlockSearchPlanner(const MoveContext &context, const Loop &loop)
      : context_(context), nest_(context.nest), loop_(loop) {}

  SearchPlan run() {
    plan_.problem = whyNot();
    return std::move(plan_);
  }

private:
  std::string whyNot() {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (std::string reason = collect(loop_.body, {}, {}); !reason.empty())
      return reason;
    if (plan_.questions.empty())
      return "no condition stands in front of what it does";
    if (!plan_.leavesAtHit && hasBreak_)
      return "a 'break' ends it, and other conditions do not";
    if (isUnclear_)
      return "a label or a static variable stands in it";
    for (const Question &question : plan_.questions)
      if (std::string reason = whyNotAhead(question); !reason.empty())
        return reason;
    return {};
  }

  /// Finds the conditions in statements of which each runs in every iteration that has not hit yet.
  std::string collect(const std::vector<Statement> &statements, Question around, std::set<VariableId> declared) {
    for (const Statement &statement : statements) {
      if (statement.declares) {
        if (std::string reason = whyNotDeclaration(statement); !reason.empty())
          return reason;
        declared.insert(*statement.declares);
        around.declarations.push_back(&statement);
      } else if (statement.branch) {
        if (!statement.branch->problem.empty())
          return statement.branch->problem;
        Question question = around;
        question.condition = &statement.branch->condition;
        plan_.questions.push_back(std::move(question));
        addHit(statement.branch->thenBody, around.loops.empty());
        Question otherwise = around;
        if (!otherwise.conditionalFrom)
          otherwise.conditionalFrom = otherwise.declarations.size();
        if (std::string reason = collect(statement.branch->elseBody, std::move(otherwise), declared); !reason.empty())
          return reason;
      } else if (statement.loop) {
        if (std::string reason = whyNotInner(*statement.loop, declared); !reason.empty())
          return reason;
        Question inner = around;
        inner.loops.push_back(statement.loop.get());
        if (std::string reason = collect(statement.loop->body, std::move(inner), declared); !reason.empty())
          return reason;
      } else {
        return "'" + std::string(nest_.slice(statement.range)) + "' happens in every iteration";
      }
    }
    return {};
  }

  std::string whyNotDeclaration(const Statement &statement) const {
    const Variable &variable = nest_.variable(*statement.declares);
    if (!statement.problem.empty())
      return statement.problem;
    if (variable.kind != Variable::Kind::Scalar || variable.escapes || variable.isGlobal || !statement.value ||
        statement.sharesDeclaration)
      return "'" + variable.name + "' is no plain local number with a value";
    return variable.name == nest_.variable(loop_.variable).name ? "it declares another '" + variable.name + "'"
                                                                : std::string();
  }

  /// All lanes of a block run an inner loop together.
  std::string whyNotInner(const Loop &inner, const std::set<VariableId> &declared) const {
    if (!inner.problem.empty())
      return inner.problem;
    if (nest_.variable(inner.variable).name == nest_.variable(loop_.variable).name)
      return "the inner loop has a variable of the same name";
    for (const Reference &reference : inner.boundReferences)
      if (reference.variable == loop_.variable || declared.contains(reference.variable))
        return "the inner loop's bounds are not the same in each iteration";
    return {};
  }

  void addHit(const std::vector<Statement> &body, bool isDirect) {
    const Hit hit = hitOf(body);
    mayLeave_ |= hit.mayLeave;
    hasBreak_ |= hit.hasBreak && isDirect;
    isUnclear_ |= hit.isUnclear;
    const bool returns = !body.empty() && body.back().exit == Statement::Exit::Return;
    const bool breaks = !body.empty() && body.back().exit == Statement::Exit::Break && isDirect;
    plan_.leavesAtHit &= returns || breaks;
  }

  Hit hitOf(const std::vector<Statement> &body) const {
    Hit hit;
    for (const Statement &statement : body) {
      // A call may not return, and what is not understood may do anything.
      hit.mayLeave |= statement.kind != Statement::Kind::Simple || !statement.problem.empty();
      const std::string_view text = nest_.slice(statement.range);
      hit.hasBreak |= statement.exit == Statement::Exit::Break || mentionsName(text, "break");
      hit.isUnclear |= mentionsName(text, "goto") || mentionsName(text, "static");
    }
    return hit;
  }

  /// Requires that a question can be asked for the whole block, before anything that the block does.
  std::string whyNotAhead(const Question &question) {
    for (std::size_t i = 0; i < question.declarations.size(); ++i) {
      const bool isConditional = question.conditionalFrom && i >= *question.conditionalFrom;
      if (std::string reason = whyNotValue(*question.declarations[i]->value, question, isConditional); !reason.empty())
        return reason;
    }
    return whyNotValue(*question.condition, question, question.conditionalFrom.has_value());
  }

  /// What no other condition stands in front of, every iteration reads, in any state: unless the loop is left before.
  std::string whyNotValue(const Expression &value, const Question &question, bool isConditional) {
    noteWidth(value);
    const bool isReadAnyway = !isConditional && !mayLeave_ && !hasBranch(value);
    return whyNotSpeculative(nest_, value, kWhere,
                             [&](const Expression &element) { return whyNotRead(element, question, isReadAnyway); });
  }

  static bool hasBranch(const Expression &value) {
    bool found = false;
    forEachExpression(value, [&](const Expression &part) {
      found |= part.kind == Kind::Conditional || (part.kind == Kind::Binary && (part.op == "&&" || part.op == "||"));
      return !found;
    });
    return found;
  }

  std::string whyNotRead(const Expression &element, const Question &question, bool isReadAnyway) {
    const std::string text(nest_.slice(element.range));
    if (element.kind != Kind::Element || element.operands.size() != 2 || !element.isArithmetic())
      return "'" + text + "' would be read " + kWhere;
    const Expression &base = element.operands[0].plain(), &subscript = element.operands[1];
    if (base.kind != Kind::Variable)
      return "'" + text + "' would be read " + kWhere;
    const Variable &array = nest_.variable(*base.variable);
    const bool isFixed = array.changes == 0 && (!array.escapes || array.kind == Variable::Kind::Other);
    if (!isFixed)
      return "'" + array.name + "' may change while the loop runs";
    if (isReadAnyway && isInvariantButFor(subscript, question))
      return {};
    if (array.kind == Variable::Kind::Other && array.extent == 0 && mayLeave_ && !plan_.leavesAtHit)
      return "'" + array.name + "' may be resized while the loop runs";
    if (isInExtent(array, subscript, question))
      return {};
    if (std::optional<Room> room = roomOf(nest_, context_.contract, loop_, *base.variable, subscript)) {
      if (std::ranges::find(plan_.rooms, *room) == plan_.rooms.end())
        plan_.rooms.push_back(std::move(*room));
      return {};
    }
    return "'" + text + "' would be read " + kWhere + ", and nothing says that '" + array.name + "' is that long" +
           advice(array);
  }

  /// Returns whether a subscript is made of the loops' variables and numbers that do not change in the function.
  bool isInvariantButFor(const Expression &subscript, const Question &question) const {
    bool isInvariant = true;
    forEachExpression(subscript, [&](const Expression &part) {
      isInvariant &= part.kind != Kind::Call && part.kind != Kind::Element && part.kind != Kind::Field && part.isPure;
      if (part.kind == Kind::Variable && loopOf(*part.variable, question) == nullptr) {
        const Variable &variable = nest_.variable(*part.variable);
        isInvariant &= variable.kind == Variable::Kind::Scalar && !variable.isMutated && !variable.escapes &&
                       (!variable.isGlobal || variable.isConstant);
      }
      return isInvariant;
    });
    return isInvariant;
  }

  const Loop *loopOf(VariableId variable, const Question &question) const {
    if (variable == loop_.variable)
      return &loop_;
    const auto found = std::ranges::find(question.loops, variable, [](const Loop *loop) { return loop->variable; });
    return found == question.loops.end() ? nullptr : *found;
  }

  /// Matches `v`, `v + c` and `v - c` with the variable of a loop around it.
  std::optional<std::pair<const Loop *, std::int64_t>> placeIn(const Expression &subscript,
                                                               const Question &question) const {
    const Expression &plain = subscript.plain();
    if (plain.kind == Kind::Variable) {
      const Loop *loop = loopOf(*plain.variable, question);
      return loop ? std::optional(std::pair{loop, std::int64_t{0}}) : std::nullopt;
    }
    if (plain.kind != Kind::Binary || (plain.op != "+" && plain.op != "-"))
      return std::nullopt;
    const auto inner = placeIn(plain.operands[0], question);
    const auto constant = plain.operands[1].value;
    constexpr std::int64_t kMost = 1 << 20;
    if (!inner || inner->second != 0 || !constant || *constant < 0 || *constant > kMost)
      return std::nullopt;
    return std::pair{inner->first, plain.op == "+" ? *constant : -*constant};
  }

  bool isInExtent(const Variable &array, const Expression &subscript, const Question &question) const {
    const Expression &index = subscript.plain();
    const Extent *extent = context_.contract ? extentOf(*context_.contract, array.name) : nullptr;
    if (extent && extent->direction == Direction::Out)
      extent = nullptr;
    if (index.isInteger && !index.isSigned && index.bits == 8) // a table with an entry for each byte
      return array.extent > 0 ? array.extent >= 256 : extent && constantExtent(extent->text) >= 256;
    const auto place = placeIn(subscript, question);
    if (!place)
      return false;
    const auto &[loop, distance] = *place;
    const bool isUnsigned = loop->lowerValue.isInteger && !loop->lowerValue.isSigned;
    if (loop->lowerConstant.value_or(isUnsigned ? 0 : -1) + distance < 0 || loop->mayTruncateBound)
      return false;
    const auto bound = loop->upperValue.plain().value;
    if (array.extent > 0)
      return bound && *bound + distance <= array.extent;
    const std::string upper = withoutBlanks(nest_.slice(loop->upper));
    // `v.size()` of the object itself
    if (array.kind == Variable::Kind::Other)
      return distance <= 0 && (upper == array.name + ".size()" || isSizeOf(upper, array.name));
    if (!extent)
      return false;
    const std::string declared = withoutBlanks(extent->text), rounds = roundsOf(upper);
    for (const std::string &end : {upper, rounds})
      if (declared == end
              ? distance <= 0
              : declared.starts_with(end + "+") && distance <= constantExtent(declared.substr(end.size() + 1)))
        return true;
    return false;
  }

  /// Returns a number's value; 0 for anything else.
  static int constantExtent(const std::string &text) {
    const bool isNumber = text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? std::atoi(text.c_str()) : 0;
  }

  /// Returns n if `bound` is a variable that is `n`, or `n > 0 ? n : 0`, and does not change; else `bound`.
  std::string roundsOf(const std::string &bound) const {
    std::string rounds = bound;
    forEachStatement(nest_.statements, [&](const Statement &statement) {
      if (!statement.declares || nest_.variable(*statement.declares).name != bound ||
          nest_.variable(*statement.declares).changes != 0)
        return;
      const std::string value = withoutBlanks(nest_.slice(statement.initializer));
      const std::string name = value.substr(0, value.find('>'));
      rounds = isName(value) || value == name + ">0?" + name + ":0" ? name : bound;
    });
    return rounds;
  }

  /// Returns whether `bound` is a variable that was set to the size of `name` and does not change.
  bool isSizeOf(const std::string &bound, const std::string &name) const {
    bool is = false;
    forEachStatement(nest_.statements, [&](const Statement &statement) {
      if (statement.declares && nest_.variable(*statement.declares).name == bound)
        is = nest_.variable(*statement.declares).changes == 0 &&
             withoutBlanks(nest_.slice(statement.initializer)) == name + ".size()";
    });
    return is;
  }

  std::string advice(const Variable &array) const {
    const std::string upper = roundsOf(withoutBlanks(nest_.slice(loop_.upper)));
    if (array.kind != Variable::Kind::Pointer || !array.isParameter ||
        (context_.contract && extentOf(*context_.contract, array.name)))
      return {};
    return "; AGENTIC_IN(" + array.name + ", " + (isName(upper) ? upper : "…") + ") would say so";
  }

  /// Lanes are as wide as the widest value that is compared.
  void noteWidth(const Expression &value) {
    forEachExpression(value, [&](const Expression &part) {
      if (part.kind == Kind::Element && part.isArithmetic())
        plan_.bits = std::max(plan_.bits, part.bits);
      return part.kind != Kind::Element;
    });
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
  SearchPlan plan_;
  bool mayLeave_ = false, hasBreak_ = false, isUnclear_ = false;
};

} // namespace

SearchPlan planBlockSearch(const MoveContext &context, const Loop &loop) {
  return BlockSearchPlanner(context, loop).run();
}

} // namespace agentic::moves
