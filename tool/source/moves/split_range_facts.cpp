#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/split_range.h"

#include <algorithm>
#include <map>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::int64_t kLargest = 4096; ///< larger offsets are no border of a filter; smaller ones cannot overflow here

/// isX * x + [lowest, highest] + value, over all values of inner loops' variables.
struct Linear {
  int xs = 0;
  std::int64_t lowest = 0, highest = 0;
  std::optional<VariableId> value;
  bool isSmall() const { return xs == 0 && !value; }
};

/// `x + [lowest, highest] < end` (or >= start), for all of the range.
struct Leaf {
  const Expression *comparison;
  bool polarity; ///< its value in the interior
  bool isEnd;
  std::int64_t lowest, highest, bound; ///< bound: of the constant kind
  SplitRange::End end;
  bool isEquality = false;
  /// Outside, x + lowest is beyond its border, too, and neither side wraps: the comparison has the other value there.
  /// An unsigned end needs a value of at least `least`.
  bool isExact = false;
  std::int64_t least = 0;
};

/// Returns whether x + highest may wrap around up to the loop's end. No loop runs 2^64 times.
bool mayWrap(const Loop &loop, std::int64_t highest) {
  const Expression &upper = loop.upperValue.plain();
  return !upper.isSigned && upper.bits < 64 && highest > 1;
}

class LeafFinder {
public:
  LeafFinder(const Nest &nest, const Loop &loop)
      : nest_(nest), loop_(loop), type_(loop.upperValue.plain().type), isUnsigned_(!loop.upperValue.plain().isSigned) {
    forEachInside(loop.body, [&](const Statement &statement) {
      if (statement.declares && statement.value && !variable(*statement.declares).isMutated)
        locals_[*statement.declares] = &*statement.value;
      if (statement.loop)
        inner_[statement.loop->variable] = statement.loop.get();
    });
    forEachStatement(nest.statements, [&](const Statement &statement) {
      if (statement.declares && statement.range.end <= loop.range.begin)
        outside_.insert(*statement.declares);
    });
  }

  std::vector<Leaf> run() {
    forEachInside(loop_.body, [&](const Statement &statement) {
      if (statement.branch && isSpelledOut(statement.branch->condition))
        visit(statement.branch->condition);
      forEachRoot(statement, [&](const Expression &root) {
        forEachExpression(root, [&](const Expression &expression) {
          if (expression.kind == Kind::Conditional && isSpelledOut(root))
            visit(expression.operands[0]);
          return true;
        });
      });
    });
    return std::move(leaves_);
  }

private:
  const Variable &variable(VariableId id) const { return nest_.variable(id); }

  void visit(const Expression &condition) {
    const Expression &plain = condition.plain();
    if (plain.kind == Kind::Unary && plain.op == "!")
      return visit(plain.operands[0]);
    if (plain.kind != Kind::Binary)
      return;
    if (plain.op == "&&" || plain.op == "||") {
      visit(plain.operands[0]);
      return visit(plain.operands[1]);
    }
    if (auto leaf = leafOf(plain))
      leaves_.push_back(*leaf);
  }

  std::optional<Leaf> leafOf(const Expression &comparison) const {
    std::string op = comparison.op;
    const bool isEquality = op == "==" || op == "!=";
    if (!isEquality && op != "<" && op != "<=" && op != ">" && op != ">=")
      return std::nullopt;
    const Expression *left = &comparison.operands[0], *right = &comparison.operands[1];
    auto side = linear(*left), other = linear(*right);
    if (!side || !other || left->type != type_ || right->type != type_)
      return std::nullopt;
    if (side->xs == 0) {
      std::swap(side, other);
      op[0] = isEquality ? op[0] : op[0] == '<' ? '>' : '<';
    }
    if (side->xs != 1 || side->value >= 0 || other->xs != 0 || other->lowest != other->highest)
      return std::nullopt;
    if (isEquality) { // inside, they differ
      auto leaf = other->value ? endOf(comparison, op == "!=", *side, *other, false)
                               : startOf(comparison, op == "!=", *side, *other, true);
      if (leaf)
        leaf->isEquality = true;
      return leaf;
    }
    // The interior is where most iterations are: behind a constant, before what the loop runs up to.
    const bool polarity = (op[0] == '<') == other->value.has_value();
    if (!polarity) // not (a < b) is a >= b
      op = op == "<" ? ">=" : op == "<=" ? ">" : op == ">" ? "<=" : "<";
    return op[0] == '<' ? endOf(comparison, polarity, *side, *other, op == "<=")
                        : startOf(comparison, polarity, *side, *other, op == ">");
  }

