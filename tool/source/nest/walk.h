// Finds the loops whose variables walk. Includes Clang: only walk_*.cpp and build.cpp may include this.
#pragma once

#include "tool/source/nest/ast.h"

#include "tool/source/loops/walk.h"

#include <map>
#include <utility>
#include <vector>

namespace agentic::moves {

/// One place that names a number or pointer, in the order in which an iteration evaluates them.
struct WalkEvent {
  const clang::VarDecl *variable = nullptr;
  const clang::Expr *node = nullptr;  ///< the name, or the update around it
  const clang::Expr *outer = nullptr; ///< what the form covers
  WalkUse::Form form = WalkUse::Form::Value;
  const clang::Expr *index = nullptr;     ///< of an Element
  const clang::Stmt *statement = nullptr; ///< the update is all of this statement
  bool isUpdate = false, isKnown = true;  ///< an update by a constant
  bool isPrefix = false;                  ///< its value is the one after the update
  bool isConditional = false;             ///< not in every iteration exactly once
  bool isInHeader = false;                ///< in the third part of a `for`: nothing uses its value
  bool isInBlock = false;                 ///< `statement` stands between braces
  bool isSubscript = false, isAlone = false;
  std::int64_t delta = 0, added = 0;
  int full = 0; ///< of the expression that holds it: in one, no order is known
};

/// What one iteration of a loop does: the test, the body and the step in the order of their evaluation.
struct Iteration {
  const clang::Stmt *loop = nullptr;
  const clang::Stmt *start = nullptr, *body = nullptr;
  const clang::Expr *test = nullptr, *step = nullptr;
  std::vector<const clang::Expr *> conditions; ///< what else the test demands, in order: `test && condition && …`
  const clang::Stmt *testStatement = nullptr;  ///< `if (…) break;` in the body
  bool isBottom = false, isNegated = false;    ///< the loop ends when the test is true
  std::vector<WalkEvent> events;
  std::size_t testBegin = 0, testEnd = 0; ///< events of the test
  bool mayLeave = false, writesMemory = false;
  struct Break {
    const clang::Stmt *statement = nullptr; ///< null: one of `conditions` does not hold
    std::size_t at = 0;                     ///< the first event behind it
  };
  std::vector<Break> breaks;             ///< those that leave this loop, without its test
  std::optional<std::size_t> continueAt; ///< the first event behind a `continue`
  std::string problem;
};

/// Returns the value of a constant integer if it has fewer than so many bits; nullopt for anything else, and null.
std::optional<std::int64_t> constantOf(const clang::Expr *source, const clang::ASTContext &context, int bits);

/// Fills what the loop's head says: the parts, the test with its conditions.
void readHead(Iteration &iteration, const clang::ASTContext &context);
Iteration iterationOf(const clang::Stmt &loop, const clang::ASTContext &context);

/// Returns what has been added to an event's variable since the iteration began, when the event has its value.
std::int64_t valueAt(const Iteration &iteration, std::size_t event);
/// Returns whether nothing has been added to `variable` when the loop is left there.
bool isUnchangedAt(const Iteration &iteration, const Iteration::Break &exit, const clang::VarDecl *variable);

/// What is known around a loop, for reading it.
struct WalkContext {
  const clang::ASTContext &context;
  const TextMap &map;
  Symbols &symbols;
  const VariableUses &uses;
};

/// Fills `walk.test`, whose variable is one of `walked`; returns why the test is not understood, else empty.
std::string readTest(const WalkContext &known, const Iteration &iteration,
                     const std::vector<const clang::VarDecl *> &walked, Walk &walk);

/// Returns the walks of all loops of a function, understood or not, in order of the text. `nest` has the loops.
std::vector<Walk> findWalks(const clang::FunctionDecl &function, const WalkContext &known, const Nest &nest);

/// Returns the statements of a loop's body between braces; none if there are no braces, or a macro writes several.
std::vector<WalkStatement> statementsOf(const WalkContext &known, const clang::Stmt &body, std::string_view text);

/// The loops of a function with those around each, and every place that names a variable.
struct WalkScene {
  struct Found {
    const clang::Stmt *loop;
    std::vector<std::size_t> around; ///< indices of the loops around it
  };
  std::vector<Found> loops;
  std::vector<std::pair<const clang::VarDecl *, const clang::DeclRefExpr *>> names;
  std::map<const clang::VarDecl *, const clang::DeclStmt *> declarations;
  bool jumps = false; ///< a goto, a label, a handler of exceptions or assembly
};
WalkScene sceneOf(const clang::FunctionDecl &function);

/// Fills start, isLive and what is needed no more. `walked` are the variables of `walk.walked`.
void readSurroundings(const WalkContext &known, const WalkScene &scene, std::size_t loop, const Iteration &iteration,
                      const std::vector<const clang::VarDecl *> &walked, Walk &walk);

} // namespace agentic::moves
