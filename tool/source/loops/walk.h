// A loop whose variables walk: each is changed by the same constant in every iteration, wherever that is written, and
// the loop ends when one of them reaches a bound. `normalise` writes such loops as counted ones.
#pragma once

#include "tool/source/loops/expression.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

struct WalkedVariable {
  VariableId variable{};
  std::string name, type; ///< `type`: canonical, unqualified
  bool isPointer = false, isSigned = false;
  unsigned bits = 0;                 ///< of an integer
  std::int64_t step = 0;             ///< of each iteration
  std::int64_t every = 1;            ///< it steps once in so many iterations, and nothing in the loop reads it if > 1
  std::int64_t atEnd = 0;            ///< what the last test adds, which fails: -1 of `while (n--)`
  std::optional<std::int64_t> start; ///< a constant that it has in front of the loop
  bool isOnlyHere = false;           ///< nothing in the function changes it but this loop
  bool isLive = false;               ///< it may be read after the loop, or before it is assigned anew
  bool isSteppedAtBreak = false;     ///< a `break` leaves the loop when the variable has stepped in that iteration
};

/// A place in the loop that has the value of a walked variable.
struct WalkUse {
  enum class Form {
    Value,       ///< `v`, `v++`, `(v += 4)`
    Dereference, ///< `*v`, `*v++`
    Element,     ///< `v[index]`
    Arrow        ///< `v->`; `range` has no arrow
  };
  Form form = Form::Value;
  Range range;             ///< what is replaced
  std::size_t walked = 0;  ///< index in Walk::walked
  std::int64_t offset = 0; ///< the value is that of the iteration's begin plus this
  Range index;             ///< of an Element
  std::optional<std::int64_t> indexConstant;
  bool isSubscript = false; ///< Value: nothing is made of it but an array's subscript, a constant added to it at most
  std::int64_t added = 0;   ///< that constant
  bool isAlone = false;     ///< Value: in brackets of its own
};

/// `value op bound`, where value is that of a walked variable plus `offset`.
struct WalkTest {
  std::string op; ///< "<", "<=", ">", ">=" or "!="
  std::size_t walked = 0;
  std::int64_t offset = 0; ///< of the tested value in the first test
  bool isSum = false;      ///< the kernel adds a constant before it compares
  Range ahead;             ///< what it adds instead, a value that stays the same: `i + taps <= n`; empty: nothing
  bool isAheadSigned = false;
  bool isBottom = false; ///< tested after an iteration
  Range bound;           ///< empty: 0
  std::optional<std::int64_t> boundConstant;
  std::optional<VariableId> boundVariable; ///< the bound is this variable
  bool isBoundSigned = false;
  unsigned boundBits = 0;
  std::string comparedType; ///< in which the two are compared; empty for pointers
  bool isComparedSigned = false;
  unsigned comparedBits = 0;
  /// c in a bound `x - c`, and x.
  std::int64_t boundLess = 0;
  Range boundWhole;
};

/// A statement of the loop's body.
struct WalkStatement {
  Range range;                  ///< with its semicolon, and the empty statements behind it
  std::string declares;         ///< the one local number or pointer that it declares with a value; empty otherwise
  std::string declaredType;     ///< canonical, with its qualifiers
  std::size_t declaredName = 0; ///< offset of that name: what follows reads as an assignment
  bool hasMacro = false;        ///< a macro writes a part of it
};

struct Walk {
  std::string name;    ///< of the loop
  std::string problem; ///< why it cannot be written as a counted loop; empty if it can, as far as the text tells
  Range range;         ///< the whole statement
  Range start;         ///< of a `for`: what stands in front of the first semicolon, with it; empty if nothing does
  bool startDeclares = false, isStartNeeded = false;
  Range body;
  std::vector<WalkStatement> statements; ///< of a body between braces, in order; empty if that cannot be told
  std::vector<Range> removed;            ///< statements that only step or test
  std::vector<Range> declarations;       ///< in front of the loop, of variables that nothing needs any more
  std::vector<WalkedVariable> walked;
  std::vector<WalkUse> uses;
  WalkTest test;
  bool mayLeave = false; ///< something else may end it: break, return, an unknown call
  bool hasBreak = false, hasContinue = false;
  std::vector<Range> conditions; ///< what else the test demands, in order: without each, an iteration does not begin
  std::vector<Range> breaks;     ///< the `break;` of this loop; an empty one is written by a macro
  bool isCounted = false;        ///< its header counts already: only other variables walk
  std::string counter;           ///< then: the header's variable
  std::string counterType;       ///< canonical
  bool isCounterSigned = false;
  unsigned counterBits = 0;
  std::int64_t counterStart = 0;
  bool readsEachIteration = false; ///< every iteration reads or writes an element of its own
  bool isShadowed = false; ///< the body declares another variable of the counter's or the tested variable's name
  std::string differenceType, sizeType; ///< names of ptrdiff_t and size_t
};

} // namespace agentic::moves
