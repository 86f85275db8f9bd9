// Scalars that a loop only adds to (or multiplies, takes the largest of, …): finds them, and writes one copy per lane
// and the combination of the copies.
#pragma once

#include "tool/source/loops/expression.h"
#include "tool/source/loops/loop_nest.h"

#include <string>
#include <vector>

namespace agentic::moves {

struct Accumulator {
  VariableId variable{};
  Update::Operation operation = Update::Operation::Add;
  std::string type;     ///< as the variable is declared
  std::string laneType; ///< type of a copy; for integers an unsigned type, whose sums may wrap
  bool isInteger = false, isMin = false, isMax = false;
  bool keepsZeros = false;    ///< a sum of zeros keeps its sign: its copies start as -0
  bool isOrderFree = false;   ///< a search whose zeros all have one sign
  bool isZeroOrdered = false; ///< of the zeros of both signs, the order decides which one it ends as
  std::string function;       ///< function of `s = std::fmax(s, x)`: "std::fmax"; empty for comparisons
  struct Part {
    const Statement *statement;
    Update update;
  };
  std::vector<Part> parts; ///< the statements of the loop that update it, at any depth
};

struct Reductions {
  std::vector<Accumulator> accumulators;
  std::string problem; ///< why the loop's scalars cannot be split; empty if they can
};

/// Returns the scalars that live on from one iteration of the loop to the next, if all of them are accumulators whose
/// order of evaluation is free. Integers wrap, so their order is free; that of floating point is only if
/// `mayReassociate`. The smallest and the largest of floating point are the same in every order but for zeros of both
/// signs: where their sign matters (`keepsSpecialValues`, or not `mayReassociate`), and the loop writes no memory, they
/// are isZeroOrdered, so that it can be run again as written if one ends as 0.
Reductions reductionsOf(const Nest &nest, const Loop &loop, bool mayReassociate, bool keepsSpecialValues);

/// Returns `statement` with the scalar replaced by `copy`, as text. Integers are cast to the copy's type.
std::string updateText(const Nest &nest, const Accumulator &accumulator, const Accumulator::Part &part,
                       const std::string &copy);

/// Returns the initial value of a copy, so that nothing is counted twice.
std::string startValue(const Accumulator &accumulator, const std::string &name);

/// Returns "sum += sumLane[pp];" in the form that treats NaN like the loop.
std::string combineText(const Accumulator &accumulator, const std::string &name, const std::string &copy);
/// Returns the same statement between two copies.
std::string combineCopies(const Accumulator &accumulator, const std::string &into, const std::string &copy);
/// Returns the symbol of a sum or product.
std::string operatorOf(const Accumulator &accumulator);

/// Returns whether the value's text is a part of the statement without the target, and not that of a macro which holds
/// the whole statement.
bool isOwnText(const Expression &value, const Statement &statement, VariableId target);

/// Returns the text of a value for the right side of '='.
std::string assignedText(const Nest &nest, const Expression &value);

/// Returns the unsigned type of that many bits, at least 32: narrower ones are promoted to a signed int.
std::string wrappingType(unsigned bits);

} // namespace agentic::moves
