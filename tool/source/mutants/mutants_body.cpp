// Makes mutants of statements and expressions: leaves out each value, changes each operator.
#include "tool/source/mutants/mutants_ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <set>

namespace agentic::mutants {
namespace {

using clang::BinaryOperator;

const std::string kZerosAdvice = "compare the results with expected values that are not all zero";
const std::string kOperatorAdvice = "use values for which the two differ, and compare every result";
const std::string kOrderAdvice = "use operands that differ, and compare every result";
const std::string kEqualAdvice = "add a case where both sides are equal";
const std::string kConstantAdvice = "use values for which this constant matters, and compare closely";
const std::string kStatementAdvice = "compare what this statement changes, with values other than those before it";
const std::string kBranchAdvice = "add a case in which this condition decides the result";

bool isLocal(const clang::Expr *target) {
  const clang::VarDecl *variable = moves::namedVariable(target);
  return variable && variable->isLocalVarDecl() && !variable->getType()->isReferenceType();
}

class BodySites : public clang::RecursiveASTVisitor<BodySites> {
public:
  explicit BodySites(SiteList &list) : list_(list) {}

  // Skips parts that are no values of the kernel's own, or belong to another kind.
  bool TraverseTypeLoc(clang::TypeLoc) { return true; }
  bool TraverseAttr(clang::Attr *) { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) { return true; }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }

  bool TraverseForStmt(clang::ForStmt *loop) {
    addLoopSites(list_, *loop, loops_, depth_);
    return traverseBody(loop->getBody());
  }
  bool TraverseWhileStmt(clang::WhileStmt *loop) {
    addWhileSites(list_, *loop, loops_, depth_);
    return traverseWhile(loop->getCond(), loop->getBody());
  }
  bool TraverseDoStmt(clang::DoStmt *loop) { return traverseWhile(loop->getCond(), loop->getBody()); }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
    addRangeForSites(list_, *loop, loops_);
    return traverseBody(loop->getBody());
  }

