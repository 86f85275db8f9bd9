#include "tool/source/schedule/estimate.h"

#include "tool/base/text.h"
#include "tool/source/dependence/legality.h"
#include "tool/source/loops/evaluate.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr double kFloatLatency = 4, kIntegerLatency = 1, kMemoryLatency = 6;
constexpr std::int64_t kLargestUnrolled = 16, kLongestStride = 4;
constexpr double kUnknownTrips = 64, kTailTrips = 2, kUnknownStatement = 20, kLoopOverhead = 0.5;
/// Cost of pointers that might lead to the same memory: tests at run time, loads again behind stores. A little more
/// than what a search finds worth a try.
constexpr double kOverlap = 1.03;

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
      : nest_(nest), machine_(machine), observed_(observed), work_(nest, machine) {
    for (const Loop *loop : nest.loops) {
      if (const auto start = loop->lowerValue.plain().variable)
        starts_.insert(*start);
      if (const auto end = loop->upperValue.plain().variable)
        ends_.insert(*end);
    }
  }

  double run() { return ofStatements(nest_.statements) * (mayOverlap(nest_) ? kOverlap : 1); }

private:
  double ofStatements(const std::vector<Statement> &statements) {
    double cycles = 0;
    for (const Statement &statement : statements) {
      if (statement.loop)
        cycles += ofLoop(*statement.loop);
      else if (statement.kind == Statement::Kind::Opaque)
        cycles += ofOpaque(statement);
      else
        cycles += work_.of(statement).cycles;
    }
    return cycles;
  }

  /// Returns whether the work of a statement can be counted, though it may leave the loop around it.
  static bool isCounted(const Statement &statement) {
    const bool isSeen = statement.expression || statement.branch || statement.exit != Statement::Exit::None;
    return statement.kind != Statement::Kind::Opaque || (isSeen && statement.inner.empty());
  }

  /// Returns whether it is an `if` that leaves the loop around it: what it does happens once.
  bool isLast(const Statement &statement) const {
    std::string_view text = nest_.slice(statement.range);
    if (!text.starts_with("if (") || !text.ends_with("}"))
      return false;
    text = trim(text.substr(0, text.size() - 1));
    return text.ends_with("break;");
  }

  double ofOpaque(const Statement &statement) {
    if (isUnlikely(nest_, statement))
      return kUnknownStatement;
    if (isLast(statement) && !statement.inner.empty())
      return 0;
    if (statement.repeats)
      return ofUncounted(statement);
    if (isCounted(statement))
      return work_.of(statement).cycles;
    return statement.inner.empty() ? kUnknownStatement : ofStatements(statement.inner);
  }

  /// A `while` or `do` runs as often as a loop of unknown length that counts: a move that makes it count, and all that
  /// others make of it then, compare with what was there.
  double ofUncounted(const Statement &statement) {
    double round = statement.inner.empty() ? kUnknownStatement : ofStatements(statement.inner);
    if (const ExitLoop *loop = statement.exitLoop.get())
      round = (loop->condition ? work_.of(*loop->condition).cycles : 0) + ofStatements(loop->body);
    return kUnknownTrips * (round + kLoopOverhead);
  }

  double ofLoop(const Loop &loop) {
    const double trips = tripsOf(loop);
    const auto isInnermost = [&](const Statement &statement) {
      return statement.loop ? isUnrolled(*statement.loop) : statement.inner.empty() && !statement.repeats;
    };
    if (!std::ranges::all_of(loop.body, isInnermost))
      return trips * (std::max(ofStatements(loop.body), carriedLatency(loop)) + kLoopOverhead);
    const Work work = workOf(loop.body);
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
    const auto isLoop = [](const Statement &inner) { return inner.loop || inner.repeats || !inner.inner.empty(); };
    return trips && *trips <= kLargestUnrolled && loop.step == 1 && std::ranges::none_of(loop.body, isLoop);
  }

  /// Of one round, in which the loops inside are unrolled.
  Work workOf(const std::vector<Statement> &body) const {
    Work work;
    for (const Statement &statement : body) {
      const bool isBlock = !isCounted(statement) && !statement.inner.empty();
      Work part = statement.loop ? workOf(statement.loop->body)
                  : isBlock      ? workOf(statement.inner)
                                 : work_.of(statement);
      if (statement.loop)
        part.cycles *= tripsOf(*statement.loop);
      else if (!isBlock && !isCounted(statement))
        part.cycles = kUnknownStatement;
      work += part;
      work.hasCall |= statement.kind == Statement::Kind::Opaque;
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
      const bool isLocal = isScalar || (!target.operands.empty() && work_.isInRegisters(target.operands.front()));
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

  /// Returns whether the bound is a constant, or made of what has values in the benchmarks.
  bool hasKnownTrips(const Loop &loop) const { return loop.lowerConstant && likelyValue(loop.upperValue); }

  /// Returns whether a loop inside does the rounds: `for (i0 = 0; i0 < n;) for (…; ++block, i0 += 32)`, as coupled-sums
  /// writes it.
  bool isMovedOnInside(const Loop &loop) const {
    const std::string step = loop.name.substr(0, loop.name.find('#')) + " += ";
    return !loop.problem.empty() && std::ranges::any_of(nest_.loops, [&](const Loop *inner) {
      return isInside(*inner, loop) && nest_.slice(inner->header).find(step) != std::string_view::npos;
    });
  }

  double tripsOf(const Loop &loop) const {
    const double step = static_cast<double>(loop.step);
    const auto start = loop.lowerValue.plain().variable, end = loop.upperValue.plain().variable;
    // A block search stops at a place that it assigns: little is left to do one by one.
    const bool continues = start && (ends_.contains(*start) || nest_.variable(*start).isMutated);
    const bool isContinued = end && starts_.contains(*end);
    if (continues != isContinued && (continues || loop.step == 1))
      return kTailTrips;
    if (isShort(nest_, loop) || isMovedOnInside(loop))
      return 1;
    const auto first = loop.lowerConstant ? loop.lowerConstant : likelyValue(loop.lowerValue, Around::Middle);
    if (const auto last = likelyValue(loop.upperValue, Around::Middle); first && last)
      return static_cast<double>(std::max<std::int64_t>(0, *last - *first)) / step;
    if (!loop.upperBound || !loop.lowerConstant)
      return kUnknownTrips / step;
    const double upper = loop.upperBound->evaluate([&](Symbol symbol) { return valueOfSymbol(symbol); });
    return std::max(0.0, upper - static_cast<double>(*loop.lowerConstant)) / step;
  }

  /// Returns the value of what is made of parameters that have values in the benchmarks, and of locals that are made of
  /// such ones and never change: `const size_t rounds = n > 1 ? n - 1 : 0`; in the middle of loops around it also of
  /// their variables.
  enum class Around { Unknown, Middle };
  std::optional<std::int64_t> likelyValue(const Expression &expression, Around around = Around::Unknown) const {
    return evaluate(nest_, expression, [&](const Expression &part) -> std::optional<std::int64_t> {
      if (part.kind != Kind::Variable || !part.variable)
        return std::nullopt;
      const Variable &variable = nest_.variable(*part.variable);
      if (const auto known = observed_.find(variable.name); known != observed_.end() && !known->second.empty())
        return known->second.front();
      if (const Loop *loop = around == Around::Middle ? nest_.loopOf(*part.variable) : nullptr) {
        const auto first = likelyValue(loop->lowerValue, around), last = likelyValue(loop->upperValue, around);
        return first && last ? std::optional(std::midpoint(*first, *last)) : std::nullopt;
      }
      const Expression *start = variable.changes == 0 ? initialValue(nest_, *part.variable) : nullptr;
      return start ? likelyValue(*start, around) : std::nullopt;
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
  WorkCounter work_;
  /// Variables at which loops start and end: a loop that was cut spends its time in the middle part, or in the blocks
  /// and not in the rest.
  std::set<VariableId> starts_, ends_;
};

} // namespace

double estimatedCycles(const Nest &nest, const Machine &machine,
                       const std::map<std::string, std::vector<std::int64_t>> &observed) {
  return Estimator(nest, machine, observed).run();
}

} // namespace agentic::moves
