// Makes mutants of loops: they miss elements, or take one too many.
#include "tool/source/mutants/mutants_ast.h"

namespace agentic::mutants {
namespace {

const std::string kLastAdvice = "compare the last element, too, with a size that is no round number";
const std::string kRowsAdvice = "compare all results, not only the first ones";
const std::string kFirstAdvice = "compare the first element, too";
const std::string kBehindAdvice =
    "check that the element behind the last one stays as it was, or give the buffers a guard page";

/// Returns the amount by which a loop's increment changes its variable: "1", "step"; empty if unknown.
std::string stepOf(const SiteList &list, const clang::Expr *increment) {
  if (!increment)
    return "1"; // in the condition: `i-- > 0`
  increment = increment->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(increment); unary && unary->isIncrementDecrementOp())
    return "1";
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(increment);
  if (binary && (binary->getOpcode() == clang::BO_AddAssign || binary->getOpcode() == clang::BO_SubAssign))
    return list.operand(binary->getRHS()).value_or("");
  return {};
}

/// Returns the comparison that ends the loop: the condition, or the first one of several joined by &&.
const clang::BinaryOperator *endOf(const clang::Expr *condition) {
  const auto *binary = condition ? llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  while (binary && binary->getOpcode() == clang::BO_LAnd) {
    const auto *left = llvm::dyn_cast<clang::BinaryOperator>(binary->getLHS()->IgnoreParenImpCasts());
    binary = left && left->isComparisonOp()
                 ? left
                 : llvm::dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
  }
  return binary && binary->isComparisonOp() ? binary : nullptr;
}

struct End {
  std::string left, right;
  Range range;
  clang::BinaryOperatorKind operation;
  bool isInteger;
};

std::optional<End> endText(const SiteList &list, const clang::Expr *condition) {
  const clang::BinaryOperator *end = endOf(condition);
  if (!end || !list.isWritten(end->getOperatorLoc()))
    return std::nullopt;
  const auto left = list.operand(end->getLHS()), right = list.operand(end->getRHS());
  const auto range = list.range(end);
  if (!left || !right || !range)
    return std::nullopt;
  const clang::QualType type = end->getRHS()->getType();
  return End{*left, *right, *range, end->getOpcode(), !type->isDependentType() && type->isIntegerType()};
}

void addLast(SiteList &list, const End &end, const std::string &step, int id) {
  std::string with;
  switch (end.operation) {
  case clang::BO_LT:
    with = end.left + " + " + step + " < " + end.right;
    break;
  case clang::BO_LE:
    with = end.left + " + " + step + " <= " + end.right;
    break;
  case clang::BO_GT:
    with = end.left + " > " + end.right + " + " + step;
    break;
  case clang::BO_GE:
    with = end.left + " >= " + end.right + " + " + step;
    break;
  case clang::BO_NE:
    with = end.left + " != " + end.right + " && " + end.left + " + " + step + " != " + end.right;
    break;
  default:
    return;
  }
  list.replace(MutantKind::LastElement, end.range, with, kLastAdvice, id);
}

/// Makes one iteration more, or one less: < and <=, > and >=.
void addOther(SiteList &list, const End &end, int id) {
  if (end.operation == clang::BO_LT)
    list.replace(MutantKind::OffByOne, end.range, end.left + " <= " + end.right, kBehindAdvice, id);
  else if (end.operation == clang::BO_LE)
    list.replace(MutantKind::OffByOne, end.range, end.left + " < " + end.right, kLastAdvice, id);
  else if (end.operation == clang::BO_GT)
    list.replace(MutantKind::OffByOne, end.range, end.left + " >= " + end.right, kBehindAdvice, id);
  else if (end.operation == clang::BO_GE)
    list.replace(MutantKind::OffByOne, end.range, end.left + " > " + end.right, kLastAdvice, id);
}

bool addHalf(SiteList &list, const End &end, int id) {
  if (!end.isInteger || (end.operation != clang::BO_LT && end.operation != clang::BO_LE))
    return false;
  const bool isStrict = end.operation == clang::BO_LT;
  list.replace(MutantKind::FirstRows, end.range,
               isStrict ? end.left + " < (" + end.right + " + 1) / 2" : end.left + " <= " + end.right + " / 2",
               kRowsAdvice, id);
  return true;
}

/// Makes the body run once.
void addBreak(SiteList &list, const clang::Stmt *loop, const clang::Stmt *body, int id) {
  const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  if (!block || block->body_empty() || !list.isWritten(block->getRBracLoc()) || !list.isWritten(loop->getBeginLoc()))
    return;
  const std::size_t close = *list.offset(block->getRBracLoc()), begin = *list.offset(loop->getBeginLoc());
  Site site{.kind = MutantKind::FirstRows, .at = begin, .loop = id, .edits = {}, .helper = {}};
  site.edits.insert(close, " break; ");
  site.change =
      "the loop " + quoted(list.slice({begin, *list.offset(block->getLBracLoc())})) + " ends after its first iteration";
  site.advice = kRowsAdvice;
  list.add(std::move(site));
}

const clang::Expr *startOf(const clang::Stmt *init) {
  if (const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(init);
      declaration && declaration->isSingleDecl())
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl()))
      return variable->getInit();
  const auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(init);
  return assignment && assignment->getOpcode() == clang::BO_Assign ? assignment->getRHS() : nullptr;
}

void addStart(SiteList &list, const clang::ForStmt &loop, const std::string &step, int id) {
  const clang::Expr *start = startOf(loop.getInit());
  if (!start || llvm::isa<clang::InitListExpr>(start->IgnoreImplicit()) || !list.isWritten(start->getBeginLoc()))
    return;
  const auto range = list.range(start);
  const auto operand = list.operand(start);
  if (range && operand && (start->getType()->isIntegerType() || start->getType()->isPointerType()))
    list.replace(MutantKind::OffByOne, *range, *operand + " + " + step, kFirstAdvice, id);
}

} // namespace

void addLoopSites(SiteList &list, const clang::ForStmt &loop, int id, int depth) {
  if (!list.isWritten(loop.getForLoc()))
    return;
  const std::string step = stepOf(list, loop.getInc());
  const auto end = endText(list, loop.getCond());
  const bool isUpward = end && (end->operation == clang::BO_LT || end->operation == clang::BO_LE ||
                                (end->operation == clang::BO_NE && step == "1"));
  if (end && !step.empty())
    addLast(list, *end, step, id);
  if (end)
    addOther(list, *end, id);
  if (depth == 0 && (!end || !addHalf(list, *end, id)))
    addBreak(list, &loop, loop.getBody(), id);
  if (isUpward && !step.empty())
    addStart(list, loop, step, id);
}

void addWhileSites(SiteList &list, const clang::WhileStmt &loop, int id, int depth) {
  if (!list.isWritten(loop.getWhileLoc()))
    return;
  if (const auto end = endText(list, loop.getCond()))
    addOther(list, *end, id);
  if (depth == 0)
    addBreak(list, &loop, loop.getBody(), id);
}

void addRangeForSites(SiteList &list, const clang::CXXForRangeStmt &loop, int id) {
  addBreak(list, &loop, loop.getBody(), id);
}

} // namespace agentic::mutants
