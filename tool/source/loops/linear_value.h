// Integers that are sums of other integers times constants: the tree of an expression as a row of coefficients. For
// moves that compute a recurrence such as `b = (b + a) % 65521` otherwise than step by step.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

/// An expression that is taken as it is.
struct LinearInput {
  std::string text;                     ///< as written
  std::string type;                     ///< what it is converted to before anything is done with it
  unsigned bits = 0;                    ///< of that type
  std::optional<std::uint64_t> largest; ///< its values are from 0 to this; nullopt: they may be negative
};

/// sum of states * coefficients + sum of inputs * coefficients, modulo 2^bits. The coefficients wrap, too.
struct LinearValue {
  std::map<VariableId, std::uint64_t> states;
  std::map<std::size_t, std::uint64_t> inputs; ///< by index in LinearForm::inputs
  unsigned bits = 64;
  /// Set if nothing wrapped, and the value is from 0 to this.
  std::optional<std::uint64_t> largest;
  /// The value is congruent to the sum by the modulus instead, and as long as nothing wrapped: afterwards `bits` is 0.
  bool isModular = false;
};

/// Turns expressions into linear values. `problem` says why the last one is none.
class LinearForm {
public:
  explicit LinearForm(const Nest &nest) : nest_(nest) {}

  /// What a variable is worth from now on. An expression that mentions none of these variables is an input.
  void set(VariableId variable, LinearValue value) { values_[variable] = std::move(value); }
  const LinearValue *find(VariableId variable) const;
  bool mentionsTracked(const Expression &expression) const;

  std::optional<LinearValue> of(const Expression &expression);
  /// Returns what `target op= value` stores: `assignment` is a tree of kind Assign.
  std::optional<LinearValue> stored(const Expression &assignment);
  /// Returns `value` less the modulus if it reaches it: `if (a >= 65521) a -= 65521;`.
  std::optional<LinearValue> reducedOnce(const LinearValue &value, std::uint64_t modulus);

  std::vector<LinearInput> inputs;
  std::uint64_t modulus = 0; ///< of the remainders that were met; 0: none
  std::string problem;

private:
  std::optional<LinearValue> failed(std::string reason);
  std::optional<LinearValue> input(const Expression &expression);
  std::optional<LinearValue> binary(const std::string &op, const Expression &type, const Expression &left,
                                    const Expression &right);
  std::optional<LinearValue> remainder(const LinearValue &value, const Expression &divisor);

  const Nest &nest_;
  std::map<VariableId, LinearValue> values_;
};

/// Returns the largest number of so many bits.
std::uint64_t largestOfBits(unsigned bits);

/// Returns the largest value that an expression can have, if it has no negative one, from its type and constants.
std::optional<std::uint64_t> largestOf(const Expression &expression);

} // namespace agentic::moves
