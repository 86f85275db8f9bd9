#include "tool/base/text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/reduction.h"
#include "tool/source/moves/split_scan.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

class ScanFinder {
public:
  ScanFinder(const MoveContext &context, const Loop &loop) : context_(context), nest_(context.nest), loop_(loop) {}

  Scan run() {
    Scan scan;
    scan.problem = fill(scan);
    return scan;
  }

private:
  std::string fill(Scan &scan) {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (containsLoop(loop_))
      return "it has a loop inside";
    std::set<VariableId> declared, written;
    for (const Statement &statement : loop_.body) {
      if (!statement.problem.empty())
        return statement.problem;
      if (statement.declares)
        declared.insert(*statement.declares);
      for (const Reference &reference : statement.references)
        if (reference.writes)
          written.insert(reference.variable);
    }
    std::erase_if(written, [&](VariableId variable) { return declared.contains(variable); });
    if (written.size() != 1)
      return written.empty() ? "no scalar is accumulated in it" : "more than one scalar lives on between iterations";
    scan.sum = *written.begin();
    if (std::string reason = findUpdate(scan); !reason.empty())
      return reason;
    if (std::string reason = whyNotType(scan); !reason.empty())
      return reason;
    if (std::string reason = whyNotSplit(scan); !reason.empty())
      return reason;
    return whyNotMemory(scan);
  }

  const std::string &name(const Scan &scan) const { return variable(scan).name; }
  const Variable &variable(const Scan &scan) const { return nest_.variable(scan.sum); }

  std::string findUpdate(Scan &scan) {
    bool isFound = false, isRead = false;
    for (std::size_t i = 0; i < loop_.body.size(); ++i) {
      const Statement &statement = loop_.body[i];
      const bool mentionsSum = std::ranges::any_of(
          statement.references, [&](const Reference &reference) { return reference.variable == scan.sum; });
      if (!mentionsSum)
        continue;
      if (isFound) {
        isRead = true;
        for (const Reference &reference : statement.references)
          if (reference.variable == scan.sum && reference.writes)
            return "'" + name(scan) + "' is changed twice in an iteration";
        continue;
      }
      if (!readUpdate(statement, scan))
        return "'" + name(scan) + "' is not just added to before it is used";
      scan.update = i;
      isFound = true;
    }
    return isRead ? "" : "the running values of '" + name(scan) + "' are not used";
  }

  /// Reads `s += v`, `s = s + v`, `s = a * s + v`, `s += a * (v - s)` and their other orders; integers also through
  /// casts that only change the sign.
  bool readUpdate(const Statement &statement, Scan &scan) {
    if (const auto update = updateOf(statement)) {
      target_ = update->target;
      scan.value = update->value;
      scan.isNegated = update->isNegated;
      return update->operation == Update::Operation::Add && isSum(*update->target, scan) && update->value;
    }
    if (!statement.expression || statement.expression->kind != Kind::Assign)
      return false;
    const Expression &whole = *statement.expression;
    target_ = &whole.operands[0];
    if (!isSum(*target_, scan))
      return false;
    if (whole.op == "+=")
      return readBlend(whole.operands[1], scan);
    const Expression &value = withoutCasts(whole.operands[1]);
    return whole.op == "=" && isOperation(value, "+", "-") &&
           (readTerm(value.operands[0], value.operands[1], value.op == "-", scan) ||
            (value.op == "+" && readTerm(value.operands[1], value.operands[0], false, scan)));
  }

  /// Reads a sum whose one term is the running sum, or a multiple of it.
  bool readTerm(const Expression &own, const Expression &other, bool isNegated, Scan &scan) const {
    const Expression &product = withoutCasts(own);
    const bool isPlain = isSum(product, scan);
    if (isPlain && !isNegated && readBlend(other, scan))
      return true;
    if (!isPlain && isOperation(product, "*", "*"))
      for (const std::size_t side : {0, 1})
        if (isSum(withoutCasts(product.operands[side]), scan))
          scan.factor = &product.operands[1 - side];
    scan.value = &other;
    scan.isNegated = isNegated;
    return (isPlain || (scan.factor && !mentions(*scan.factor, scan.sum))) && !mentions(other, scan.sum);
  }

