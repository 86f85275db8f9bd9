#include "tool/source/nest/walk.h"

namespace agentic::moves {
namespace {

using namespace clang;

const VarDecl *plainName(const Expr *expression) {
  const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParens());
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

class IterationReader {
public:
  IterationReader(Iteration &iteration, const ASTContext &context) : iteration_(iteration), context_(context) {}

  void run() {
    readHead(iteration_, context_);
    if (!iteration_.isBottom && !iteration_.testStatement)
      test();
    for (const Expr *condition : iteration_.conditions) {
      full(condition);
      leave(nullptr);
    }
    statement(iteration_.body, isa<CompoundStmt>(iteration_.body));
    if (iteration_.isBottom && !iteration_.testStatement)
      test();
    if (iteration_.step) {
      isInHeader_ = true;
      full(iteration_.step);
    }
  }

private:
  void problem(const std::string &text) {
    if (iteration_.problem.empty())
      iteration_.problem = text;
  }

  void test() {
    iteration_.testBegin = iteration_.events.size();
    if (iteration_.test)
      full(iteration_.test);
    iteration_.testEnd = iteration_.events.size();
  }

  bool isConditional() const { return conditions_ > 0; }

  void inner(const Stmt *source) {
    if (!source)
      return;
    ++conditions_;
    statement(source, isa<CompoundStmt>(source));
    --conditions_;
  }
  void innerLoop(const Stmt *source) {
    ++loops_, ++breakables_;
    for (const Stmt *child : source->children())
      inner(child);
    --loops_, --breakables_;
  }

  void statement(const Stmt *source, bool isInBlock) {
    if (!source || isa<NullStmt>(source))
      return;
    if (source == iteration_.testStatement)
      return test();
    if (const auto *e = dyn_cast<Expr>(source)) {
      statement_ = source, isInBlock_ = isInBlock;
      full(e);
      statement_ = nullptr;
    } else if (const auto *block = dyn_cast<CompoundStmt>(source)) {
      for (const Stmt *child : block->body())
        statement(child, true);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(source)) {
      for (const Decl *one : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(one); variable && variable->getInit())
          full(variable->getInit());
    } else if (const auto *choice = dyn_cast<IfStmt>(source)) {
      if (choice->getConditionVariable() || choice->getInit())
        problem("a variable declared in a condition");
      full(choice->getCond());
      inner(choice->getThen());
      inner(choice->getElse());
    } else if (const auto *choice = dyn_cast<SwitchStmt>(source)) {
      full(choice->getCond());
      ++breakables_, ++switches_;
      inner(choice->getBody());
      --breakables_, --switches_;
    } else if (isa<SwitchCase>(source) && switches_ > 0) {
      for (const Stmt *child : source->children())
        inner(child);
    } else if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(source)) {
      innerLoop(source);
    } else if (const auto *result = dyn_cast<ReturnStmt>(source)) {
      iteration_.mayLeave = true;
      if (result->getRetValue())
        full(result->getRetValue());
    } else if (isa<BreakStmt>(source)) {
      if (breakables_ == 0)
        leave(source);
    } else if (isa<ContinueStmt>(source)) {
      if (loops_ == 0 && !iteration_.continueAt)
        iteration_.continueAt = iteration_.events.size();
    } else {
      problem(std::string("a statement that is not understood (") + source->getStmtClassName() + ")");
    }
  }

  void leave(const Stmt *source) {
    iteration_.mayLeave = true;
    iteration_.breaks.push_back({source, iteration_.events.size()});
  }

  bool onlySteps(const Expr *source) const {
    source = source->IgnoreParens();
    if (const auto *comma = dyn_cast<BinaryOperator>(source); comma && comma->isCommaOp())
      return onlySteps(comma->getLHS()) && onlySteps(comma->getRHS());
    const auto *unary = dyn_cast<UnaryOperator>(source);
    const auto *binary = dyn_cast<BinaryOperator>(source);
    return (unary && unary->isIncrementDecrementOp() && plainName(unary->getSubExpr())) ||
           (binary && (binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign) &&
            plainName(binary->getLHS()) && constant(binary->getRHS()));
  }