  bool TraverseArraySubscriptExpr(clang::ArraySubscriptExpr *access) {
    addSubscript(access->getIdx());
    return TraverseStmt(access->getBase()) && traverseSubscript(access->getIdx());
  }
  bool TraverseCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) {
    if (call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2)
      return RecursiveASTVisitor::TraverseCXXOperatorCallExpr(call);
    addSubscript(call->getArg(1));
    return TraverseStmt(call->getArg(0)) && traverseSubscript(call->getArg(1));
  }

  bool VisitBinaryOperator(BinaryOperator *binary) {
    if (!list_.isWritten(binary->getOperatorLoc()))
      return true;
    if (binary->isAssignmentOp())
      addAssignment(*binary);
    else if (!inSubscript_ && !binary->getType()->isPointerType() && !binary->getLHS()->getType()->isPointerType())
      addOperator(*binary);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (unary->isIncrementOp() && list_.isWritten(unary->getOperatorLoc()) && !inSubscript_)
      if (const auto whole = list_.range(unary))
        addNarrowedSite(list_, {.target = unary->getSubExpr(), .whole = *whole, .loop = loop_});
    return true;
  }
  bool VisitIntegerLiteral(clang::IntegerLiteral *literal) { return addConstant(*literal, " + 1"); }
  bool VisitFloatingLiteral(clang::FloatingLiteral *literal) {
    const auto text = list_.text(literal);
    return addConstant(*literal, literal->getValue().isZero() || !text ? " + 1" : " + " + *text + " / 64");
  }
  bool VisitReturnStmt(clang::ReturnStmt *statement) {
    addReturn(*statement);
    return true;
  }
  bool VisitCompoundStmt(clang::CompoundStmt *block) {
    for (const clang::Stmt *statement : block->body())
      if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement))
        addRemoved(*expression);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt *choice) {
    addBranch(*choice);
    return true;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator *choice) {
    noteExtremum(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    return true;
  }

private:
  bool traverseBody(clang::Stmt *body) {
    const std::optional<int> outer = loop_;
    loop_ = loops_++;
    ++depth_;
    const bool goesOn = TraverseStmt(body);
    --depth_;
    loop_ = outer;
    return goesOn;
  }
  bool traverseWhile(const clang::Expr *condition, clang::Stmt *body) {
    const auto outer = progress_;
    addNames(condition);
    const bool goesOn = traverseBody(body);
    progress_ = outer;
    return goesOn;
  }
  void addNames(const clang::Stmt *statement) {
    if (!statement)
      return;
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      progress_.insert(name->getDecl());
    for (const clang::Stmt *child : statement->children())
      addNames(child);
  }
  bool traverseSubscript(clang::Expr *index) {
    const bool outer = inSubscript_;
    inSubscript_ = true;
    const bool goesOn = TraverseStmt(index);
    inSubscript_ = outer;
    return goesOn;
  }

  void addSubscript(const clang::Expr *index) {
    const auto range = list_.range(index);
    const auto operand = list_.operand(index);
    if (range && operand && index->getType()->isIntegerType() && list_.isWritten(index->getBeginLoc()) &&
        list_.isWritten(index->getEndLoc()))
      list_.replace(MutantKind::OffByOne, *range, *operand + " + 1", "use inputs whose neighbours differ", loop_);
  }

  void addAssignment(const BinaryOperator &assignment) {
    const auto whole = list_.range(&assignment);
    const auto target = list_.text(assignment.getLHS());
    if (!whole || !target || assignment.getLHS()->getType()->isPointerType())
      return;
    const bool isPlain = assignment.getOpcode() == clang::BO_Assign;
    const bool isStored = !isLocal(assignment.getLHS());
    if (isStored && isNumber(assignment.getLHS()->getType()) &&
        !(isPlain && assignment.getRHS()->IgnoreParenImpCasts()->isEvaluatable(list_.context)))
      list_.replace(MutantKind::Zeros, *whole, *target + " = 0", kZerosAdvice, loop_);
    const auto kind = isPlain ? clang::BO_Assign : BinaryOperator::getOpForCompoundAssignment(assignment.getOpcode());
    const std::string operation = isPlain ? "" : BinaryOperator::getOpcodeStr(kind).str();
    if (isStored || loop_)
      addNarrowedSite(list_, {.target = assignment.getLHS(),
                              .value = assignment.getRHS(),
                              .operation = operation,
                              .whole = *whole,
                              .loop = loop_});
    if (const std::string other = isPlain ? "" : otherOperator(kind); !other.empty())
      replaceOperator(MutantKind::Operator, assignment, other + "=", kOperatorAdvice);
  }

  void addOperator(const BinaryOperator &binary) {
    if (binary.isComparisonOp()) {
      if (!extrema_.contains(&binary))
        replaceOperator(MutantKind::Comparison, binary, otherComparison(binary.getOpcode()), kEqualAdvice);
      if (binary.isRelationalOp())
        addSwapped(binary);
      return;
    }
    if (const std::string other = otherOperator(binary.getOpcode()); !other.empty())
      replaceOperator(MutantKind::Operator, binary, other, kOperatorAdvice);
    if (binary.getOpcode() == clang::BO_Sub || binary.getOpcode() == clang::BO_Div ||
        binary.getOpcode() == clang::BO_Rem)
      addSwapped(binary);
  }

  void replaceOperator(MutantKind kind, const BinaryOperator &binary, const std::string &other,
                       const std::string &advice) {
    const auto whole = list_.range(&binary);
    const auto left = list_.operand(binary.getLHS()), right = list_.operand(binary.getRHS());
    if (!whole || !left || !right || other.empty())
      return;
    const std::string text = *left + " " + other + " " + *right;
    list_.replace(kind, *whole, binary.isAssignmentOp() ? text : "(" + text + ")", advice, loop_);
  }

  void addSwapped(const BinaryOperator &binary) {
    const auto whole = list_.range(&binary);
    const auto left = list_.operand(binary.getLHS()), right = list_.operand(binary.getRHS());
    if (whole && left && right && *left != *right)
      list_.replace(MutantKind::SwappedOperands, *whole,
                    "(" + *right + " " + binary.getOpcodeStr().str() + " " + *left + ")", kOrderAdvice, loop_);
  }

  bool addConstant(const clang::Expr &literal, const std::string &change) {
    const auto range = list_.range(&literal);
    if (!inSubscript_ && range && list_.isWritten(literal.getBeginLoc()))
      list_.replace(MutantKind::Constant, *range, "(" + list_.slice(*range) + change + ")", kConstantAdvice, loop_);
    return true;
  }

  void addReturn(const clang::ReturnStmt &statement) {
    const clang::Expr *value = statement.getRetValue();
    const auto range = list_.range(value);
    if (!range || !list_.isWritten(statement.getReturnLoc()) || value->isTypeDependent() ||
        value->IgnoreParenImpCasts()->isEvaluatable(list_.context))
      return;
    if (value->getType()->isBooleanType())
      list_.replace(MutantKind::Zeros, *range, isC() ? "1" : "true", "add a case whose result is false", loop_);
    if (value->getType()->isBooleanType())
      list_.replace(MutantKind::Zeros, *range, isC() ? "0" : "false", "add a case whose result is true", loop_);
    else if (isNumber(value->getType()))
      list_.replace(MutantKind::Zeros, *range, "0", kZerosAdvice, loop_);
    addNarrowedSite(list_, {.value = value, .whole = *range, .loop = loop_});
  }

  bool isC() const { return list_.spec.language == Language::C; }

  /// Removes a statement that is only computed for its side effect.
  void addRemoved(const clang::Expr &statement) {
    const clang::Expr *expression = statement.IgnoreParenImpCasts();
    if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      expression = cleanups->getSubExpr();
    const auto *binary = llvm::dyn_cast<BinaryOperator>(expression);
    const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
    const bool changes = (binary && binary->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp()) ||
                         llvm::isa<clang::CallExpr>(expression);
    const clang::Expr *target = binary ? binary->getLHS() : unary ? unary->getSubExpr() : nullptr;
    if (target && progress_.contains(moves::namedVariable(target))) // else the loop would not end
      return;
    const auto range = list_.range(&statement);
    if (!changes || !range || !list_.isWritten(statement.getBeginLoc()) || !list_.isWritten(statement.getEndLoc()))
      return;
    Site site{.kind = MutantKind::Removed, .at = range->begin, .loop = loop_, .edits = {}, .helper = {}};
    site.edits.remove(range->begin, range->end);
    site.change = quoted(list_.slice(*range)) + " is left out";
    site.advice = kStatementAdvice;
    list_.add(std::move(site));
  }

  void addBranch(const clang::IfStmt &choice) {
    const clang::Stmt *then = choice.getThen();
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(then); block && block->size() == 1)
      then = block->body_front();
    if (const auto *assignment = llvm::dyn_cast<BinaryOperator>(then);
        assignment && assignment->getOpcode() == clang::BO_Assign && !choice.getElse())
      noteExtremum(choice.getCond(), assignment->getLHS(), assignment->getRHS());
    const auto *leave = llvm::dyn_cast<clang::ReturnStmt>(then);
    // After `if (size == 0) return;` the loops do nothing then, either.
    const bool isShortCut = !loop_ && leave && !leave->getRetValue() && !choice.getElse();
    const auto range = list_.range(choice.getCond());
    if (choice.isConstexpr() || choice.getInit() || choice.getConditionVariable() || isShortCut || !range ||
        !list_.isWritten(choice.getIfLoc()))
      return;
    Site site{.kind = MutantKind::Removed, .at = range->begin, .loop = loop_, .edits = {}, .helper = {}};
    site.edits.insert(range->begin, isC() ? "0 && (" : "false && (");
    site.edits.insert(range->end, ")");
    site.change = "`if (" + list_.slice(*range) + ")` is never taken";
    site.advice = kBranchAdvice;
    list_.add(std::move(site));
  }

  /// Notes a choice of the larger or smaller of two: if they are equal, either may be taken.
  void noteExtremum(const clang::Expr *condition, const clang::Expr *one, const clang::Expr *other) {
    const auto *comparison = llvm::dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
    if (!comparison || !comparison->isRelationalOp())
      return;
    const auto left = list_.text(comparison->getLHS()), right = list_.text(comparison->getRHS());
    const auto a = list_.text(one), b = list_.text(other);
    if ((left == a && right == b) || (left == b && right == a))
      extrema_.insert(comparison);
  }

  SiteList &list_;
  std::set<const BinaryOperator *> extrema_;
  std::set<const clang::ValueDecl *> progress_; ///< variables in the conditions of the while loops around
  int loops_ = 0, depth_ = 0;
  std::optional<int> loop_; ///< the innermost one around
  bool inSubscript_ = false;
};

} // namespace

void addBodySites(SiteList &list, const clang::FunctionDecl &function) {
  BodySites(list).TraverseStmt(function.getBody());
}

} // namespace agentic::mutants
