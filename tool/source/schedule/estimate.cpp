#include "tool/source/schedule/estimate.h"

#include "tool/source/dependence/legality.h"
#include "tool/source/loops/evaluate.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

// Cycles on a core that starts four operations a cycle. Only orders of magnitude matter.
constexpr double kOperation = 0.25, kMemory = 0.4, kDivision = 5, kLibraryCall = 30, kInlinedCall = 6, kGather = 1;
constexpr double kFloatLatency = 4, kIntegerLatency = 1, kMemoryLatency = 6;
constexpr std::int64_t kLargestUnrolled = 16, kLongestStride = 4;
constexpr double kUnknownTrips = 64, kTailTrips = 2, kUnknownStatement = 20, kLoopOverhead = 0.5;
/// Cost of pointers that might lead to the same memory: tests at run time, loads again behind stores. A little more
/// than what a search finds worth a try.
constexpr double kOverlap = 1.03;

bool isRoot(const Expression &call) {
  return libraryName(call.op).starts_with("sqrt");
}

bool isCheapCall(std::string_view name) {
  name = libraryName(name);
  return name.starts_with("max") || name.starts_with("min") || name.starts_with("fma") || name.starts_with("fabs") ||
         name.starts_with("abs") || name.starts_with("sqrt") || name.starts_with("popcount") ||
         name.starts_with("fmin") || name.starts_with("copysign") || name.starts_with("clamp") ||
         name.starts_with("ia32_");
}

/// Returns whether a call copies a vector: one load or store.
bool isCopy(const Expression &call) {
  constexpr std::int64_t kVector = 64;
  return call.op.ends_with("memcpy") && call.operands.size() == 3 && call.operands[2].value &&
         *call.operands[2].value <= kVector;
}

/// The cost of one run of some statements, and whether a compiler can vectorize them.
struct Work {
  double cycles = 0;
  unsigned widestBits = 8;
  bool hasCall = false;
};

/// Returns whether a compiler must reckon with writes to what another pointer leads to.
bool mayOverlap(const Nest &nest) {
  int pointers = 0, written = 0;
  for (const Parameter &parameter : nest.function.parameters)
    if (parameter.type.ends_with("*") && !parameter.isRestrict) {
      ++pointers;
      written += !nest.variable(parameter.variable).pointsToConst;
    }
  return pointers > 1 && written > 0;
}

class Estimator {
public:
  Estimator(const Nest &nest, const Machine &machine, const std::map<std::string, std::vector<std::int64_t>> &observed)
      : nest_(nest), machine_(machine), observed_(observed) {
    double bytes = 0;
    for (const Variable &variable : nest.variables)
      if (isLocalArray(variable))
        bytes += static_cast<double>(variable.bytes);
    for (const Loop *loop : nest.loops) {
      if (const auto start = loop->lowerValue.plain().variable)
        starts_.insert(*start);
      if (const auto end = loop->upperValue.plain().variable)
        ends_.insert(*end);
    }
    // Arrays of different parts of the function are rarely live together; the largest tile decides.
    inRegisters_ = bytes <= machine.vectorBytes * (machine.vectorRegisters - 4);
  }

  double ofStatements(const std::vector<Statement> &statements) {
    double cycles = 0;
    for (const Statement &statement : statements) {
      if (statement.loop)
        cycles += ofLoop(*statement.loop);
      else if (statement.kind == Statement::Kind::Opaque)
        cycles += kUnknownStatement + (isUnlikely(nest_, statement) ? 0 : ofStatements(statement.inner));
      else
        cycles += workOf(statement).cycles;
    }
    return cycles;
  }

private:
  static bool isLocalArray(const Variable &variable) {
    return variable.bytes > 0 && !variable.isGlobal && !variable.isParameter && !variable.isConstant;
  }