  /// The operands of a comma at the top are evaluated one after the other.
  void full(const Expr *source) {
    const Expr *plain = source->IgnoreParens();
    if (const auto *comma = dyn_cast<BinaryOperator>(plain); comma && comma->isCommaOp()) {
      const Stmt *whole = statement_;
      statement_ = onlySteps(comma) ? whole : nullptr; // else a part stays, and the statement with it
      full(comma->getLHS());
      full(comma->getRHS());
      statement_ = whole;
      return;
    }
    ++full_;
    visit(source);
    if (statement_ && !iteration_.events.empty() && iteration_.events.back().isUpdate &&
        iteration_.events.back().full == full_ && iteration_.events.back().node == plain) {
      iteration_.events.back().statement = statement_;
      iteration_.events.back().isInBlock = isInBlock_;
    }
  }

  WalkEvent &add(const VarDecl *variable, const Expr *node) {
    WalkEvent event;
    event.variable = variable;
    event.node = event.outer = node;
    event.isConditional = isConditional();
    event.isInHeader = isInHeader_;
    event.full = full_;
    iteration_.events.push_back(event);
    return iteration_.events.back();
  }

  std::optional<std::int64_t> constant(const Expr *value) const { return constantOf(value, context_, 20); }

  /// Returns c if `value` is `variable + c`.
  std::optional<std::int64_t> advanceOf(const Expr *value, const VarDecl *variable) const {
    const auto *sum = dyn_cast<BinaryOperator>(value->IgnoreParenImpCasts());
    if (!sum || !sum->isAdditiveOp() || plainName(sum->getLHS()->IgnoreParenImpCasts()) != variable)
      return std::nullopt;
    const auto number = constant(sum->getRHS());
    return number && sum->getOpcode() == BO_Sub ? -*number : number;
  }

  void visit(const Expr *source) {
    if (!source)
      return;
    source = source->IgnoreParens();
    iteration_.mayLeave |= source->getType().isVolatileQualified(); // such a loop need not end
    if (const auto *name = dyn_cast<DeclRefExpr>(source)) {
      if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
        add(variable->getCanonicalDecl(), source);
    } else if (const auto *unary = dyn_cast<UnaryOperator>(source)) {
      visitUnary(unary);
    } else if (const auto *binary = dyn_cast<BinaryOperator>(source)) {
      visitBinary(binary);
    } else if (const auto *choice = dyn_cast<ConditionalOperator>(source)) {
      visit(choice->getCond());
      ++conditions_;
      visit(choice->getTrueExpr());
      visit(choice->getFalseExpr());
      --conditions_;
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(source)) {
      visitElement(element);
    } else if (const auto *element = containerElement(source)) {
      visit(element->getArg(0));
      const std::size_t index = iteration_.events.size();
      visit(element->getArg(1));
      if (iteration_.events.size() == index + 1)
        markSubscript(element->getArg(1), iteration_.events.back());
    } else if (const auto *member = dyn_cast<MemberExpr>(source)) {
      const std::size_t before = iteration_.events.size();
      visit(member->getBase());
      if (member->isArrow() && iteration_.events.size() == before + 1 && isEvent(member->getBase()))
        iteration_.events.back().form = WalkUse::Form::Arrow;
    } else if (isa<LambdaExpr, StmtExpr, CXXThrowExpr>(source)) {
      problem("a lambda, a statement in an expression or an exception");
    } else {
      if (const auto *call = dyn_cast<CallExpr>(source))
        iteration_.mayLeave |= !isQuiet(call);
      if (isa<UnaryExprOrTypeTraitExpr>(source))
        return;
      for (const Stmt *child : source->children())
        if (const auto *inner = dyn_cast_or_null<Expr>(child))
          visit(inner);
    }
  }

