#include "tool/source/moves/coupled_sums.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

/// Returns the matrix of one, of this size.
Matrix identity(std::size_t size) {
  Matrix result(size, std::vector<std::uint64_t>(size));
  for (std::size_t i = 0; i < size; ++i)
    result[i][i] = 1;
  return result;
}

/// Returns the product: modulo `modulus`, below 2^32, or if that is 0 modulo 2^bits.
Matrix product(const Matrix &left, const Matrix &right, unsigned bits, std::uint64_t modulus) {
  Matrix result(left.size(), std::vector<std::uint64_t>(right.front().size()));
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.front().size(); ++j) {
      std::uint64_t &sum = result[i][j];
      for (std::size_t k = 0; k < right.size(); ++k)
        sum = modulus != 0 ? (sum + (left[i][k] % modulus) * (right[k][j] % modulus)) % modulus
                           : sum + left[i][k] * right[k][j];
      sum &= largestOfBits(bits);
    }
  return result;
}

class CoupledSumsPlanner {
public:
  CoupledSumsPlanner(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop) {}

  CoupledSums run() {
    if (plan_.problem = whyNotLoop(); plan_.problem.empty())
      plan_.problem = whyNotStates();
    if (plan_.problem.empty())
      plan_.problem = read(0);
    if (plan_.problem.empty())
      reroll();
    return std::move(plan_);
  }

private:
  std::string quoted(VariableId id) const { return "'" + nest_.variable(id).name + "'"; }

  std::string whyNotLoop() const {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (containsLoop(loop_))
      return "there is a loop inside";
    for (const Statement &statement : loop_.body) {
      if (!statement.problem.empty())
        return statement.problem;
      if (std::ranges::any_of(statement.accesses, &Access::writes))
        return "it writes memory";
    }
    return hiddenAlias(nest_, loop_);
  }

  /// Finds the scalars that live on, and what their types have in common.
  std::string whyNotStates() {
    std::set<VariableId> written;
    for (const Statement &statement : loop_.body) {
      if (statement.declares)
        declared_.insert(*statement.declares);
      for (const Reference &reference : statement.references)
        if (reference.writes)
          written.insert(reference.variable);
    }
    for (const VariableId id : written)
      (declared_.contains(id) ? locals_ : states_).insert(id);
    plan_.states.assign(states_.begin(), states_.end());
    if (plan_.states.empty())
      return "no scalar passes from one iteration to the next";
    constexpr std::size_t kMostStates = 4;
    if (plan_.states.size() > kMostStates)
      return "more than " + std::to_string(kMostStates) + " scalars pass from one iteration to the next";
    for (const VariableId id : plan_.states)
      if (nest_.variable(id).kind != Variable::Kind::Scalar || nest_.variable(id).isFloating)
        return quoted(id) + " is no integer";
    return {};
  }

  /// Follows the values through one iteration. `modulus`: of the states before it; 0: not known yet, or none.
  std::string read(std::uint64_t modulus) {
    LinearForm form(nest_);
    form.modulus = modulus;
    plan_.bits = 0;
    for (const VariableId id : plan_.states) {
      LinearValue value{.states = {{id, 1}}, .isModular = modulus != 0};
      if (modulus != 0)
        value.largest = modulus - 1;
      form.set(id, value);
    }
    plan_.kept.clear();
    std::string reason;
    for (const Statement &statement : loop_.body)
      if (reason.empty())
        reason = readStatement(statement, form);
    if (modulus == 0 && form.modulus > UINT32_MAX)
      return "the divisor of the remainders has more than 32 bits";
    if (modulus == 0 && form.modulus != 0)
      return read(form.modulus);
    if (!reason.empty())
      return reason;
    plan_.modulus = modulus;
    if (plan_.bits < 32 && modulus == 0)
      return "the scalars are of less than 32 bits, and no remainders";
    plan_.inputs = form.inputs;
    return fill(form);
  }