  /// Handles x + [lowest, highest] < other, or <= other.
  std::optional<Leaf> endOf(const Expression &comparison, bool polarity, const Linear &side, const Linear &other,
                            bool isInclusive) const {
    const std::int64_t offset = other.lowest;
    // If value + offset may wrap, the interior must imply that it does not.
    if (isUnsigned_ && other.value && offset != 0 && (offset > 0 || side.highest < 0))
      return std::nullopt;
    if (isUnsigned_ && !other.value && offset < 0)
      return std::nullopt;
    const std::int64_t end = offset - side.highest + (isInclusive ? 1 : 0);
    // A variable plus more could overflow: the variable alone is a smaller and equally good end.
    const SplitRange::End result = !other.value ? SplitRange::End{{}, std::max<std::int64_t>(end, 0)}
                                                : SplitRange::End{other.value, std::min<std::int64_t>(end, 0)};
    Leaf leaf{&comparison, polarity, true, side.lowest, side.highest, 0, result};
    leaf.isExact = other.value && end <= 0 && side.lowest == side.highest && !mayWrap(loop_, side.highest);
    leaf.least = isUnsigned_ ? -offset : 0;
    return leaf;
  }

  /// Handles x + [lowest, highest] >= other, or > other; `other` is a constant.
  std::optional<Leaf> startOf(const Expression &comparison, bool polarity, const Linear &side, const Linear &other,
                              bool isExclusive) const {
    if (other.value || (isUnsigned_ && other.lowest < 0))
      return std::nullopt;
    const std::int64_t start = other.lowest + (isExclusive ? 1 : 0) - side.lowest;
    Leaf leaf{&comparison, polarity, false, side.lowest, side.highest, start, {}};
    leaf.isExact = side.lowest == side.highest && (!isUnsigned_ || side.lowest >= 0);
    return leaf;
  }

  std::optional<Linear> linear(const Expression &expression) const {
    if (!expression.isInteger || expression.bits < 32)
      return widened(expression);
    if (expression.value)
      return small(*expression.value, *expression.value);
    if (expression.kind == Kind::Variable)
      return ofVariable(expression);
    if (expression.kind == Kind::Cast)
      return ofCast(expression);
    if (expression.kind == Kind::Binary && expression.operands.size() == 2)
      return ofBinary(expression);
    return std::nullopt;
  }

  static std::optional<Linear> widened(const Expression &expression) {
    return expression.isInteger && expression.value ? small(*expression.value, *expression.value) : std::nullopt;
  }
  static std::optional<Linear> small(std::int64_t lowest, std::int64_t highest) {
    if (lowest < -kLargest || highest > kLargest)
      return std::nullopt;
    return Linear{0, lowest, highest, {}};
  }

  std::optional<Linear> ofVariable(const Expression &expression) const {
    const VariableId id = *expression.variable;
    if (id == loop_.variable)
      return expression.type == type_ ? std::optional(Linear{1, 0, 0, {}}) : std::nullopt;
    if (const auto local = locals_.find(id); local != locals_.end())
      return variable(id).escapes || local->second->type != expression.type ? std::nullopt : linear(*local->second);
    if (const auto inner = inner_.find(id); inner != inner_.end()) {
      const Loop &loop = *inner->second;
      // INT64_MIN means unknown, below every start: g++ 12 takes an optional for uninitialised here.
      const std::int64_t end = loop.upperBound ? loop.upperBound->asConstant().value_or(INT64_MIN) : INT64_MIN;
      if (!loop.problem.empty() || !loop.lowerConstant || end <= *loop.lowerConstant)
        return std::nullopt;
      return small(*loop.lowerConstant, end - 1);
    }
    const Variable &found = variable(id);
    const bool isInvariant = found.kind == Variable::Kind::Scalar && !found.isMutated && !found.escapes &&
                             (found.isParameter || outside_.contains(id));
    return isInvariant && expression.type == type_ ? std::optional(Linear{0, 0, 0, id}) : std::nullopt;
  }

