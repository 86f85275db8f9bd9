#include "tool/source/loops/evaluate.h"
#include "tool/source/moves/slice_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// Runs an iteration for a state and a byte of 0, and for each of their bits alone. All operations that are accepted
/// are linear but for a constant, so that these runs say what any state and any byte give.
class SliceTablePlanner {
public:
  SliceTablePlanner(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop) {}

  std::optional<SlicePlan> run() {
    if (!findState() || !findInput(loop_.body))
      return std::nullopt;
    plan_.problem = whyNot();
    return std::move(plan_);
  }

private:
  using Point = std::map<VariableId, std::int64_t>;
  using Values = std::vector<std::int64_t>;
  const Variable &state() const { return nest_.variable(plan_.state); }

  /// The one number that lives on, which is changed by an exclusive or.
  bool findState() {
    bool isMixed = false;
    std::vector<VariableId> declared, written;
    forEachStatement(loop_.body, [&](const Statement &statement) {
      isMixed |= nest_.slice(statement.range).find('^') != std::string_view::npos;
      if (statement.declares)
        declared.push_back(*statement.declares);
      for (const Reference &reference : statement.references)
        if (reference.writes)
          written.push_back(reference.variable);
    });
    std::erase_if(written, [&](VariableId id) { return std::ranges::find(declared, id) != declared.end(); });
    const bool isOne =
        !written.empty() && std::ranges::all_of(written, [&](VariableId id) { return id == written[0]; });
    if (!isMixed || !isOne || nest_.variable(written[0]).kind != Variable::Kind::Scalar)
      return false;
    plan_.state = written[0];
    return true;
  }

  bool findInput(const std::vector<Statement> &statements) {
    const auto look = [&](const Expression &tree) {
      forEachExpression(tree, [&](const Expression &part) {
        if (part.kind == Kind::Conditional)
          return false; // it may read nothing
        const bool isByte = part.kind == Kind::Element && part.isInteger && part.bits == 8 && part.type != "bool" &&
                            part.isPure && !part.range.isEmpty() && mentions(part, loop_.variable);
        if (isByte && !plan_.input)
          plan_.input = &part;
        return !isByte;
      });
    };
    for (const Statement &statement : statements) {
      if (statement.expression)
        look(*statement.expression);
      if (statement.value)
        look(*statement.value);
    }
    return plan_.input != nullptr;
  }

  std::string whyNot() {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (state().isGlobal || state().escapes)
      return "'" + state().name + "' may be changed or read elsewhere while the loop runs";
    findBits(loop_.body);
    if (plan_.bits != 16 && plan_.bits != 32)
      return "'" + state().name + "' is no unsigned number of 16 or 32 bits";
    for (unsigned bit = 0; bit <= plan_.bits + 8; ++bit) { // the first is 0; then the state's bits, and the byte's
      points_.push_back({{plan_.state, bit >= 1 && bit <= plan_.bits ? std::int64_t{1} << (bit - 1) : 0}});
      std::int64_t byte = bit > plan_.bits ? std::int64_t{1} << (bit - plan_.bits - 1) : 0;
      bytes_.push_back(plan_.input->isSigned && byte == 128 ? -128 : byte);
    }
    if (std::string reason = runAll(loop_.body); !reason.empty())
      return reason;
    return whyNotSliced();
  }