  std::string readStatement(const Statement &statement, LinearForm &form) {
    const auto failed = [&] { return form.problem.empty() ? "a statement is not understood" : form.problem; };
    if (statement.declares) {
      if (statement.sharesDeclaration || !statement.value)
        return "a declaration is not of one variable with its value";
      if (!locals_.contains(*statement.declares) && !form.mentionsTracked(*statement.value)) {
        plan_.kept.push_back(&statement);
        return {};
      }
      const Variable &local = nest_.variable(*statement.declares);
      auto value = form.of(*statement.value);
      if (!value || local.kind != Variable::Kind::Scalar || local.isFloating)
        return failed();
      // Its type is that of the initial value, which is converted to it.
      form.set(*statement.declares, std::move(*value));
      return {};
    }
    if (statement.branch)
      return readSubtraction(*statement.branch, form);
    if (!statement.expression)
      return "a statement is no assignment";
    const Expression &expression = *statement.expression;
    if (isStep(expression))
      return "a scalar is only counted up or down in it";
    if (expression.kind != Kind::Assign || expression.operands[0].kind != Kind::Variable)
      return "a statement is no assignment to a scalar";
    const Expression &target = expression.operands[0];
    if (states_.contains(*target.variable)) {
      const bool isNarrow = target.bits < 32; // a remainder fits; what wraps is computed in int, and cut
      if (!target.isInteger || (isNarrow && target.isSigned) || target.bits < 8 || target.bits > 64)
        return quoted(*target.variable) + " is of type " + target.type + ", not of 32 or 64 bits";
      if (plan_.bits != 0 && (plan_.bits != target.bits || plan_.areSigned != target.isSigned))
        return "the scalars are of different types";
      plan_.bits = target.bits;
      plan_.areSigned = target.isSigned;
    }
    auto value = form.stored(expression);
    if (!value)
      return failed();
    form.set(*target.variable, std::move(*value));
    return {};
  }

  /// `if (a >= M) a -= M;`
  std::string readSubtraction(const Branch &branch, LinearForm &form) {
    const std::string reason = "a branch in it does more than subtract a modulus once";
    if (!branch.problem.empty() || branch.hasElse || branch.thenBody.size() != 1 ||
        branch.condition.kind != Kind::Binary || (branch.condition.op != ">=" && branch.condition.op != ">") ||
        !branch.thenBody[0].expression || branch.thenBody[0].expression->kind != Kind::Assign)
      return reason;
    const Expression &left = branch.condition.operands[0].plain(), &limit = branch.condition.operands[1];
    const Expression &change = *branch.thenBody[0].expression;
    const Expression &value = change.operands[1];
    if (change.op != "-=" || !left.variable || left.kind != Kind::Variable ||
        change.operands[0].kind != Kind::Variable || change.operands[0].variable != left.variable || !limit.value ||
        !value.value || *value.value < 2 || *limit.value + (branch.condition.op == ">") != *value.value ||
        !form.find(*left.variable))
      return reason;
    auto reduced = form.reducedOnce(*form.find(*left.variable), static_cast<std::uint64_t>(*value.value));
    if (!reduced)
      return form.problem;
    form.set(*left.variable, std::move(*reduced));
    return {};
  }

  /// Fills the matrices from the values after one iteration.
  std::string fill(const LinearForm &form) {
    const std::size_t size = plan_.states.size();
    plan_.step.assign(size, std::vector<std::uint64_t>(size));
    plan_.weights.assign(plan_.inputs.size(), std::vector<std::uint64_t>(size));
    for (std::size_t i = 0; i < size; ++i) {
      const VariableId id = plan_.states[i];
      const LinearValue &value = *form.find(id);
      if (plan_.modulus != 0 ? !value.largest || *value.largest >= plan_.modulus
                             : value.isModular || value.bits < plan_.bits)
        return quoted(id) + (plan_.modulus != 0 ? " is no remainder at the end of an iteration"
                                                : " has more bits than what it is computed from");
      for (std::size_t j = 0; j < size; ++j)
        if (const auto found = value.states.find(plan_.states[j]); found != value.states.end())
          plan_.step[i][j] = found->second;
      for (const auto &[index, coefficient] : value.inputs)
        plan_.weights[index][i] = coefficient;
    }
    if (plan_.step == identity(size))
      return "the sums do not depend on each other: split-reduction is for them";
    return plan_.inputs.empty() ? "nothing is added in it" : "";
  }