  double ofLoop(const Loop &loop) {
    const double trips = tripsOf(loop);
    const auto isInnermost = [&](const Statement &statement) {
      return statement.loop ? isUnrolled(*statement.loop) : statement.inner.empty();
    };
    if (!std::ranges::all_of(loop.body, isInnermost))
      return trips * (std::max(ofStatements(loop.body), carriedLatency(loop)) + kLoopOverhead);
    const Work work = workOfBody(loop);
    if (!isVectorizable(loop, work))
      return trips * std::max(work.cycles + (trips <= 8 ? 0 : kLoopOverhead), carriedLatency(loop));
    const double lanes = std::max(1.0, machine_.vectorBytes * 8 / work.widestBits);
    // Of unknown counts a rest stays; compilers do most of it in shorter vectors.
    const double rounds = std::floor(trips / lanes),
                 rest = hasKnownTrips(loop) ? trips - rounds * lanes : std::max(kTailTrips, lanes / 8);
    return rounds * (work.cycles + kLoopOverhead) + rest * work.cycles;
  }

  /// Compilers unroll such loops before they optimise the loop around them.
  bool isUnrolled(const Loop &loop) const {
    const auto trips = constantTrips(loop);
    return trips && *trips <= kLargestUnrolled && loop.step == 1 && !containsLoop(loop);
  }

  Work workOfBody(const Loop &loop) const {
    Work work;
    for (const Statement &statement : loop.body) {
      Work part = statement.loop ? workOfBody(*statement.loop) : workOf(statement);
      part.cycles *= statement.loop ? tripsOf(*statement.loop) : 1;
      work.cycles += part.cycles;
      work.widestBits = std::max(work.widestBits, part.widestBits);
      work.hasCall |= part.hasCall || statement.kind == Statement::Kind::Opaque;
    }
    return work;
  }

  /// Independent iterations, or integer sums, over contiguous memory.
  bool isVectorizable(const Loop &loop, const Work &work) const {
    if (!loop.problem.empty() || work.hasCall)
      return false;
    bool isRegular = true;
    forEachStatement(loop.body, [&](const Statement &statement) {
      for (const Access &access : statement.accesses) {
        const auto linear = access.subscript ? access.subscript->linearIn(loop.variable) : std::nullopt;
        const auto stride = linear ? linear->coefficient.asConstant() : std::nullopt;
        isRegular &= stride && std::abs(*stride) <= kLongestStride;
      }
    });
    if (!isRegular)
      return false;
    const std::string reason = whyNotParallel(nest_, loop);
    return reason.empty() || (reason.find("carries a value") != std::string::npos && onlySumsIntegers(loop));
  }

  /// Returns whether all that passes between iterations are sums of integers, counts and the like that no other
  /// statement reads.
  bool onlySumsIntegers(const Loop &loop) const {
    std::set<VariableId> declared = {loop.variable}, sums, written, read;
    forEachStatement(loop.body, [&](const Statement &statement) {
      if (statement.declares)
        declared.insert(*statement.declares);
      if (statement.loop)
        declared.insert(statement.loop->variable);
      const auto update = updateOf(statement);
      const auto isSum = [&](const Reference &reference) {
        const Variable &variable = nest_.variable(reference.variable);
        const bool isUpdated =
            update ? update->target->variable == reference.variable
                   : statement.branch && std::ranges::any_of(statement.references, [&](const auto &other) {
                       return other.variable == reference.variable && other.writes;
                     });
        return isUpdated && variable.kind == Variable::Kind::Scalar && !variable.isFloating;
      };
      for (const Reference &reference : statement.references)
        (isSum(reference) ? sums : reference.writes ? written : read).insert(reference.variable);
    });
    return std::ranges::includes(declared, written) &&
           std::ranges::none_of(sums, [&](VariableId sum) { return read.contains(sum); });
  }

  /// Returns the latency of values that an iteration needs from the one before: sums whose place does not move with the
  /// loop.
  double carriedLatency(const Loop &loop) const {
    double latency = 0;
    std::set<VariableId> declared;
    forEachStatement(loop.body, [&](const Statement &statement) {
      if (statement.declares)
        declared.insert(*statement.declares);
      latency = std::max(latency, chainLatency(statement));
      const auto update = updateOf(statement);
      if (!update || mentions(*update->target, loop.variable))
        return;
      const Expression &target = *update->target;
      const bool isScalar = target.kind == Kind::Variable;
      if (isScalar && declared.contains(*target.variable))
        return;
      double own = target.isFloating ? kFloatLatency : kIntegerLatency;
      const bool isLocal = isScalar || (!target.operands.empty() && isInRegisters(target.operands.front()));
      latency = std::max(latency, own + (isLocal ? 0 : kMemoryLatency));
    });
    return latency;
  }