  /// Reads `a * (v - s)`.
  bool readBlend(const Expression &term, Scan &scan) const {
    const Expression &product = term.plain();
    if (!isOperation(product, "*", "*"))
      return false;
    for (const std::size_t side : {0, 1}) {
      const Expression &difference = product.operands[side].plain(), &factor = product.operands[1 - side];
      if (!isOperation(difference, "-", "-") || !isSum(difference.operands[1].plain(), scan) ||
          mentions(difference.operands[0], scan.sum) || mentions(factor, scan.sum))
        continue;
      scan.factor = &factor;
      scan.value = &difference.operands[0];
      scan.isBlend = true;
      return true;
    }
    return false;
  }

  static bool isSum(const Expression &expression, const Scan &scan) {
    return expression.kind == Kind::Variable && expression.variable == scan.sum;
  }
  /// In the sum's own type; integers may be wider, since they are cut.
  bool isOperation(const Expression &expression, std::string_view one, std::string_view other) const {
    return expression.kind == Kind::Binary && expression.operands.size() == 2 &&
           (expression.op == one || expression.op == other) &&
           (target_->isInteger ? expression.isInteger && expression.bits >= target_->bits
                               : expression.type == target_->type);
  }
  /// Skips casts after which the sum's bits are the same. (A written cast holds an implicit one, which may cut.)
  const Expression &withoutCasts(const Expression &expression) const {
    if (expression.kind != Kind::Cast || expression.operands.size() != 1)
      return expression;
    const Expression &inner = expression.operands[0];
    const bool keepsBits = target_->isInteger
                               ? expression.isInteger && inner.isInteger && expression.bits >= target_->bits
                               : expression.type == inner.type;
    return keepsBits ? withoutCasts(inner) : expression;
  }

  /// It is evaluated in front of the loop, even if that does not run.
  bool isPlainFactor(const Expression &factor) const {
    const LoopEffects effects = effectsOf(loop_);
    bool isPlain = factor.isArithmetic() && factor.isFloating == target_->isFloating &&
                   factor.plain().bits <= target_->bits && effects.problem.empty() &&
                   whyNotInvariant(nest_, factor, effects.accesses, effects).empty() && !readsMemory(factor);
    forEachExpression(factor, [&](const Expression &part) {
      const bool isSafe =
          part.kind == Kind::Binary && isOneOf(part.op, {"+", "-", "*"}) && (part.isFloating || !part.isSigned);
      isPlain &= part.kind == Kind::Literal || part.kind == Kind::Variable || isSafe ||
                 (part.kind == Kind::Cast && (part.isImplicit || (part.isInteger && part.operands[0].isInteger))) ||
                 (part.kind == Kind::Unary && part.op == "-" && (part.isFloating || !part.isSigned || part.value));
      return isPlain;
    });
    return isPlain;
  }

  std::string whyNotType(Scan &scan) const {
    const Expression &target = *target_;
    const Variable &sum = variable(scan);
    if (sum.kind != Variable::Kind::Scalar || sum.escapes || sum.isGlobal)
      return "'" + sum.name + "' may be changed or read elsewhere while the loop runs";
    if (target.type == "bool" || (target.bits != 32 && target.bits != 64))
      return "'" + sum.name + "' is a " + target.type;
    const bool keepsZeros = context_.contract && context_.contract->specialValues;
    if (target.isFloating && (!context_.mayReassociate || keepsZeros))
      return "'" + sum.name +
             "' is accumulated in floating point, which depends on the order; a contract with "
             "AGENTIC_TOLERANCE or AGENTIC_FP(reassociate) would permit another one";
    if (target.isFloating && (!scan.value->isArithmetic() || scan.value->plain().bits > target.bits))
      return "what is added to '" + sum.name + "' is wider than it";
    if (scan.factor && !isPlainFactor(*scan.factor))
      return "'" + std::string(nest_.slice(scan.factor->range)) + "' is no plain number that the loop leaves alone";
    if (target.isFloating && scan.isBlend && !(context_.contract && context_.contract->isFinite))
      return "behind an infinity '" + sum.name +
             "' is NaN as written, and an infinity as a sum of multiples; "
             "AGENTIC_FP(finite) in the contract would exclude infinities";
    scan.declared = sum.type;
    scan.type = target.isSigned && !target.isFloating ? wrappingType(target.bits) : sum.type;
    scan.isInteger = target.isInteger;
    scan.bytes = target.bits / 8;
    return {};
  }