  /// Handles casts of the small part only: a part with x or an invariant stays in x's type.
  std::optional<Linear> ofCast(const Expression &cast) const {
    const Expression &inner = cast.operands[0];
    const auto value = linear(inner);
    if (!value || inner.type == cast.type)
      return value;
    const bool mayCut = cast.bits < inner.bits || (!inner.isSigned && inner.bits < cast.bits && value->lowest < 0) ||
                        (cast.isSigned && value->lowest < 0 && !inner.isSigned);
    return value->isSmall() && !mayCut ? value : std::nullopt;
  }

  std::optional<Linear> ofBinary(const Expression &expression) const {
    const auto left = linear(expression.operands[0]), right = linear(expression.operands[1]);
    if (!left || !right)
      return std::nullopt;
    Linear result;
    if (expression.op == "+") {
      result = {left->xs + right->xs, left->lowest + right->lowest, left->highest + right->highest,
                std::max(left->value, right->value)};
      if (left->value >= 0 && right->value >= 0)
        return std::nullopt;
    } else if (expression.op == "-" && right->isSmall()) {
      result = {left->xs, left->lowest - right->highest, left->highest - right->lowest, left->value};
    } else {
      return std::nullopt;
    }
    const bool isInRange =
        result.lowest >= -kLargest && result.highest <= kLargest && result.xs <= 1 && (result.xs == 0 || !result.value);
    return isInRange ? std::optional(result) : std::nullopt;
  }

  const Nest &nest_;
  const Loop &loop_;
  std::string type_;
  bool isUnsigned_;
  std::map<VariableId, const Expression *> locals_;
  std::map<VariableId, const Loop *> inner_;
  std::set<VariableId> outside_;
  std::vector<Leaf> leaves_;
};

/// Returns whether a branch's statements cannot be written again in one piece, from the first one to the last.
bool isTornFromBlock(const Nest &nest, const std::vector<Statement> &body) {
  return !body.empty() && !hasWholeBlocks(nest.slice({body.front().range.begin, body.back().range.end}));
}

/// Sets `isKept` if its text must stay as it is: a use of the loop's variable may not be found.
std::string whyNotCopied(const Nest &nest, const Loop &loop, bool &isKept) {
  if (!loop.problem.empty())
    return loop.problem;
  for (const std::string_view word : {"break", "goto", "static", "asm", "co_return", "return", "switch", "throw"})
    if (mentionsName(nest.slice(loop.range), word))
      return "there is a '" + std::string(word) + "' in the loop '" + loop.name + "'";
  if (!loop.lowerConstant || *loop.lowerConstant < 0 || *loop.lowerConstant > kLargest)
    return "the loop '" + loop.name + "' starts neither at 0 nor at a small constant";
  const Variable &variable = nest.variable(loop.variable);
  const Expression &upper = loop.upperValue;
  const bool isPlain = upper.type == upper.plain().type && upper.isInteger && upper.bits >= 32 &&
                       upper.plain().kind == Kind::Variable && !upper.value;
  if (!isPlain || variable.isMutated || variable.escapes)
    return "the bound of the loop '" + loop.name + "' is no variable of its type";
  std::string reason;
  forEachInside(loop.body, [&](const Statement &statement) {
    const bool isKnown = statement.kind != Statement::Kind::Opaque || statement.exit == Statement::Exit::Continue ||
                         (statement.branch && isSpelledOut(statement.branch->condition));
    isKept |= !isKnown || (statement.loop && !statement.loop->problem.empty());
    if (statement.branch && reason.empty() &&
        (isTornFromBlock(nest, statement.branch->thenBody) || isTornFromBlock(nest, statement.branch->elseBody)))
      reason = "a branch in the loop '" + loop.name + "' begins or ends with a block";
    const std::optional<VariableId> other = statement.loop ? statement.loop->variable : statement.declares;
    if (other && nest.variable(*other).name == variable.name && reason.empty())
      reason = "two variables are called '" + variable.name + "'";
  });
  return reason;
}