  void findBits(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      if (statement.expression && statement.expression->kind == Kind::Assign)
        if (const Expression &target = statement.expression->operands[0];
            target.kind == Kind::Variable && target.variable == plan_.state && target.isInteger && !target.isSigned)
          plan_.bits = target.bits;
      if (statement.branch)
        findBits(statement.branch->thenBody);
      if (statement.loop)
        findBits(statement.loop->body);
    }
  }

  std::string text(Range range) const { return "'" + std::string(nest_.slice(range)) + "'"; }

  std::string runAll(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements)
      if (std::string reason = runOne(statement); !reason.empty())
        return reason;
    return {};
  }

  std::string runOne(const Statement &statement) {
    if (statement.loop)
      return runLoop(*statement.loop);
    if (!statement.problem.empty())
      return statement.problem;
    if (statement.declares) {
      if (!statement.value || nest_.variable(*statement.declares).kind != Variable::Kind::Scalar)
        return text(statement.range) + " is not understood";
      return set(*statement.declares, affine(*statement.value), *statement.value);
    }
    if (statement.branch)
      return runBranch(*statement.branch, statement);
    const Expression *assign = statement.expression ? &*statement.expression : nullptr;
    if (!assign || assign->kind != Kind::Assign || assign->operands[0].kind != Kind::Variable ||
        !points_[0].contains(*assign->operands[0].variable))
      return text(statement.range) + " is not understood";
    return set(*assign->operands[0].variable, assigned(*assign), *assign);
  }

  std::string set(VariableId variable, const std::optional<Values> &values, const Expression &from) {
    if (!values)
      return text(from.range) + " is not linear in the bits of '" + state().name + "' and " + text(plan_.input->range);
    for (std::size_t i = 0; i < points_.size(); ++i)
      points_[i][variable] = (*values)[i];
    return {};
  }

  std::string runLoop(const Loop &loop) {
    const auto upper = loop.upperValue.plain().value;
    if (!loop.problem.empty() || !loop.lowerConstant || !upper || *upper - *loop.lowerConstant > 64)
      return loop.problem.empty() ? "the bounds of the loop '" + loop.name + "' are not constant" : loop.problem;
    for (std::int64_t round = *loop.lowerConstant; round < *upper; ++round) {
      for (Point &point : points_)
        point.erase(loop.variable);
      if (std::string reason = runAll(loop.body); !reason.empty())
        return reason;
    }
    return {};
  }

  /// `if (s & 1) s = …; else s = …;`
  std::string runBranch(const Branch &branch, const Statement &statement) {
    const auto condition = bit(branch.condition);
    if (!condition || !branch.problem.empty())
      return text(branch.condition.range) + " is not one bit";
    const std::vector<Point> before = points_;
    if (std::string reason = runAll(branch.thenBody); !reason.empty())
      return reason;
    const std::vector<Point> then = std::exchange(points_, before);
    if (std::string reason = runAll(branch.elseBody); !reason.empty())
      return reason;
    for (const auto &[variable, value] : before[0]) {
      Values first, second;
      for (std::size_t i = 0; i < points_.size(); ++i) {
        first.push_back(then[i].at(variable));
        second.push_back(points_[i].at(variable));
      }
      const auto joined = chosen(*condition, first, second);
      if (!joined)
        return text(statement.range) + " is not linear in the bits of '" + state().name + "'";
      for (std::size_t i = 0; i < points_.size(); ++i)
        points_[i][variable] = (*joined)[i];
    }
    for (Point &point : points_)
      std::erase_if(point, [&](const auto &entry) { return !before[0].contains(entry.first); });
    return {};
  }

  /// Returns the values of `bit ? first : second`, which is linear if the two differ by the same in every run.
  static std::optional<Values> chosen(const Values &bit, const Values &first, const Values &second) {
    Values result;
    for (std::size_t i = 0; i < bit.size(); ++i) {
      if ((first[i] ^ second[i]) != (first[0] ^ second[0]))
        return std::nullopt;
      result.push_back(bit[i] != 0 ? first[i] : second[i]);
    }
    return result;
  }

  std::optional<Values> evaluated(const Expression &expression) const {
    Values values;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto value = evaluate(nest_, expression, [&](const Expression &part) -> std::optional<std::int64_t> {
        if (isInput(part))
          return bytes_[i];
        if (part.kind != Kind::Variable || part.value)
          return std::nullopt;
        const auto found = points_[i].find(*part.variable);
        return found == points_[i].end() ? std::nullopt : std::optional(found->second);
      });
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }

  bool isInput(const Expression &part) const {
    return part.kind == Kind::Element && part.type == plan_.input->type && !part.range.isEmpty() &&
           nest_.slice(part.range) == nest_.slice(plan_.input->range);
  }

  /// Returns a condition's values if it is one bit: 0 where all is 0, and else 0 or one and the same number.
  std::optional<Values> bit(const Expression &condition) const {
    const Expression &plain = condition.plain();
    if (plain.kind == Kind::Binary && plain.op == "!=" && plain.operands[1].value == 0)
      return bit(plain.operands[0]);
    const auto values = affine(plain);
    if (!values || (*values)[0] != 0)
      return std::nullopt;
    std::int64_t mask = 0;
    for (const std::int64_t value : *values) {
      if (value != 0 && mask != 0 && value != mask)
        return std::nullopt;
      mask = value != 0 ? value : mask;
    }
    return values;
  }

  /// Returns the values if the expression is linear in all bits but for a constant.
  std::optional<Values> affine(const Expression &expression) const {
    return isAffine(expression) ? evaluated(expression) : std::nullopt;
  }

  bool isAffine(const Expression &expression) const {
    if (expression.value || isInput(expression))
      return true;
    switch (expression.kind) {
    case Kind::Variable:
      return points_[0].contains(*expression.variable);
    case Kind::Cast:
      return expression.isInteger && expression.type != "bool" && isAffine(expression.operands[0]);
    case Kind::Unary:
      return expression.op == "~" ? isAffine(expression.operands[0])
                                  : expression.op == "-" && isOne(expression.operands[0]);
    case Kind::Binary:
      return isAffineBinary(expression);
    case Kind::Element:
      return isLinearTable(expression);
    case Kind::Conditional: {
      const auto condition = bit(expression.operands[0]);
      const auto first = affine(expression.operands[1]), second = affine(expression.operands[2]);
      return condition && first && second && chosen(*condition, *first, *second);
    }
    default:
      return false;
    }
  }

  /// One bit whose number is 1.
  bool isOne(const Expression &expression) const {
    const auto values = bit(expression);
    return values && std::ranges::all_of(*values, [](std::int64_t value) { return value == 0 || value == 1; });
  }

  bool isAffineBinary(const Expression &expression) const {
    const Expression &left = expression.operands[0], &right = expression.operands[1];
    const std::string &op = expression.op;
    if (op == "^")
      return isAffine(left) && isAffine(right);
    if (op == "&")
      return (left.value && isAffine(right)) || (right.value && isAffine(left));
    if (op == ">>" || op == "<<")
      return right.value && isAffine(left);
    return op == "*" && ((left.value && isOne(right)) || (right.value && isOne(left)));
  }

  /// T[0] = 0 and T[a ^ b] = T[a] ^ T[b]: it is made of the elements at powers of two.
  bool isLinearTable(const Expression &element) const {
    const Expression &base = element.operands[0].plain();
    if (element.operands.size() != 2 || base.kind != Kind::Variable)
      return false;
    const Values &values = nest_.variable(*base.variable).values;
    if (values.empty() || (values.size() & (values.size() - 1)) != 0 || values[0] != 0 ||
        nest_.variable(*base.variable).dimensions.size() != 1)
      return false;
    for (std::size_t i = 1; i < values.size(); ++i)
      if (values[i] != (values[i & (i - 1)] ^ values[i & (~i + 1)]))
        return false;
    return isAffine(element.operands[1]);
  }

  /// Returns the values that an assignment leaves.
  std::optional<Values> assigned(const Expression &assign) const {
    if (assign.op == "=")
      return affine(assign.operands[1]);
    if (assign.op != "^=" && assign.op != ">>=" && assign.op != "<<=" && assign.op != "&=")
      return std::nullopt;
    // Computed as `target op value`; the target is unsigned, and what it does not hold is dropped.
    Expression operation = assign;
    operation.kind = Kind::Binary;
    operation.op.pop_back();
    operation.isPure = true;
    operation.value.reset();
    auto values = affine(operation);
    if (values)
      for (std::int64_t &value : *values)
        value &= (std::int64_t{1} << assign.operands[0].bits) - 1;
    return !assign.operands[0].isSigned && assign.operands[0].bits <= 32 ? values : std::nullopt;
  }

  /// A step takes a byte of the state, as if it were the input, and moves the others by one place.
  std::string whyNotSliced() {
    const auto after = [&](std::size_t point) { return points_[point].at(plan_.state); };
    const unsigned bits = plan_.bits;
    if (after(0) != 0)
      return "a byte of 0 changes a '" + state().name + "' of 0";
    for (unsigned bit = 0; bit < 8; ++bit)
      plan_.images.push_back(after(1 + bits + bit));
    for (const bool isLowest : {true, false}) {
      bool fits = true;
      const unsigned taken = isLowest ? 0 : bits - 8;
      for (unsigned bit = 0; bit < bits; ++bit) {
        const std::int64_t moved = isLowest ? std::int64_t{1} << bit >> 8 : std::int64_t{1} << bit << 8;
        fits &= after(1 + bit) == (bit >= taken && bit < taken + 8 ? plan_.images[bit - taken] : moved);
      }
      if (fits) {
        plan_.takesLowest = isLowest;
        return {};
      }
    }
    return "a step does not move '" + state().name + "' by one byte";
  }

  const Nest &nest_;
  const Loop &loop_;
  SlicePlan plan_;
  std::vector<Point> points_;
  Values bytes_;
};

} // namespace

std::optional<SlicePlan> planSlices(const Nest &nest, const Loop &loop) {
  return SliceTablePlanner(nest, loop).run();
}

} // namespace agentic::moves