  /// Requires that only declarations precede the update, which may be evaluated earlier, and twice.
  std::string whyNotSplit(Scan &scan) const {
    std::set<VariableId> before;
    for (std::size_t i = 0; i < scan.update; ++i) {
      const Statement &statement = loop_.body[i];
      if (!statement.declares || !statement.value || !statement.value->isPure || statement.sharesDeclaration)
        return "something else happens before '" + name(scan) + "' is added to";
      before.insert(*statement.declares);
    }
    for (std::size_t i = scan.update + 1; i < loop_.body.size(); ++i)
      for (const Reference &reference : loop_.body[i].references) {
        if (!before.contains(reference.variable))
          continue;
        if (reference.writes)
          return "what is added to '" + name(scan) + "' is changed afterwards";
        scan.needsDeclarations = true;
      }
    for (const Expression *part : {scan.value, scan.factor})
      if (part && !isOwnText(*part, loop_.body[scan.update], scan.sum))
        return "'" + name(scan) + "' is added to by a macro";
    return {};
  }

  /// Requires that the added values can be read for the whole block before anything is written.
  std::string whyNotMemory(const Scan &scan) const {
    if (std::string reason = hiddenAlias(nest_, loop_); !reason.empty())
      return reason;
    for (std::size_t i = scan.update + 1; i < loop_.body.size(); ++i)
      for (const Access &write : loop_.body[i].accesses) {
        if (!write.writes)
          continue;
        for (std::size_t k = 0; k <= scan.update; ++k)
          for (const Access &read : loop_.body[k].accesses)
            if (mayMeet(read, write))
              return "'" + read.text + "' may be an element that another iteration writes as '" + write.text + "'";
      }
    for (std::size_t k = 0; k <= scan.update; ++k)
      for (const Access &access : loop_.body[k].accesses)
        if (access.writes)
          return "'" + access.text + "' is written before '" + name(scan) + "' is added to";
    return {};
  }

  bool mayMeet(const Access &read, const Access &write) const {
    if (!read.base || !write.base)
      return true;
    if (read.base != write.base)
      return mayOverlap(*read.base, *write.base);
    if (!read.subscript || !write.subscript || *read.subscript != *write.subscript)
      return true;
    // A subscript with a division or a remainder, as `i - i % 4`, may give the same element again.
    for (const Symbol symbol : write.subscript->symbols())
      if (symbol != loop_.variable && nest_.symbolDependsOn(symbol, loop_.variable))
        return true;
    const auto linear = write.subscript->linearIn(loop_.variable);
    const auto stride = linear ? linear->coefficient.asConstant() : std::nullopt;
    return !stride || *stride == 0;
  }

  bool mayOverlap(VariableId left, VariableId right) const {
    const auto nameOf = [&](VariableId id) { return nest_.variable(id).name; };
    return context_.contract && mayAlias(*context_.contract, nameOf(left), nameOf(right));
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
  const Expression *target_ = nullptr;
};

} // namespace

Scan planScan(const MoveContext &context, const Loop &loop) {
  return ScanFinder(context, loop).run();
}

} // namespace agentic::moves