  /// Returns whether a call certainly comes back, and does nothing that an observer sees.
  static bool isQuiet(const CallExpr *call) {
    if (const auto *element = dyn_cast<CXXOperatorCallExpr>(call))
      return element->getOperator() == OO_Subscript;
    const FunctionDecl *callee = call->getDirectCallee();
    if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee))
      return method->isConst() && method->getParent()->isInStdNamespace();
    return callee && isPureFunction(callee);
  }

  /// Returns whether an expression is the event added last, under implicit conversions that keep a pointer.
  bool isEvent(const Expr *source) const {
    source = source->IgnoreParens();
    while (const auto *cast = dyn_cast<ImplicitCastExpr>(source)) {
      if (cast->getCastKind() != CK_LValueToRValue && cast->getCastKind() != CK_NoOp)
        return false;
      source = cast->getSubExpr()->IgnoreParens();
    }
    return !iteration_.events.empty() && iteration_.events.back().node == source;
  }

  void visitUnary(const UnaryOperator *unary) {
    const VarDecl *variable = unary->isIncrementDecrementOp() ? plainName(unary->getSubExpr()) : nullptr;
    if (variable) {
      WalkEvent &event = add(variable, unary);
      event.isUpdate = true;
      event.isPrefix = unary->isPrefix();
      event.delta = unary->isIncrementOp() ? 1 : -1;
      return;
    }
    iteration_.writesMemory |= unary->isIncrementDecrementOp();
    visit(unary->getSubExpr());
    if (unary->getOpcode() == UO_Deref && isEvent(unary->getSubExpr())) {
      iteration_.events.back().form = WalkUse::Form::Dereference;
      iteration_.events.back().outer = unary;
    }
  }

  void visitBinary(const BinaryOperator *binary) {
    const VarDecl *variable = binary->isAssignmentOp() ? plainName(binary->getLHS()) : nullptr;
    if (variable) {
      const auto code = binary->getOpcode();
      auto delta = code == BO_AddAssign || code == BO_SubAssign ? constant(binary->getRHS())
                   : code == BO_Assign                          ? advanceOf(binary->getRHS(), variable)
                                                                : std::nullopt;
      if (delta && code == BO_SubAssign)
        delta = -*delta;
      if (!delta)
        visit(binary->getRHS());
      WalkEvent &event = add(variable, binary);
      event.isUpdate = event.isPrefix = true;
      event.isKnown = delta.has_value();
      event.delta = delta.value_or(0);
      return;
    }
    iteration_.writesMemory |= binary->isAssignmentOp();
    visit(binary->getLHS());
    conditions_ += binary->isLogicalOp();
    visit(binary->getRHS());
    conditions_ -= binary->isLogicalOp();
  }

  void visitElement(const ArraySubscriptExpr *element) {
    const std::size_t before = iteration_.events.size();
    visit(element->getBase());
    const bool walks = iteration_.events.size() == before + 1 && isEvent(element->getBase());
    const std::size_t index = iteration_.events.size();
    visit(element->getIdx());
    if (walks && iteration_.events.size() == index) {
      WalkEvent &event = iteration_.events.back();
      event.form = WalkUse::Form::Element;
      event.outer = element;
      event.index = element->getIdx();
    }
    if (iteration_.events.size() == index + 1)
      markSubscript(element->getIdx(), iteration_.events.back());
  }

  void markSubscript(const Expr *index, WalkEvent &event) const {
    const Expr *plain = index->IgnoreParenImpCasts();
    if (plain == event.node) {
      event.isSubscript = event.isAlone = true;
      return;
    }
    const auto *sum = dyn_cast<BinaryOperator>(plain);
    if (!sum || !sum->isAdditiveOp() || sum->getLHS()->IgnoreParenImpCasts() != event.node)
      return;
    if (const auto number = constant(sum->getRHS())) {
      event.isSubscript = true;
      event.added = sum->getOpcode() == BO_Sub ? -*number : *number;
    }
  }

  Iteration &iteration_;
  const ASTContext &context_;
  int conditions_ = 0, loops_ = 0, breakables_ = 0, switches_ = 0, full_ = 0;
  const Stmt *statement_ = nullptr;
  bool isInBlock_ = false, isInHeader_ = false;
};

} // namespace

std::int64_t valueAt(const Iteration &iteration, std::size_t at) {
  const WalkEvent &event = iteration.events[at];
  std::int64_t value = event.isUpdate && event.isPrefix ? event.delta : 0;
  for (std::size_t i = 0; i < at; ++i)
    if (iteration.events[i].isUpdate && iteration.events[i].variable == event.variable)
      value += iteration.events[i].delta;
  return value;
}

bool isUnchangedAt(const Iteration &iteration, const Iteration::Break &exit, const VarDecl *variable) {
  return std::none_of(iteration.events.begin(), iteration.events.begin() + static_cast<std::ptrdiff_t>(exit.at),
                      [&](const WalkEvent &event) { return event.isUpdate && event.variable == variable; });
}

std::optional<std::int64_t> constantOf(const Expr *source, const ASTContext &context, int bits) {
  Expr::EvalResult value;
  if (!source || source->isValueDependent() || !source->getType()->isIntegralOrEnumerationType() ||
      !source->EvaluateAsInt(value, context, Expr::SE_NoSideEffects))
    return std::nullopt;
  const std::int64_t limit = std::int64_t{1} << bits;
  const auto number = value.Val.getInt().tryExtValue();
  return number && *number > -limit && *number < limit ? number : std::nullopt;
}

Iteration iterationOf(const Stmt &loop, const ASTContext &context) {
  Iteration iteration;
  iteration.loop = &loop;
  IterationReader(iteration, context).run();
  return iteration;
}

} // namespace agentic::moves