  /// Finds `rolled`: the inputs are neighbouring elements, and each is added as in one step of a smaller loop.
  void reroll() {
    const std::size_t count = plan_.inputs.size(), size = plan_.states.size();
    if (count < 2 || plan_.modulus != 0 || size != 2 || !plan_.kept.empty())
      return;
    // Only for a sum and the sum of its values.
    const std::size_t second = plan_.step[1][0] != 0 ? 1 : 0, first = 1 - second;
    if (plan_.step[first][first] != 1 || plan_.step[second][second] != 1 || plan_.step[first][second] != 0 ||
        plan_.step[second][first] % count != 0)
      return;
    const std::vector<std::size_t> order = neighbouringInputs();
    if (order.size() != count)
      return;
    Matrix step = identity(2);
    step[second][first] = plan_.step[second][first] / count;
    const std::vector<std::uint64_t> added = plan_.weights[order.back()];
    for (std::size_t m = 0; m < count; ++m) {
      const std::uint64_t later = static_cast<std::uint64_t>(count - 1 - m);
      if (plan_.weights[order[m]][first] != added[first] ||
          plan_.weights[order[m]][second] != added[second] + later * step[second][first] * added[first])
        return;
    }
    plan_.rolled = count;
    plan_.step = step;
    plan_.weights = {added};
    plan_.inputs = {plan_.inputs[order.front()]};
  }

  /// Returns the inputs in order of their elements: a[v * count], a[v * count + 1], …; empty if they are others.
  std::vector<std::size_t> neighbouringInputs() const {
    std::vector<std::pair<std::int64_t, std::size_t>> places;
    std::optional<VariableId> base;
    std::optional<Polynomial> origin;
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const Access *access = nullptr;
      for (const Statement &statement : loop_.body)
        for (const Access &candidate : statement.accesses)
          if (nest_.slice(candidate.range) == plan_.inputs[i].text)
            access = &candidate;
      if (!access || !access->base || !access->subscript || (base && base != access->base) ||
          plan_.inputs[i].type != plan_.inputs[0].type || !plan_.inputs[i].text.ends_with(']'))
        return {};
      base = access->base;
      if (!origin)
        origin = access->subscript;
      const auto distance = Polynomial::subtract(*access->subscript, *origin);
      const auto offset = distance ? distance->asConstant() : std::nullopt;
      if (!offset)
        return {};
      places.emplace_back(*offset, i);
    }
    const auto linear = origin->linearIn(loop_.variable);
    if (!linear || linear->coefficient.asConstant() != static_cast<std::int64_t>(plan_.inputs.size()))
      return {};
    std::ranges::sort(places);
    std::vector<std::size_t> order;
    for (const auto &[offset, index] : places) {
      if (offset - places.front().first != static_cast<std::int64_t>(order.size()))
        return {};
      order.push_back(index);
    }
    return order;
  }

  const Nest &nest_;
  const Loop &loop_;
  CoupledSums plan_;
  std::set<VariableId> declared_, locals_, states_;
};

/// The largest values that sums can have; each function returns false where 64 bits do not hold them.
class Bounds {
public:
  using Row = std::vector<std::uint64_t>;

  /// row = matrix * row
  static bool apply(const Matrix &matrix, Row &row) {
    Row result(matrix.size());
    for (std::size_t i = 0; i < matrix.size(); ++i)
      for (std::size_t j = 0; j < row.size(); ++j)
        if (!addProduct(result[i], matrix[i][j], row[j]))
          return false;
    row = std::move(result);
    return true;
  }
  static bool addProduct(std::uint64_t &sum, std::uint64_t left, std::uint64_t right) {
    std::uint64_t value;
    return !__builtin_mul_overflow(left, right, &value) && !__builtin_add_overflow(sum, value, &sum);
  }
};

