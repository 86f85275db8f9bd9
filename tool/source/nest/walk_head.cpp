// The parts of a loop of any kind: body, test and step.
#include "tool/source/nest/walk.h"

namespace agentic::moves {
namespace {

using namespace clang;

bool isBreak(const Stmt *statement) {
  if (const auto *block = dyn_cast<CompoundStmt>(statement); block && block->size() == 1)
    statement = *block->body_begin();
  return isa<BreakStmt>(statement);
}

/// Returns `if (c) break;` without anything else, else null.
const IfStmt *breakingTest(const Stmt *statement) {
  const auto *choice = dyn_cast<IfStmt>(statement);
  return choice && !choice->getElse() && !choice->getInit() && !choice->getConditionVariable() &&
                 isBreak(choice->getThen())
             ? choice
             : nullptr;
}

void problem(Iteration &iteration, const char *text) {
  if (iteration.problem.empty())
    iteration.problem = text;
}

/// `i < n && more` ends the loop at its bound, or earlier.
void splitTest(Iteration &iteration) {
  if (iteration.isBottom)
    return;
  const auto *both = dyn_cast<BinaryOperator>(iteration.test->IgnoreParenImpCasts());
  for (; both && both->getOpcode() == BO_LAnd; both = dyn_cast<BinaryOperator>(iteration.test->IgnoreParenImpCasts())) {
    iteration.conditions.insert(iteration.conditions.begin(), both->getRHS());
    iteration.test = both->getLHS();
  }
}

} // namespace

void readHead(Iteration &iteration, const ASTContext &context) {
  if (const auto *loop = dyn_cast<WhileStmt>(iteration.loop)) {
    iteration.body = loop->getBody();
    iteration.test = loop->getCond();
    if (loop->getConditionVariable())
      problem(iteration, "a variable declared in a condition");
  } else if (const auto *loop = dyn_cast<DoStmt>(iteration.loop)) {
    iteration.body = loop->getBody();
    iteration.test = loop->getCond();
    iteration.isBottom = true;
  } else if (const auto *loop = dyn_cast<ForStmt>(iteration.loop)) {
    iteration.start = loop->getInit();
    iteration.body = loop->getBody();
    iteration.test = loop->getCond();
    iteration.step = loop->getInc();
    if (loop->getConditionVariable())
      problem(iteration, "a variable declared in a condition");
  }
  Expr::EvalResult value;
  const bool isEndless =
      !iteration.test || (!iteration.test->isValueDependent() && iteration.test->EvaluateAsInt(value, context) &&
                          value.Val.getInt().getBoolValue());
  if (!isEndless)
    return splitTest(iteration);
  iteration.test = nullptr;
  const auto *block = dyn_cast<CompoundStmt>(iteration.body);
  if (!block || block->body_empty())
    return;
  for (const bool isBottom : {false, true})
    if (const IfStmt *choice = breakingTest(isBottom ? block->body_back() : block->body_front())) {
      iteration.test = choice->getCond();
      iteration.testStatement = choice;
      iteration.isNegated = true;
      iteration.isBottom = isBottom;
      return;
    }
}

} // namespace agentic::moves
