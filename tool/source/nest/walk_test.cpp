#include "tool/source/nest/walk.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using namespace clang;

std::string reversed(const std::string &op) {
  return op == "<" ? ">" : op == "<=" ? ">=" : op == ">" ? "<" : op == ">=" ? "<=" : op;
}
std::string negated(const std::string &op) {
  return op == "<" ? ">=" : op == "<=" ? ">" : op == ">" ? "<=" : op == ">=" ? "<" : op == "==" ? "!=" : "==";
}

class TestReader {
public:
  TestReader(const WalkContext &known, const Iteration &iteration, const std::vector<const VarDecl *> &walked,
             Walk &walk)
      : known_(known), iteration_(iteration), walked_(walked), walk_(walk) {}

  std::string run() {
    if (!iteration_.test)
      return "no test at its top or bottom ends the loop '" + walk_.name + "'";
    const Expr *test = iteration_.test->IgnoreParenImpCasts();
    bool isNegated = iteration_.isNegated;
    while (const auto *inner = dyn_cast<UnaryOperator>(test)) {
      if (inner->getOpcode() != UO_LNot)
        break;
      isNegated = !isNegated;
      test = inner->getSubExpr()->IgnoreParenImpCasts();
    }
    walk_.test.isBottom = iteration_.isBottom;
    std::string reason;
    if (const auto *comparison = dyn_cast<BinaryOperator>(test); comparison && comparison->isComparisonOp())
      reason = readComparison(comparison);
    else
      reason = readValue(test);
    if (!reason.empty())
      return reason;
    if (isNegated)
      walk_.test.op = negated(walk_.test.op);
    return walk_.test.op == "==" ? "the loop '" + walk_.name + "' goes on while two values are equal" : "";
  }

private:
  std::string text(const Expr *source) const {
    const auto range = known_.map.range(source->getSourceRange());
    return range ? "'" + std::string(known_.symbols.slice(*range)) + "'" : "it";
  }

  /// Returns the event of a walked variable that is all of an expression, but for implicit conversions.
  const WalkEvent *eventOf(const Expr *source) const {
    const Expr *plain = source->IgnoreParenImpCasts();
    for (std::size_t i = iteration_.testBegin; i < iteration_.testEnd; ++i)
      if (const WalkEvent &event = iteration_.events[i];
          event.node == plain && std::ranges::find(walked_, event.variable) != walked_.end())
        return &event;
    return nullptr;
  }

  void setValue(const WalkEvent &event, std::int64_t sum) {
    const auto at = static_cast<std::size_t>(&event - iteration_.events.data());
    walk_.test.walked = static_cast<std::size_t>(std::ranges::find(walked_, event.variable) - walked_.begin());
    walk_.test.offset = valueAt(iteration_, at) + sum;
    walk_.test.isSum = sum != 0;
  }

  /// Matches `v`, `v + c` and `v + x`, where x is to stay the same.
  bool readWalked(const Expr *source) {
    if (const WalkEvent *event = eventOf(source)) {
      setValue(*event, 0);
      return true;
    }
    const auto *sum = dyn_cast<BinaryOperator>(source->IgnoreParenImpCasts());
    if (!sum || !sum->isAdditiveOp() || sum->getRHS()->getType()->isPointerType())
      return false;
    const auto number = constant(sum->getRHS());
    if (const WalkEvent *event = eventOf(sum->getLHS()); event && number) {
      setValue(*event, sum->getOpcode() == BO_Sub ? -*number : *number);
      return true;
    }
    return sum->getOpcode() == BO_Add &&
           (readAhead(sum->getLHS(), sum->getRHS()) || readAhead(sum->getRHS(), sum->getLHS()));
  }

  bool readAhead(const Expr *own, const Expr *other) {
    const WalkEvent *event = eventOf(own);
    const Expr *written = other->IgnoreParenImpCasts();
    const auto range = known_.map.range(written->getSourceRange());
    if (!event || !range || range->isEmpty() || !written->getType()->isIntegerType())
      return false;
    setValue(*event, 0);
    walk_.test.ahead = *range;
    walk_.test.isAheadSigned = written->getType()->isSignedIntegerOrEnumerationType();
    ahead_ = written;
    return true;
  }

