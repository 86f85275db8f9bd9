#include "tool/source/dependence/legality.h"

#include "tool/source/dependence/dependence.h"

#include <algorithm>
#include <map>
#include <set>

namespace agentic::moves {
namespace {

struct Contents {
  std::vector<const Access *> accesses;
  std::vector<const Loop *> loops;
  std::set<VariableId> declared, written, read;
  std::string problem;
};

Contents contentsOf(const Loop &loop, const Statement *except) {
  Contents contents;
  forEachStatement(loop.body, [&](const Statement &statement) {
    if (except && except->range.contains(statement.range))
      return;
    if (!statement.problem.empty() && contents.problem.empty())
      contents.problem = statement.problem;
    if (statement.loop) {
      contents.loops.push_back(statement.loop.get());
      contents.declared.insert(statement.loop->variable);
      if (!statement.loop->problem.empty() && contents.problem.empty())
        contents.problem = statement.loop->problem;
    }
    if (statement.declares)
      contents.declared.insert(*statement.declares);
    contents.declared.insert(statement.declaresInside.begin(), statement.declaresInside.end());
    for (const Access &access : statement.accesses)
      contents.accesses.push_back(&access);
    for (const Reference &reference : statement.references) {
      if (reference.writes)
        contents.written.insert(reference.variable);
      if (reference.reads)
        contents.read.insert(reference.variable);
    }
  });
  return contents;
}

/// Proves 0 <= rest < stride for all values of the inner loops' variables.
class RangeProof {
public:
  explicit RangeProof(const std::vector<const Loop *> &inner) : inner_(inner) {}

  bool holds(const Polynomial &rest, const Polynomial &stride) const {
    std::vector<Term> terms;
    Polynomial remaining = rest;
    for (const Loop *loop : inner_) {
      if (!rest.mentions(loop->variable))
        continue;
      const auto linear = remaining.linearIn(loop->variable);
      if (!linear || loop->lowerConstant != 0 || !loop->upperBound)
        return false;
      terms.push_back({linear->coefficient, *loop->upperBound});
      remaining = linear->rest;
    }
    const auto offset = remaining.asConstant();
    if (!offset || *offset < 0)
      return false;
    return stride.asConstant() ? holdsForConstants(terms, *offset, *stride.asConstant())
                               : *offset == 0 && holdsForProducts(terms, stride);
  }

private:
  struct Term {
    Polynomial coefficient, count;
  };

  static bool holdsForConstants(const std::vector<Term> &terms, std::int64_t offset, std::int64_t stride) {
    __int128 largest = offset;
    for (const Term &term : terms) {
      const auto coefficient = term.coefficient.asConstant(), count = term.count.asConstant();
      if (!coefficient || !count || *coefficient < 0 || *count < 1)
        return false;
      largest += static_cast<__int128>(*coefficient) * (*count - 1);
    }
    return largest < stride;
  }

  /// Mixed radix: the stride is count*coefficient of one term, whose coefficient is that of the next one, and so on.
  static bool holdsForProducts(std::vector<Term> terms, const Polynomial &stride) {
    if (terms.empty())
      return false; // a stride that may be zero
    Polynomial bound = stride;
    while (!terms.empty()) {
      const auto next = std::ranges::find_if(terms, [&](const Term &term) {
        const auto product = Polynomial::multiply(term.coefficient, term.count);
        return product && *product == bound;
      });
      if (next == terms.end())
        return false;
      bound = next->coefficient;
      terms.erase(next);
    }
    const auto last = bound.asConstant();
    return last && *last > 0;
  }

  const std::vector<const Loop *> &inner_;
};

class MemoryTest {
public:
  MemoryTest(const Nest &nest, const Loop &loop, const Contents &contents, const Statement *except)
      : nest_(nest), loop_(loop), contents_(contents), except_(except) {}

  std::string run() const {
    std::map<std::optional<VariableId>, std::vector<const Access *>> byBase;
    bool writes = false;
    for (const Access *access : contents_.accesses) {
      byBase[access->base].push_back(access);
      writes |= access->writes;
    }
    if (!writes)
      return {};
    if (const auto unknown = byBase.find(std::nullopt); unknown != byBase.end())
      return "'" + unknown->second.front()->text + "' may be memory that the loop writes";
    for (const auto &[base, accesses] : byBase) {
      if (contents_.declared.contains(*base) ||
          !std::ranges::any_of(accesses, [](const Access *access) { return access->writes; }))
        continue;
      for (const auto &[other, uses] : byBase)
        if (other != base && nest_.mayOverlap(*base, *other))
          return "'" + uses.front()->text + "' and '" + accesses.front()->text +
                 "' may be the same memory (AGENTIC_MAY_ALIAS, or a recorded call)";
      if (std::string reason = testArray(accesses); !reason.empty() && mayDepend(*base))
        return reason;
    }
    return {};
  }

private:
  /// Runs the slower test, if the quick one cannot decide.
  bool mayDepend(VariableId base) const {
    Effects effects = effectsOf(nest_, loop_.body, {&loop_}, except_);
    std::erase_if(effects.instances, [&](const Instance &instance) { return instance.access->base != base; });
    return !whyMemoryDepends(nest_, effects, effects, {{&loop_, &loop_, Relation::Order::Before}}).empty();
  }

