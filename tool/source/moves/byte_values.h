// Follows bits from the bytes that an iteration reads to what it computes of them. Shifts, masks and sums of parts that
// do not meet only move bits; anything else that at most eight bits decide is run for all their values.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace agentic::moves {

/// A bit of a number: always 0, always 1, or a bit of a node: 8 * node + place.
using BitId = int;
constexpr BitId kZeroBit = -2, kOneBit = -1;

/// A byte that each iteration has: one that it reads, or a function of at most eight bits.
struct ByteNode {
  int input = -1;                  ///< which of the bytes that it reads; -1: a function
  std::vector<BitId> source;       ///< the bits that decide it, lowest first
  std::vector<std::uint8_t> table; ///< by the number that they make
  std::vector<bool> occurs;        ///< whether they ever make that number
};

struct BitNumber {
  unsigned bits = 0;
  bool isSigned = false;
  std::vector<BitId> of;        ///< lowest first
  std::vector<BitNumber> anyOf; ///< instead of that: the number is the `or` of these, of which nothing else is known
};

class ByteValues {
public:
  static constexpr std::size_t kMostBits = 8;
  /// `inputOf` returns which byte of the iteration an expression reads. `occurring`: the values that each has.
  ByteValues(const Nest &nest, std::function<std::optional<int>(const Expression &)> inputOf,
             std::vector<std::vector<bool>> occurring);

  void set(VariableId variable, std::optional<BitNumber> value) { variables_[variable] = std::move(value); }
  /// Returns nullopt, and sets `problem`, if the value is not understood.
  std::optional<BitNumber> of(const Expression &expression);
  /// Returns, for a number that one input byte decides, which byte that is and for which of its values the number is
  /// not 0. nullopt: several bytes decide it.
  std::optional<std::pair<int, std::vector<bool>>> truthOf(const BitNumber &number) const;
  /// From here on an input byte has only these values.
  void setOccurring(int input, std::vector<bool> occurring);

  const std::vector<ByteNode> &nodes() const { return nodes_; }
  bool hasTable() const { return hasTable_; } ///< an element of a constant table was met
  std::string problem;

private:
  using Operation = std::function<std::optional<std::int64_t>(const std::vector<std::int64_t> &)>;
  using Source = std::vector<BitId>;

  std::optional<BitNumber> failed(std::string reason);
  std::optional<BitNumber> applied(const Expression &expression, const std::vector<BitNumber> &operands);
  std::optional<BitNumber> joined(const Expression &expression, const std::vector<BitNumber> &operands);
  std::optional<BitNumber> tabulated(const std::vector<BitNumber> &operands, const Operation &operation,
                                     const Expression &type);
  BitNumber numberOf(const Source &source, const std::vector<std::uint64_t> &results, const std::vector<bool> &occurs,
                     const Expression &type);
  BitId bitOf(const Source &source, const std::vector<std::uint64_t> &results, const std::vector<bool> &occurs,
              unsigned place);
  std::optional<Source> sourceOf(const std::vector<BitNumber> &operands) const;
  void expand(BitId bit, Source &source) const;
  std::vector<bool> occurring(const Source &source) const;
  bool valueOf(BitId bit, const Source &source, std::size_t number) const;
  std::optional<std::int64_t> valueOf(const BitNumber &number, const Source &source, std::size_t at) const;

  const Nest &nest_;
  std::function<std::optional<int>(const Expression &)> inputOf_;
  std::map<VariableId, std::optional<BitNumber>> variables_;
  std::vector<ByteNode> nodes_; ///< the input bytes come first
  bool hasTable_ = false;
};

} // namespace agentic::moves
