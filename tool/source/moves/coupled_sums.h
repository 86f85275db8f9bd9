// The plan of coupled-sums for a loop whose scalars are sums of each other and of what it reads
// (coupled_sums_plan.cpp).
#pragma once

#include "tool/source/loops/linear_value.h"
#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

/// Numbers modulo 2^64, or modulo the plan's modulus.
using Matrix = std::vector<std::vector<std::uint64_t>>;

/// One iteration: states = step * states + sum of weights[input] * input, modulo 2^bits or modulo the modulus.
struct CoupledSums {
  std::string problem;            ///< why it is not legal, or not worth it; empty if it is
  std::vector<VariableId> states; ///< in order of their declaration
  unsigned bits = 0;              ///< of every state's type
  bool areSigned = false;         ///< their type is signed
  std::uint64_t modulus = 0;      ///< the states are remainders by it; 0: they wrap
  Matrix step;
  std::vector<LinearInput> inputs;
  Matrix weights;                      ///< a row per input, a column per state
  std::vector<const Statement *> kept; ///< declarations of the body that the inputs use

  /// Every iteration does the same with so many neighbouring elements: then `step` and `weights` are of one of these,
  /// and the only input is the first.
  std::size_t rolled = 1;
};
CoupledSums planCoupledSums(const Nest &nest, const Loop &loop);

/// What each lane does: it gathers every lanes-th iteration. For `sums` of a lane, state = basis * sums.
struct LanePlan {
  Matrix power;             ///< step to the power of the lanes: what a block does with the states before it
  Matrix basis;             ///< row per state
  Matrix advance;           ///< of the sums, by one block
  Matrix added;             ///< row per input: what is added to each sum
  unsigned bits = 64;       ///< of the sums
  std::uint64_t blocks = 0; ///< after so many blocks the lanes are put together; 0: only at the end
};
/// Returns nullopt if numbers of 64 bits do not hold the sums of at least a few blocks.
std::optional<LanePlan> planLanes(const CoupledSums &plan, int lanes);

} // namespace agentic::moves