  std::string testArray(const std::vector<const Access *> &accesses) const {
    std::optional<Polynomial> stride;
    std::vector<Polynomial> rests;
    for (const Access *access : accesses) {
      if (!access->subscript || !isAffine(*access->subscript))
        return "the subscript of '" + access->text + "' is not a sum of products of loop variables and invariants";
      const auto linear = access->subscript->linearIn(loop_.variable);
      if (!linear || mentionsInner(linear->coefficient))
        return "the subscript of '" + access->text + "' is not linear in '" + loop_.name + "'";
      if (stride && *stride != linear->coefficient)
        return conflict(accesses, access);
      stride = linear->coefficient;
      rests.push_back(linear->rest);
    }
    const auto constantStride = stride->asConstant();
    if (constantStride == 0)
      return "'" + accesses.front()->text + "' is the same element in every iteration of '" + loop_.name + "'";
    const bool allEqual = std::ranges::all_of(rests, [&](const Polynomial &rest) { return rest == rests.front(); });
    if (allEqual && constantStride && !mentionsInner(rests.front()))
      return {};
    return testRanges(accesses, rests, *stride);
  }

  /// Tests that every iteration stays inside its own `stride` elements, counted from a start common to all accesses.
  std::string testRanges(const std::vector<const Access *> &accesses, const std::vector<Polynomial> &rests,
                         const Polynomial &stride) const {
    if (stride.asConstant() && *stride.asConstant() < 0)
      return "the loop '" + loop_.name + "' walks '" + accesses.front()->text + "' backwards";
    Polynomial start = rests.front();
    for (const Loop *inner : contents_.loops)
      if (const auto linear = start.linearIn(inner->variable))
        start = linear->rest;
      else
        return "the subscript of '" + accesses.front()->text + "' is not linear in '" + inner->name + "'";
    std::int64_t lowest = start.constantTerm();
    for (const Polynomial &rest : rests)
      lowest = std::min(lowest, rest.constantTerm());
    const RangeProof proof(contents_.loops);
    for (std::size_t i = 0; i < rests.size(); ++i) {
      const auto common = Polynomial::add(start, Polynomial::constant(lowest - start.constantTerm()));
      const auto rest = common ? Polynomial::subtract(rests[i], *common) : std::nullopt;
      if (!rest || !proof.holds(*rest, stride))
        return conflict(accesses, accesses[i]);
    }
    return {};
  }

  std::string conflict(const std::vector<const Access *> &accesses, const Access *access) const {
    const auto isOther = [&](const Access *other) {
      return other->text != access->text && (access->writes || other->writes);
    };
    const auto other = std::ranges::find_if(accesses, isOther);
    if (other == accesses.end())
      return "two iterations of '" + loop_.name + "' may write the same element '" + access->text + "'";
    const Access *write = access->writes ? access : *other, *touch = access->writes ? *other : access;
    return "'" + touch->text + "' may be an element that another iteration of '" + loop_.name + "' writes as '" +
           write->text + "'";
  }

  bool mentionsInner(const Polynomial &polynomial) const {
    return std::ranges::any_of(contents_.loops, [&](const Loop *loop) { return polynomial.mentions(loop->variable); });
  }

  /// Returns whether no opaque part depends on this loop or one inside it.
  bool isAffine(const Polynomial &polynomial) const {
    for (const Symbol symbol : polynomial.symbols()) {
      if (symbol < Nest::kFirstOpaque) {
        const Variable &variable = nest_.variable(symbol);
        if (!nest_.isLoopVariable(symbol) && variable.isMutated)
          return false;
        if (contents_.declared.contains(symbol) && !nest_.isLoopVariable(symbol))
          return false;
        continue;
      }
      if (nest_.symbolDependsOn(symbol, loop_.variable))
        return false;
      for (const VariableId declared : contents_.declared)
        if (nest_.symbolDependsOn(symbol, declared))
          return false;
    }
    return true;
  }

  const Nest &nest_;
  const Loop &loop_;
  const Contents &contents_;
  const Statement *except_;
};

} // namespace

std::string whyNotParallel(const Nest &nest, const Loop &loop, const Statement *except) {
  if (!loop.problem.empty())
    return loop.problem;
  const Contents contents = contentsOf(loop, except);
  if (!contents.problem.empty())
    return contents.problem;
  for (const VariableId written : contents.written) {
    const Variable &variable = nest.variable(written);
    if (!contents.declared.contains(written))
      return "'" + variable.name + "' carries a value from one iteration of '" + loop.name + "' to the next";
  }
  for (const VariableId used : contents.read) {
    const Variable &variable = nest.variable(used);
    if (variable.escapes)
      return "the address of '" + variable.name + "' is taken";
    if (variable.isGlobal && !variable.isConstant)
      return "the loop reads the global '" + variable.name + "'";
  }
  return MemoryTest(nest, loop, contents, except).run();
}

std::vector<std::string> writtenArrays(const Nest &nest, const Loop &loop) {
  std::set<std::string> names;
  forEachStatement(loop.body, [&](const Statement &statement) {
    for (const Access &access : statement.accesses)
      if (access.writes && access.base)
        names.insert(nest.variable(*access.base).name);
  });
  return {names.begin(), names.end()};
}

} // namespace agentic::moves
