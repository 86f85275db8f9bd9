// Makes a loop nest from the AST of one function. Includes Clang: only transform_*.cpp and mutants_* may include this.
#pragma once

#include "tool/source/loops/loop_nest.h"
#include "tool/source/loops/writer.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace agentic::moves {

/// Maps locations of the unit to offsets of the kernel's text.
class TextMap {
public:
  TextMap(const clang::ASTContext &context, std::size_t begin, std::size_t size)
      : context_(context), begin_(begin), size_(size) {}
  /// Maps a name or literal as it is written; nullopt if it is spelled in a macro's body or outside the kernel.
  std::optional<std::size_t> offset(clang::SourceLocation location) const;
  /// Maps a whole range, macro uses included as they are written; nullopt if an end is not in the kernel's text.
  std::optional<Range> range(clang::SourceRange range) const;

private:
  std::optional<std::size_t> fileOffset(clang::SourceLocation location) const;
  const clang::ASTContext &context_;
  std::size_t begin_, size_;
};

/// Counts how often and how each variable of a function is changed.
struct VariableUses {
  std::map<const clang::VarDecl *, int> changes;
  std::set<const clang::VarDecl *> escaping;
  std::map<const clang::VarDecl *, std::vector<const clang::Expr *>> changedBy; ///< the steps and assignments
};
VariableUses collectUses(const clang::Stmt *body);

/// Returns whether calls to `function` read their arguments' values and nothing else, and write nothing.
bool isPureFunction(const clang::FunctionDecl *function);
/// Returns whether it is a constant of the standard library that is written as a call: std::numeric_limits<T>::max().
bool isLibraryConstant(const clang::FunctionDecl *function);
/// Returns whether a function is of the standard library, or a builtin.
bool isLibraryFunction(const clang::FunctionDecl *function);

/// Returns the type behind its names, without const and the like.
inline clang::QualType plainType(clang::QualType type) {
  return type.getCanonicalType().getUnqualifiedType();
}

/// Returns the variable that an expression names, through parentheses and casts; null if it is anything else.
const clang::VarDecl *namedVariable(const clang::Expr *expression);

/// Returns whether a container has elements of its own, which are no other object's.
bool ownsElements(clang::QualType type);
bool isContainer(clang::QualType type); ///< a vector, a span or an array of the standard library, or a reference to one
/// Returns `v[i]` of a container or a view of the standard library that takes a number; null for anything else.
const clang::CXXOperatorCallExpr *containerElement(const clang::Expr *source);

/// Integer variables in the nest's table, and polynomials of expressions.
class Symbols {
public:
  Symbols(const clang::ASTContext &context, const TextMap &map, Nest &nest, const VariableUses &uses)
      : context_(context), map_(map), nest_(nest), uses_(uses) {}

  VariableId id(const clang::VarDecl *variable);
  /// Returns a new variable that has no name, for what needs one and has none in the text.
  VariableId unnamed();
  /// Returns nullopt if it is not a polynomial, may wrap, or depends on a value that changes unseen.
  std::optional<Polynomial> polynomial(const clang::Expr *expression);
  /// Returns T for a loop's bound `rounds` of `const int rounds = A >= c ? T : 0`, as normalise writes it, where T
  /// differs from A by a constant: its value in every iteration of a loop that starts at 0. Nullopt if it is anything
  /// else, such as `A > c`, as split-range writes its interiors: their rows side by side are legal, and lost when
  /// measured.
  std::optional<Polynomial> guardedBound(const clang::Expr *bound);
  /// All loops are added before anything is read, outer ones first. `variable` is null in a loop that does not count.
  void addLoop(std::optional<Range> range, const clang::VarDecl *variable);
  bool isChanged(const clang::VarDecl *variable) const;

  /// A pointer expression as base variable, if it is known, and offset in elements. The base is the root: the parameter
  /// or array from which a pointer comes, wherever it has moved meanwhile.
  struct Place {
    std::optional<VariableId> base;
    std::optional<Polynomial> subscript;
  };
  Place place(const clang::Expr *pointer);
  Place rowPlace(const clang::ArraySubscriptExpr &row);
  /// Returns `place` advanced by `index` elements.
  Place advanced(Place place, const clang::Expr *index);
  std::string_view slice(Range range) const { return nest_.slice(range); }
  const clang::PrintingPolicy &policy() const { return context_.getPrintingPolicy(); }

private:
  std::optional<Polynomial> ofBinary(const clang::BinaryOperator *operation);
  std::optional<Polynomial> exactQuotient(const clang::BinaryOperator *division);
  std::optional<Polynomial> ofVariable(const clang::VarDecl *variable, const clang::DeclRefExpr *use);
  std::optional<Polynomial> opaque(const clang::Expr *expression);
  Polynomial symbolFor(Nest::Opaque entry);
  Place placeOf(const clang::VarDecl *pointer, const clang::DeclRefExpr *name);
  bool addRoots(const clang::Expr *pointer, std::set<const clang::VarDecl *> &seen, std::set<VariableId> &roots);
  bool addRoots(const clang::VarDecl *pointer, std::set<const clang::VarDecl *> &seen, std::set<VariableId> &roots);
  std::optional<Polynomial> valueOf(const clang::VarDecl *variable, std::optional<Range> use);
  bool isChangedIn(const clang::VarDecl *variable, Range loop) const;
  bool wraps(const clang::Expr *expression) const;
  bool keepsValue(clang::QualType from, clang::QualType to) const;
  void addVariables(Symbol symbol, std::vector<VariableId> &variables) const;