/// For unsigned types, x + [lowest, highest] must not wrap, or the comparison means something else.
void dropWrapping(std::vector<Leaf> &leaves) {
  std::int64_t highest = 0;
  for (const Leaf &leaf : leaves)
    if (leaf.isEnd)
      highest = std::max(highest, leaf.highest);
  std::erase_if(leaves, [&](const Leaf &leaf) { return leaf.highest > highest; });
}

/// In front of the interior its latest start is not reached; behind it, its one end is, and every start has been.
void knowBorders(SplitRange &plan, const std::vector<Leaf> &leaves) {
  const bool isOneHead = plan.first == *plan.loop.lowerConstant + 1;
  const bool hasOneEnd = plan.ends.size() == 1 && plan.ends[0].value == plan.loop.upperValue.plain().variable;
  for (const Leaf &leaf : leaves) {
    if (!leaf.isEnd && leaf.isExact && leaf.bound == plan.first && (isOneHead || !leaf.isEquality))
      plan.head.add(*leaf.comparison, !leaf.polarity);
    if (!leaf.isEnd && !mayWrap(plan.loop, leaf.highest))
      plan.tail.add(*leaf.comparison, leaf.polarity);
    const bool isOneTail = hasOneEnd && plan.ends[0].offset == -1;
    // There are iterations behind the interior only if the end is beyond the first one.
    if (leaf.isEnd && leaf.isExact && hasOneEnd && leaf.end == plan.ends[0] && leaf.least <= plan.first + 1 &&
        (isOneTail || !leaf.isEquality))
      plan.tail.add(*leaf.comparison, !leaf.polarity);
  }
}

} // namespace

SplitRange planSplitRange(const Nest &nest, const Loop &loop) {
  SplitRange plan{nest, loop};
  plan.problem = whyNotCopied(nest, loop, plan.isKept);
  if (!plan.problem.empty())
    return plan;
  std::vector<Leaf> leaves = LeafFinder(nest, loop).run();
  const bool isUnsigned = !loop.upperValue.isSigned;
  if (isUnsigned)
    dropWrapping(leaves);
  plan.first = *loop.lowerConstant;
  for (const Leaf &leaf : leaves) {
    plan.interior.add(*leaf.comparison, leaf.polarity);
    if (isUnsigned)
      plan.first = std::max(plan.first, -leaf.lowest);
    if (!leaf.isEnd)
      plan.first = std::max(plan.first, leaf.bound);
    else if (std::ranges::find(plan.ends, leaf.end) == plan.ends.end())
      plan.ends.push_back(leaf.end);
  }
  knowBorders(plan, leaves);
  if (leaves.empty())
    plan.problem = "no condition in the loop compares '" + loop.name + "' with its ends";
  return plan;
}

Simplified simplified(const Known &known, const Expression &condition) {
  const Expression &plain = condition.plain();
  if (known.holds.contains(&plain))
    return {true, true};
  if (known.fails.contains(&plain))
    return {false, true};
  if (plain.kind == Kind::Unary && plain.op == "!") {
    Simplified inner = simplified(known, plain.operands[0]);
    if (inner.constant)
      inner.constant = !*inner.constant;
    return inner;
  }
  if (plain.kind != Kind::Binary || (plain.op != "&&" && plain.op != "||"))
    return {};
  const Simplified left = simplified(known, plain.operands[0]), right = simplified(known, plain.operands[1]);
  const bool deciding = plain.op == "||"; // true || x, false && x
  if (left.constant == deciding)
    return {deciding, true};
  if (right.constant == deciding) // the left side's other effects must remain; then it may not decide alone
    return plain.operands[0].isPure ? Simplified{deciding, true} : Simplified{};
  if (left.constant && right.constant)
    return {!deciding, true};
  return {std::nullopt, left.isChanged || right.isChanged};
}

} // namespace agentic::moves