  std::optional<std::int64_t> constant(const Expr *source) const { return constantOf(source, known_.context, 40); }

  void setCompared(QualType type) {
    if (type->isPointerType())
      return;
    walk_.test.comparedType = plainType(type).getAsString(known_.symbols.policy());
    walk_.test.isComparedSigned = type->isSignedIntegerOrEnumerationType();
    walk_.test.comparedBits = static_cast<unsigned>(known_.context.getTypeSize(type));
  }

  /// `while (n--)`
  std::string readValue(const Expr *test) {
    const WalkEvent *event = eventOf(test);
    if (!event || !test->getType()->isIntegerType())
      return "the condition " + text(iteration_.test) + " of the loop '" + walk_.name +
             "' is no comparison of a variable that steps by a constant";
    setValue(*event, 0);
    setCompared(test->getType());
    walk_.test.op = "!=";
    walk_.test.boundConstant = 0;
    walk_.test.isBoundSigned = true;
    return {};
  }

  std::string readComparison(const BinaryOperator *comparison) {
    if (comparison->getOpcode() == BO_Cmp)
      return "the condition " + text(iteration_.test) + " of the loop '" + walk_.name + "' is not understood";
    std::string op = comparison->getOpcodeStr().str();
    const Expr *left = comparison->getLHS(), *right = comparison->getRHS();
    if (readDistance(left, right, op))
      return whyBoundChanges();
    if (!readWalked(left)) {
      std::swap(left, right);
      op = reversed(op);
      if (!readWalked(left))
        return "no variable in the condition " + text(iteration_.test) + " of the loop '" + walk_.name +
               "' steps by a constant in every iteration";
    }
    walk_.test.op = op;
    setCompared(comparison->getLHS()->getType());
    return readBound(right);
  }

  /// `end - p >= 4` is p + 4 <= end.
  bool readDistance(const Expr *left, const Expr *right, std::string op) {
    auto number = constant(right);
    const Expr *side = left;
    if (!number) {
      number = constant(left);
      side = right;
      op = reversed(op);
    }
    const auto *difference = dyn_cast<BinaryOperator>(side->IgnoreParenImpCasts());
    if (!number || !difference || difference->getOpcode() != BO_Sub ||
        !difference->getLHS()->getType()->isPointerType() || !difference->getRHS()->getType()->isPointerType() ||
        !side->getType()->isSignedIntegerType())
      return false;
    const WalkEvent *event = eventOf(difference->getRHS());
    if (!event)
      return false;
    setValue(*event, *number);
    walk_.test.op = reversed(op);
    bound_ = difference->getLHS();
    setBound(bound_);
    return true;
  }

  std::string readBound(const Expr *bound) {
    bound_ = bound;
    setBound(bound);
    return whyBoundChanges();
  }

  void setBound(const Expr *bound) {
    const Expr *written = bound->IgnoreParenImpCasts();
    WalkTest &test = walk_.test;
    if (const auto range = known_.map.range(written->getSourceRange()))
      test.bound = *range;
    test.boundConstant = constant(bound);
    test.isBoundSigned = written->getType()->isSignedIntegerOrEnumerationType();
    if (!written->getType()->isPointerType())
      test.boundBits = static_cast<unsigned>(known_.context.getTypeSize(written->getType()));
    if (const auto *name = dyn_cast<DeclRefExpr>(written))
      if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
        test.boundVariable = known_.symbols.id(variable);
    if (const auto *difference = dyn_cast<BinaryOperator>(written);
        difference && difference->getOpcode() == BO_Sub && !test.boundConstant)
      if (const auto number = constant(difference->getRHS()); number && *number > 0)
        if (const auto range = known_.map.range(difference->getLHS()->getSourceRange());
            range && !difference->getLHS()->getType()->isPointerType()) {
          test.boundLess = *number;
          test.boundWhole = *range;
        }
  }