/// Returns whether the sums of so many blocks fit, in the lanes and where they are put together.
bool doFit(const CoupledSums &plan, const LanePlan &lanes, int laneCount, std::uint64_t blocks) {
  const std::size_t size = plan.states.size();
  const std::uint64_t mostOfLane = largestOfBits(lanes.bits);
  Bounds::Row sums(size), states(size, plan.modulus - 1), total(size);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if (!Bounds::apply(lanes.advance, sums) || (plan.modulus != 0 && !Bounds::apply(lanes.power, states)))
      return false;
    for (std::size_t input = 0; input < plan.inputs.size(); ++input)
      for (std::size_t i = 0; i < size; ++i)
        if (!Bounds::addProduct(sums[i], lanes.added[input][i], *plan.inputs[input].largest))
          return false;
    if (std::ranges::any_of(sums, [&](std::uint64_t sum) { return sum > mostOfLane; }))
      return false;
  }
  if (plan.modulus == 0)
    return true; // the states wrap, and so may what is put together
  for (int lane = 0; lane < laneCount; ++lane) {
    Bounds::Row own = sums;
    if (!Bounds::apply(plan.step, total) || !Bounds::apply(lanes.basis, own))
      return false;
    for (std::size_t i = 0; i < size; ++i)
      if (!Bounds::addProduct(total[i], 1, own[i]))
        return false;
  }
  for (std::size_t i = 0; i < size; ++i)
    if (!Bounds::addProduct(total[i], 1, states[i]))
      return false;
  return true;
}

/// For a sum and the sum of its values: the second sum of a lane counts the first one once per block, without a factor.
void simplify(const CoupledSums &plan, LanePlan &lanes) {
  if (plan.states.size() != 2)
    return;
  const std::size_t second = lanes.power[1][0] != 0 ? 1 : 0, first = 1 - second;
  const std::uint64_t factor = lanes.power[second][first];
  if (lanes.power[first][first] != 1 || lanes.power[second][second] != 1 || lanes.power[first][second] != 0 ||
      factor == 0)
    return;
  // states[second] = ratio * sums[first] + factor * sums[second]
  const std::uint64_t ratio = plan.weights[0][first] != 0 ? plan.weights[0][second] / plan.weights[0][first] : 0;
  for (const std::vector<std::uint64_t> &weights : plan.weights)
    if (weights[second] != ratio * weights[first])
      return;
  lanes.basis[second][first] = ratio;
  lanes.basis[second][second] = factor;
  lanes.advance = identity(2);
  lanes.advance[second][first] = 1;
  for (std::vector<std::uint64_t> &added : lanes.added)
    added[second] = 0;
}

} // namespace

CoupledSums planCoupledSums(const Nest &nest, const Loop &loop) {
  return CoupledSumsPlanner(nest, loop).run();
}

std::optional<LanePlan> planLanes(const CoupledSums &plan, int laneCount) {
  const std::size_t size = plan.states.size();
  LanePlan lanes{.power = identity(size), .basis = identity(size), .added = plan.weights};
  for (int lane = 0; lane < laneCount; ++lane)
    lanes.power = product(plan.step, lanes.power, plan.bits, plan.modulus);
  lanes.advance = lanes.power;
  simplify(plan, lanes);
  lanes.bits = plan.bits;
  // Sums of small numbers are gathered in 32 bits, which are twice as many to a vector, and put together in time.
  const bool areBounded = std::ranges::all_of(plan.inputs, [](const LinearInput &input) { return !!input.largest; });
  if (plan.modulus == 0 && (plan.bits == 32 || !areBounded))
    return lanes;
  constexpr std::uint64_t kMostBlocks = 1 << 12, kLeastBlocks = 32;
  for (const unsigned bits : {32u, 64u}) {
    lanes.bits = bits;
    if (plan.modulus == 0 && bits == 64) // they wrap as written
      break;
    for (lanes.blocks = kMostBlocks; areBounded && lanes.blocks >= kLeastBlocks; lanes.blocks /= 2)
      if (doFit(plan, lanes, laneCount, lanes.blocks))
        return lanes;
  }
  lanes.blocks = 0;
  return plan.modulus == 0 ? std::optional(lanes) : std::nullopt;
}

} // namespace agentic::moves