  const clang::ASTContext &context_;
  const TextMap &map_;
  Nest &nest_;
  const VariableUses &uses_;
  std::map<const clang::VarDecl *, VariableId> ids_;
  std::set<const clang::VarDecl *> loopVariables_;
  struct LoopPlace {
    Range range;
    const clang::VarDecl *variable = nullptr;
  };
  std::vector<LoopPlace> loops_;
  bool areLoopsKnown_ = true;                  ///< all have a place in the text
  std::set<const clang::VarDecl *> resolving_; ///< guards against `int x = x;`
};

/// The parts of `for (T v = lower; v < upper; ++v)`; `problem` says what is different. A loop that differs only in its
/// constant step has all parts, and a problem.
struct CanonicalHeader {
  std::string name = "loop"; ///< of its variable
  const clang::VarDecl *variable = nullptr;
  const clang::Expr *lower = nullptr, *upper = nullptr;
  std::int64_t step = 1;
  std::int64_t ahead = 0; ///< the condition is `variable + ahead < upper`
  bool mayTruncateBound = false;
  std::string problem;
};
CanonicalHeader canonicalHeader(const clang::ForStmt &loop, const clang::ASTContext &context);

/// Adds the removal of those declarations of which every variable has moved, and none has a value.
void appendRemovals(const std::vector<const clang::DeclStmt *> &declarations,
                    const std::set<const clang::VarDecl *> &moved, const TextMap &map, const Nest &nest,
                    std::vector<Edit> &edits);

/// Returns the edits that declare each loop's variable in its header, as every move needs it: `int i; … for (i = 0; …)`
/// becomes `for (int i = 0; …)` where no use of it is outside of such loops. In order of the text; empty if there is
/// none.
std::vector<Edit> loopVariableEdits(const clang::FunctionDecl &function, const TextMap &map, const Nest &nest);

/// Returns the edits that declare a variable where each iteration assigns it first, if no iteration reads what another
/// one left and nothing reads it afterwards: `float t; … { t = a[i]; … }` becomes `{ float t = a[i]; … }`. Empty if
/// there is none.
std::vector<Edit> iterationVariableEdits(const clang::FunctionDecl &function, const TextMap &map, const Nest &nest);

/// Describes the signature and everything that the body reaches. Gives the parameters their ids: `symbols` must know
/// the loops' variables.
FunctionFacts describeFunction(const clang::FunctionDecl &function, const TextMap &map, Symbols &symbols,
                               const VariableUses &uses);

/// Makes the tree of one expression.
Expression makeExpression(const clang::Expr *source, const clang::ASTContext &context, const TextMap &map,
                          Symbols &symbols);

/// Fills references, accesses and parts of a simple statement, or its problem. Accepts only known constructs.
class StatementScanner {
public:
  StatementScanner(const clang::ASTContext &context, const TextMap &map, Symbols &symbols, Statement &statement)
      : context_(context), map_(map), symbols_(symbols), statement_(statement) {}
  void scan(const clang::Stmt *statement);
  void scanDeclaration(const clang::VarDecl *variable, bool insideStatement);
  void scanExpression(const clang::Expr *expression) { visit(expression, {true, false}, false); }

private:
  struct Use {
    bool reads = true, writes = false;
  };
  void visit(const clang::Expr *expression, Use use, bool conditional);
  void visitBinary(const clang::BinaryOperator *operation, Use use, bool conditional);
  void visitCall(const clang::CallExpr *call, Use use, bool conditional);
  void visitName(const clang::DeclRefExpr *name, Use use, std::int64_t divisor = 0);
  void visitMember(const clang::MemberExpr *member, Use use, bool conditional);
  void addAccess(const clang::Expr *expression, const Symbols::Place &place, Use use);
  void addPart(const clang::Expr *expression);
  void problem(std::string text);

  const clang::ASTContext &context_;
  const TextMap &map_;
  Symbols &symbols_;
  Statement &statement_;
  int switches_ = 0; ///< around what is scanned, in the statement
};

/// Takes a `switch` apart; `build` adds a statement to a body.
std::unique_ptr<Selection>
makeSelection(const clang::SwitchStmt &source, const clang::ASTContext &context, const TextMap &map, Symbols &symbols,
              const std::function<void(const clang::Stmt *, std::vector<Statement> &)> &build);

/// Fills Nest::calls. The nest's surroundings are known.
void findHelperCalls(const clang::FunctionDecl &kernel, const clang::ASTContext &context, const TextMap &map,
                     const VariableUses &uses, Nest &nest);

/// Makes the nest of the whole function in `unit`, in which the kernel's text begins at `unitOffset`.
std::unique_ptr<Nest> buildNest(const clang::ASTContext &context, const clang::FunctionDecl &function,
                                const std::string &unit, std::string text, std::size_t unitOffset);

} // namespace agentic::moves
