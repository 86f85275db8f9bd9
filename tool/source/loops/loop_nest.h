// A kernel for the moves: its loops, statements, accesses and variables, free of Clang types.
//
// All offsets refer to the kernel's text (KernelSpec::text). transform_parse builds it from the AST; a part that it
// cannot understand has a `problem`, and a loop with a problem in it is left alone.
#pragma once

#include "tool/source/loops/expression.h"
#include "tool/source/loops/function_facts.h"
#include "tool/source/loops/helper_call.h"
#include "tool/source/loops/polynomial.h"
#include "tool/source/loops/walk.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace agentic::moves {

struct Variable {
  enum class Kind {
    Scalar,  ///< arithmetic
    Pointer, ///< pointer to an object
    Other    ///< arrays, classes, references
  };
  std::string name;
  std::string type;         ///< to declare a copy that is assigned later: "float"
  std::string declaredType; ///< as written: "const float"
  std::string elementType;  ///< element of a pointer or an array: "float"; canonical, unqualified
  std::int64_t extent = 0;  ///< elements of an array of constant size
  bool pointsToConst = false;
  std::int64_t bytes = 0; ///< size of an array of constant size, all dimensions
  Kind kind = Kind::Other;
  bool isFloating = false;
  bool isParameter = false;
  bool isGlobal = false;
  bool isConstant = false; ///< const-qualified object
  bool isConstexpr = false;
  /// The elements and dimensions of a constant array of integers with at most kMostValues elements. Else empty.
  std::vector<std::int64_t> values, dimensions;
  static constexpr std::size_t kMostValues = 4096;
  int changes = 0;        ///< places in the function that assign to it after its initialisation; includes a loop's step
  bool isMutated = false; ///< assigned after its initialisation (a canonical loop's own step does not count)
  bool escapes = false;   ///< its address is taken or a reference is bound to it
};

struct Reference {
  std::size_t offset = 0, length = 0;
  VariableId variable{};
  bool reads = true, writes = false;
  /// Set if the reference is `v` in `v / divisor` (or a right shift by log2 of it): constant in aligned blocks that
  /// divide it.
  std::int64_t divisor = 0;
};

/// One use of memory through a pointer, an array or a container.
struct Access {
  /// The parameter or array that the memory belongs to, also where a pointer leads to it that has moved meanwhile.
  /// Nullopt: unknown memory.
  std::optional<VariableId> base;
  std::optional<Polynomial> subscript; ///< in elements of `base`; nullopt: not affine
  bool writes = false;
  std::string text; ///< as written, for reasons
  Range range;      ///< empty if it cannot be sliced out of the text
};

/// A part of a statement that may become a named temporary in front of it: it is evaluated whenever the statement is.
struct SubExpression {
  Range range;
  std::string type; ///< arithmetic
};

struct Loop;
struct Branch;
struct Selection;
struct ExitLoop;

struct Statement {
  enum class Kind { Simple, Loop, Opaque };
  enum class Exit { None, Break, Continue, Return };
  Kind kind = Kind::Simple;
  Range range;         ///< with its semicolon
  std::string problem; ///< why nothing around it may be reordered; empty if it is understood

  // Simple
  std::vector<Reference> references; ///< in order of offset
  std::vector<Access> accesses;
  std::vector<SubExpression> parts; ///< outermost first
  std::optional<VariableId> declares;
  Range initializer;     ///< the value; empty if there is none
  bool isZeroed = false; ///< `float a{}`
  /// Variables of blocks inside it (`if (…) { float t = …; }`): `references` has none of them.
  std::vector<VariableId> declaresInside;
  bool sharesDeclaration = false; ///< `float a = 0, b = 1;`: `range` covers the whole

  std::optional<Expression> expression; ///< the tree of an expression statement
  std::optional<Expression> value;      ///< the initial value of a declaration
  std::vector<Expression> elements;     ///< the initial values of an array that are written
  std::unique_ptr<Branch> branch;       ///< an `if` without loops inside, understood or not
  std::unique_ptr<Selection> selection; ///< a `switch` without loops inside, understood or not
  Exit exit = Exit::None;               ///< `break;` and the like (Kind::Opaque: nothing may be reordered around it)

  std::unique_ptr<ExitLoop> exitLoop; ///< an innermost loop that does not simply count, or a `while`

  std::unique_ptr<Loop> loop;   ///< Kind::Loop
  std::vector<Statement> inner; ///< Kind::Opaque: the loops inside it
  bool repeats = false;         ///< Kind::Opaque: it is a `while` or `do` itself
};

/// `if (condition) then else otherwise`. forEachStatement does not visit its statements: their effects are already in
/// the references and accesses of the whole.
struct Branch {
  Expression condition;
  std::string problem; ///< why the condition is not understood, memory that it reads included; empty if it is
  std::vector<Statement> thenBody, elseBody;
  bool hasElse = false;
};