  /// `state = table[state]`: a step waits for a load; `state = row >> state` only for a shift.
  static double chainLatency(const Statement &statement) {
    if (!statement.expression || statement.expression->kind != Kind::Assign || statement.expression->op != "=")
      return 0;
    const Expression &target = statement.expression->operands[0], &value = statement.expression->operands[1];
    if (target.kind != Kind::Variable || !mentions(value, *target.variable))
      return 0;
    double latency = kIntegerLatency;
    forEachExpression(value, [&](const Expression &part) {
      if (part.kind == Kind::Element && mentions(part, *target.variable))
        latency = kMemoryLatency + kIntegerLatency;
      return latency == kIntegerLatency;
    });
    return latency;
  }

  bool isInRegisters(const Expression &base) const {
    const Expression *root = &base.plain();
    while (root->kind == Kind::Element && !root->operands.empty())
      root = &root->operands.front().plain();
    return root->variable && inRegisters_ && isLocalArray(nest_.variable(*root->variable));
  }

  Work workOf(const Statement &statement) const {
    Work work;
    if (statement.expression)
      count(*statement.expression, work);
    if (statement.value)
      count(*statement.value, work);
    if (statement.branch) {
      count(statement.branch->condition, work);
      for (const auto *body : {&statement.branch->thenBody, &statement.branch->elseBody})
        for (const Statement &inner : *body) {
          const Work part = workOf(inner);
          work.cycles += part.cycles;
          work.widestBits = std::max(work.widestBits, part.widestBits);
          work.hasCall |= part.hasCall;
        }
    }
    return work;
  }

  /// Returns whether a compiler that looks sees that a floating-point number is not negative.
  bool isVisiblyNonNegative(const Expression &expression) const {
    const Expression &number = expression.plain();
    const auto are = [&] {
      return std::ranges::all_of(number.operands, [&](const Expression &part) { return isVisiblyNonNegative(part); });
    };
    if (number.kind == Kind::Literal)
      return true; // a sign is an operator
    if (number.kind == Kind::Call)
      return isRoot(number) || libraryName(number.op).starts_with("fabs") || libraryName(number.op) == "abs";
    if (number.kind != Kind::Binary)
      return false;
    const std::string_view factor = nest_.slice(number.operands[0].range);
    if (number.op == "*" && !factor.empty() && factor == nest_.slice(number.operands[1].range)) // empty: from a macro
      return true;
    return (number.op == "+" || number.op == "*" || number.op == "/") && are();
  }

  /// The root of a negative number does, but for flags that leave errno alone.
  bool maySetErrno(const Expression &call) const {
    return isRoot(call) && !nest_.function.mayReassociateByFlags &&
           !(machine_.compilerSeesSigns && isVisiblyNonNegative(call.operands.front()));
  }

  void count(const Expression &expression, Work &work) const {
    if (expression.isArithmetic() && expression.kind != Kind::Literal)
      work.widestBits = std::max(work.widestBits, expression.bits);
    switch (expression.kind) {
    case Kind::Element:
      if (!isInRegisters(expression))
        work.cycles += kMemory;
      // Addresses are stepped, not computed; but an element that selects another one is a gather.
      for (const Expression &operand : expression.operands)
        forEachExpression(operand, [&](const Expression &inner) {
          if (inner.kind == Kind::Element && inner.isArithmetic())
            work.cycles += kGather;
          return true;
        });
      return;
    case Kind::Call:
      if (!expression.isLibrary) { // known to be pure: compilers see its body and inline it
        work.cycles += kInlinedCall;
        break;
      }
      if (isCopy(expression)) {
        work.hasCall = true;
        work.cycles += kMemory;
        return;
      }
      work.hasCall |= !isCheapCall(expression.op) || maySetErrno(expression);
      work.cycles += isCheapCall(expression.op) ? kOperation : kLibraryCall;
      break;
    case Kind::Binary:
      work.cycles += expression.op == "/" || expression.op == "%" ? kDivision : kOperation;
      break;
    case Kind::Assign:
      if (expression.op != "=")
        work.cycles += kOperation;
      break;
    case Kind::Unary:
    case Kind::Conditional:
      work.cycles += kOperation;
      break;
    default:
      break;
    }
    for (const Expression &operand : expression.operands)
      count(operand, work);
  }