  /// The bound is evaluated once, in front of the loop.
  std::string whyBoundChanges() const {
    const std::string bound = "the bound " + text(bound_) + " of the loop '" + walk_.name + "' ";
    if (walk_.test.bound.isEmpty() || bound_->isValueDependent())
      return bound + "comes from a macro";
    std::string reason = whyNotFixed(bound_, bound);
    if (reason.empty() && ahead_)
      reason = whyNotFixed(ahead_, "what the condition of the loop '" + walk_.name + "' adds, " + text(ahead_) + ", ");
    return reason;
  }

  std::string whyNotFixed(const Expr *source, const std::string &bound) const {
    source = source->IgnoreParens();
    if (const auto *name = dyn_cast<DeclRefExpr>(source)) {
      const auto *variable = dyn_cast<VarDecl>(name->getDecl());
      return variable ? whyVariableChanges(variable->getCanonicalDecl(), bound) : "";
    }
    if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, UnaryExprOrTypeTraitExpr>(source))
      return {};
    if (const auto *call = dyn_cast<CXXMemberCallExpr>(source))
      return whyMemberChanges(call, bound);
    const bool isSum = isa<BinaryOperator, ConditionalOperator, CastExpr>(source);
    const auto *unary = dyn_cast<UnaryOperator>(source);
    const auto *binary = dyn_cast<BinaryOperator>(source);
    if ((!isSum && !unary) || (unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_Deref ||
                                         unary->getOpcode() == UO_AddrOf)))
      return bound + "reads memory or calls a function";
    if (binary && (binary->isAssignmentOp() || binary->isCommaOp()))
      return bound + "changes something";
    if (binary && walk_.test.isBottom && (binary->getOpcode() == BO_Div || binary->getOpcode() == BO_Rem))
      return bound + "divides";
    for (const Stmt *child : source->children())
      if (const auto *inner = dyn_cast_or_null<Expr>(child))
        if (std::string reason = whyNotFixed(inner, bound); !reason.empty())
          return reason;
    return {};
  }

  std::string whyVariableChanges(const VarDecl *variable, const std::string &bound) const {
    const std::string name = "'" + variable->getNameAsString() + "'";
    const bool isConstant = variable->getType().isConstQualified();
    if (variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
      return bound + "reads memory";
    if (isConstant)
      return isInside(variable) ? bound + "holds " + name + ", which is declared in the loop" : "";
    if (variable->hasGlobalStorage() || known_.uses.escaping.contains(variable))
      return bound + "holds " + name + ", which may change unseen";
    if (isInside(variable))
      return bound + "holds " + name + ", which is declared in the loop";
    const auto changes = [&](const WalkEvent &event) { return event.isUpdate && event.variable == variable; };
    return std::ranges::any_of(iteration_.events, changes) ? bound + "holds " + name + ", which the loop changes" : "";
  }

  bool isInside(const VarDecl *variable) const {
    const auto place = known_.map.range(variable->getSourceRange());
    return place && walk_.range.contains(*place) && !(walk_.start.contains(*place));
  }

  /// `v.size()`, where the loop does nothing with v but read and write its elements.
  std::string whyMemberChanges(const CXXMemberCallExpr *call, const std::string &bound) const {
    const CXXMethodDecl *method = call->getMethodDecl();
    const auto *name = dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (!method || !method->getParent()->isInStdNamespace() || !method->isConst() || method->getName() != "size" ||
        !variable || variable->hasGlobalStorage() || iteration_.mayLeave)
      return bound + "reads memory or calls a function";
    return {};
  }

  const WalkContext &known_;
  const Iteration &iteration_;
  const std::vector<const VarDecl *> &walked_;
  Walk &walk_;
  const Expr *bound_ = nullptr, *ahead_ = nullptr;
};

} // namespace

std::string readTest(const WalkContext &known, const Iteration &iteration, const std::vector<const VarDecl *> &walked,
                     Walk &walk) {
  return TestReader(known, iteration, walked, walk).run();
}

} // namespace agentic::moves
