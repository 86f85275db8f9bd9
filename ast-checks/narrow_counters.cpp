#include "ast-checks/narrow_counters.h"

#include "ast-checks/context.h"
#include "tool/base/text.h"

#include <algorithm>

namespace agentic::checks {
namespace {

constexpr unsigned kWide = 64;

bool isInteger(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() && type->isIntegerType() && !type->isBooleanType();
}

/// Returns the variable that an expression names without a cast.
const clang::VarDecl *unconvertedVariable(const clang::Expr &expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// Returns the local variable of at most 32 bits that the expression is.
const clang::VarDecl *narrowVariable(const clang::Expr &expression, const Context &context) {
  const clang::VarDecl *variable = unconvertedVariable(expression);
  const bool isNarrow = variable && variable->isLocalVarDecl() && isInteger(variable->getType()) &&
                        context.ast().getIntWidth(variable->getType()) < kWide;
  return isNarrow ? variable : nullptr;
}

bool isWideValue(const clang::Expr &expression, const Context &context) {
  const clang::Expr &written = *expression.IgnoreParenImpCasts();
  clang::Expr::EvalResult value;
  return isInteger(written.getType()) && context.ast().getIntWidth(written.getType()) >= kWide &&
         !written.isValueDependent() && !written.EvaluateAsInt(value, context.ast());
}

/// Returns whether the baseline itself counts in int, or in 32 bits by another name.
bool countsNarrow(const std::string &baseline) {
  const std::vector<RawToken> tokens = lexSnippet(baseline);
  const auto isAt = [&](std::size_t i, std::initializer_list<std::string_view> words) {
    return i < tokens.size() && isOneOf(tokens[i].spelling, words);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool isPart = isAt(i + 1, {"long", "char", "short", "int"}) || (i > 0 && isAt(i - 1, {"long", "short"}));
    if (isAt(i, {"int32_t", "uint32_t"}) || (isAt(i, {"int", "unsigned", "auto"}) && !isPart))
      return true;
  }
  return false;
}

} // namespace

void NarrowCounters::seeLoop(const clang::Stmt &part, bool isInLoop) {
  const bool isLoop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(part);
  if (isInLoop) {
    if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(&part))
      for (const clang::Decl *decl : declaration->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
          fresh_.insert(variable);
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
      if (binary->getOpcode() == clang::BO_Assign)
        fresh_.insert(unconvertedVariable(*binary->getLHS()));
      else if (binary->getOpcode() == clang::BO_AddAssign)
        counted_.insert(unconvertedVariable(*binary->getLHS()));
    } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&part); unary && unary->isIncrementOp()) {
      counted_.insert(unconvertedVariable(*unary->getSubExpr()));
    }
  }
  for (const clang::Stmt *child : part.children())
    if (child)
      seeLoop(*child, isInLoop || isLoop);
}

void NarrowCounters::judge(const clang::BinaryOperator &comparison, Context &context) {
  const auto note = [&](const clang::Expr &one, const clang::Expr &other) {
    const clang::VarDecl *index = narrowVariable(one, context);
    if (!index)
      return;
    widened_.erase(index); // for the comparison
    if (counted_.contains(index) && isWideValue(other, context))
      report(*index, comparison.getOperatorLoc(), "counts up to a number of 64", context);
  };
  note(*comparison.getLHS(), *comparison.getRHS());
  note(*comparison.getRHS(), *comparison.getLHS());
}

void NarrowCounters::report(const clang::VarDecl &variable, clang::SourceLocation location, std::string_view what,
                            Context &context) {
  context.report(*this, location,
                 "'" + variable.getNameAsString() + "' has " +
                     std::to_string(context.ast().getIntWidth(variable.getType())) + " bits and " + std::string(what) +
                     ": it wraps in calls larger than any that is tried");
}

void NarrowCounters::statement(const clang::Stmt &statement, Context &context) {
  if (!context.isCandidate() || context.request().baseline.empty())
    return;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement)) {
    seeLoop(statement, false);
  } else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&statement);
             cast && cast->getCastKind() == clang::CK_IntegralCast && isInteger(cast->getType()) &&
             context.ast().getIntWidth(cast->getType()) >= kWide) {
    if (const clang::VarDecl *variable = narrowVariable(*cast->getSubExpr(), context))
      widened_.emplace(variable, cast->getExprLoc());
  } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
             binary && binary->isComparisonOp()) {
    comparisons_.push_back(binary);
  }
}

void NarrowCounters::finish(Context &context) {
  if (widened_.empty() || countsNarrow(context.request().baseline))
    return;
  for (const clang::BinaryOperator *comparison : comparisons_)
    judge(*comparison, context);
  for (const auto &[variable, location] : widened_)
    if (counted_.contains(variable) && !fresh_.contains(variable))
      report(*variable, location, "is summed up in a loop for a value of 64", context);
}

} // namespace agentic::checks