/// `switch (value) { case 1: … break; … }` of which no case falls into the next. forEachStatement does not visit its
/// statements.
struct Selection {
  struct Case {
    std::vector<std::int64_t> values;
    bool isDefault = false;
    std::vector<Statement> body; ///< without its `break`
  };
  Expression value;
  std::vector<Case> cases;
  std::string problem; ///< why it is not of that form, or the value is not understood; empty if it is
};

/// `for (start; condition; step) body` or `while (condition) body` without loops inside, for moves that look into a
/// loop which may end early, or does not count. forEachStatement does not visit its statements.
struct ExitLoop {
  std::vector<Statement> start, body; ///< understood or not
  std::optional<Expression> condition, step;
};

/// `for (T v = lower; v < upper; ++v) body` with v and everything in `upper` unchanged in the body.
struct Loop {
  std::string name;       ///< "j"; "j#2" for the second loop of that name
  std::string problem;    ///< why it is not of that form; empty if it is
  std::string tiedDown;   ///< why its text must stay in place: directives; empty if it need not. Also a problem
  Range range, header;    ///< header: "for ( … )"
  VariableId variable{};  ///< one of its own, which nothing refers to, if the loop does not simply count
  std::int64_t step = 1;  ///< any other step is a `problem`, too
  std::int64_t ahead = 0; ///< c in a condition `v + c < upper`; other than 0 a `problem`, too
  Range lower, upper;
  Expression lowerValue, upperValue;
  std::optional<std::int64_t> lowerConstant;
  std::int64_t largest = INT64_MAX; ///< largest value of the variable's type
  bool mayTruncateBound = false;    ///< the bound's type is signed and wider: a value far below 0 may turn positive
  std::optional<Polynomial> lowerBound, upperBound;
  bool isUpperGuarded = false; ///< `upperBound` is the bound's value if the loop runs at all
  std::vector<Reference> boundReferences;
  std::vector<Access> boundAccesses; ///< memory that the header reads; empty in a loop without a problem
  std::vector<Statement> body;
  Loop *parent = nullptr; ///< the loop directly around it, if all statements between are understood
};

struct Nest {
  std::string text;
  std::string surroundings;  ///< the unit that the text was parsed in: names there are taken
  std::size_t bodyBegin = 0; ///< offset of the body's brace
  FunctionFacts function;
  std::vector<Variable> variables;
  struct Opaque {
    std::string text;
    std::vector<VariableId> variables;
    bool isVariable = false; ///< the value of one that changes elsewhere
  };
  std::vector<Opaque> opaque; ///< symbol kFirstOpaque + index
  std::vector<Statement> statements;
  std::vector<Loop *> loops;     ///< all, in order of the text
  std::vector<Walk> walks;       ///< loops of any kind whose variables walk, or that do not count; in order of the text
  std::vector<HelperCall> calls; ///< of functions that are written in the unit
  /// Names of parameters whose elements may overlap, as the contract declares and no guard excludes; all other
  /// arguments are disjoint.
  std::vector<std::pair<std::string, std::string>> mayAlias;
  /// Integer parameters that the contract requires to be multiples of a number: {"K", 32} for K % 32 == 0.
  std::map<std::string, std::int64_t> multiples;

  static constexpr Symbol kFirstOpaque = 1 << 20;

  std::string_view slice(Range range) const {
    return std::string_view(text).substr(range.begin, range.end - range.begin);
  }
  Loop *find(std::string_view name) const;
  const Variable &variable(VariableId id) const { return variables[static_cast<std::size_t>(id)]; }
  /// Returns whether the value of `symbol` depends on `variable`.
  bool symbolDependsOn(Symbol symbol, VariableId variable) const;
  bool isLoopVariable(VariableId variable) const;
  /// Returns whether two different bases of accesses may be the same memory.
  bool mayOverlap(VariableId left, VariableId right) const;
  const Loop *loopOf(VariableId variable) const;
  /// Returns a number that the variable's value is always a multiple of: 1 if nothing is known.
  std::int64_t divisorOf(VariableId variable) const;
};

bool containsLoop(const Loop &loop);
/// Returns whether `inner` is strictly inside `outer`.
bool isInside(const Loop &inner, const Loop &outer);
/// Calls `visit` for every statement below `statements`, loops and opaque ones included, in order of the text.
template <class Visit> void forEachStatement(const std::vector<Statement> &statements, Visit &&visit) {
  for (const Statement &statement : statements) {
    visit(statement);
    if (statement.loop)
      forEachStatement(statement.loop->body, visit);
    forEachStatement(statement.inner, visit);
  }
}

/// Calls `visit` for every statement in `statements`, loops, branches and what is inside them included.
void forEachInside(const std::vector<Statement> &statements, const std::function<void(const Statement &)> &visit);
/// Returns the value that a local variable is declared with, else null.
const Expression *initialValue(const Nest &nest, VariableId variable);
/// Returns how often a loop runs if both of its ends are constants; not above 0: it does not run.
std::optional<std::int64_t> constantTrips(const Loop &loop);
/// Calls `visit` for every expression of one statement: its own, a declaration's value, a condition.
void forEachRoot(const Statement &statement, const std::function<void(const Expression &)> &visit);

} // namespace agentic::moves