  /// Returns whether the bound is a constant, or made of what has values in the benchmarks.
  bool hasKnownTrips(const Loop &loop) const { return loop.lowerConstant && likelyValue(loop.upperValue); }

  double tripsOf(const Loop &loop) const {
    const double step = static_cast<double>(loop.step);
    const auto start = loop.lowerValue.plain().variable, end = loop.upperValue.plain().variable;
    // A block search stops at a place that it assigns: little is left to do one by one.
    const bool continues = start && (ends_.contains(*start) || nest_.variable(*start).isMutated);
    const bool isContinued = end && starts_.contains(*end);
    if (continues != isContinued && (continues || loop.step == 1))
      return kTailTrips;
    if (isShort(nest_, loop))
      return 1;
    const auto first = loop.lowerConstant ? loop.lowerConstant : likelyValue(loop.lowerValue);
    if (const auto last = likelyValue(loop.upperValue); first && last)
      return static_cast<double>(std::max<std::int64_t>(0, *last - *first)) / step;
    if (!loop.upperBound || !loop.lowerConstant)
      return kUnknownTrips / step;
    const double upper = loop.upperBound->evaluate([&](Symbol symbol) { return valueOfSymbol(symbol); });
    return std::max(0.0, upper - static_cast<double>(*loop.lowerConstant)) / step;
  }

  /// Returns the value of what is made of parameters that have values in the benchmarks, and of locals that are made of
  /// such ones and never change: `const size_t rounds = n > 1 ? n - 1 : 0`.
  std::optional<std::int64_t> likelyValue(const Expression &expression) const {
    return evaluate(nest_, expression, [&](const Expression &part) -> std::optional<std::int64_t> {
      if (part.kind != Kind::Variable || !part.variable)
        return std::nullopt;
      const Variable &variable = nest_.variable(*part.variable);
      if (const auto known = observed_.find(variable.name); known != observed_.end() && !known->second.empty())
        return known->second.front();
      const Expression *start = variable.changes == 0 ? initialValue(nest_, *part.variable) : nullptr;
      return start ? likelyValue(*start) : std::nullopt;
    });
  }

  double valueOfSymbol(Symbol symbol) const {
    if (symbol >= Nest::kFirstOpaque) {
      const Nest::Opaque &opaque = nest_.opaque[static_cast<std::size_t>(symbol - Nest::kFirstOpaque)];
      if (opaque.isVariable)
        return kUnknownTrips;
      return opaque.text.find('%') != std::string::npos ? 0 : 8; // sizes are mostly multiples
    }
    const auto known = observed_.find(nest_.variable(symbol).name);
    return known != observed_.end() && !known->second.empty() ? static_cast<double>(known->second.front())
                                                              : kUnknownTrips;
  }

  const Nest &nest_;
  const Machine &machine_;
  const std::map<std::string, std::vector<std::int64_t>> &observed_;
  bool inRegisters_ = true;
  /// Variables at which loops start and end: a loop that was cut spends its time in the middle part, or in the blocks
  /// and not in the rest.
  std::set<VariableId> starts_, ends_;
};

} // namespace

Machine machineOf(const std::string &level) {
  if (level.starts_with("x86-64-v4"))
    return {64, 32};
  if (level == "x86-64-v3")
    return {32, 16};
  if (level == "sve" || level == "sve2" || level == "rv64gcv" || level.starts_with("arm"))
    return {16, 32};
  return {16, 16};
}

double estimatedCycles(const Nest &nest, const Machine &machine,
                       const std::map<std::string, std::vector<std::int64_t>> &observed) {
  const double cycles = Estimator(nest, machine, observed).ofStatements(nest.statements);
  return mayOverlap(nest) ? cycles * kOverlap : cycles;
}

} // namespace agentic::moves
