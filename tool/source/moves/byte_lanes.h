// The parts of byte-lanes: byte_values.cpp follows the bits of a loop's bytes, byte_steps.cpp finds how a table is
// computed, byte_lanes_plan.cpp decides whether a loop can be written with vectors of bytes, byte_lanes_lane.cpp what
// they are made of, byte_lanes_write.cpp writes it.
#pragma once

#include "tool/source/moves/byte_values.h"
#include "tool/source/moves/move.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

/// What becomes of each byte: its value by the byte, or kNever where that does not matter.
using ByteTable = std::vector<int>;
constexpr int kNever = -1;

/// A table as comparisons and sums: the byte (or nothing) + first, + add for each threshold that the byte, as a signed
/// number, is above, + add for each single byte that it is.
struct ByteSteps {
  struct Step {
    int at = 0; ///< signed
    int add = 0;
    bool switches = false; ///< from here on the byte itself counts if it did not, or no longer if it did
  };
  bool beginsWithByte = false, isMixed = false;
  int first = 0;
  std::vector<Step> steps, singles;
  int operations = 0;
};
/// Returns the cheapest steps; nullopt if they are more than a table is worth.
std::optional<ByteSteps> stepsOf(const ByteTable &table);

/// A table that registers shuffle: the byte (or nothing) + what 16 entries have for its upper half (or for the byte
/// itself, if it is below 16), + add for each single byte that it is.
struct ByteShuffle {
  bool countsByte = false, byUpperHalf = false;
  std::vector<int> entries;
  std::vector<ByteSteps::Step> singles;
  int operations = 0;
};
std::optional<ByteShuffle> shuffleOf(const ByteTable &table);

/// At least one is there.
struct ByteFunction {
  std::optional<ByteSteps> steps;
  std::optional<ByteShuffle> shuffle;
};
std::optional<ByteFunction> byteFunctionOf(const ByteTable &table);

/// Tells the values of a byte that are in a set from the others: each place (`x > at`, or `x == at`) changes the
/// answer.
struct ByteTest {
  struct Place {
    int at = 0; ///< signed
    bool isEqual = false;
  };
  bool begins = false; ///< whether -128 is in the set
  std::vector<Place> places;
};
ByteTest testOf(const std::vector<bool> &isIn);

/// The same by 16 entries for each half of a byte, which have a bit in common where the byte is in the set.
struct HalvesTest {
  std::vector<int> lower, upper;
  bool hasHighBit = false; ///< some of the set are above 127
};
/// Returns nullopt if the set needs more than 8 bits.
std::optional<HalvesTest> halvesOf(const std::vector<bool> &isIn);

/// Bits of a lane that move together: (function << shift) & mask.
struct LaneTerm {
  int function = -1; ///< -1: the input
  int shift = 0;     ///< to the left; negative: to the right
  std::uint32_t mask = 0;
  bool needsMask = false;
};

/// Each iteration reads `inputs` neighbouring bytes and writes `outputs` neighbouring ones; it has a lane of `width`
/// bytes.
struct ByteLanes {
  std::string problem;                                  ///< why it is not legal, or not worth it; empty if it is
  const Expression *input = nullptr, *output = nullptr; ///< the first bytes of an iteration
  int inputs = 0, outputs = 0, width = 1;
  bool leaves = false; ///< an `if` ends the loop, unless every input byte is one of `stays`
  std::vector<bool> stays;
  std::vector<ByteFunction> functions; ///< of the input bytes
  std::vector<LaneTerm> terms;         ///< what the lane is made of
  std::uint32_t ones = 0;              ///< bits that are always set
  std::optional<ByteFunction> after;   ///< a function of every byte of the lane
  std::vector<int> places;             ///< where the bytes that are written are in the lane
};
/// Fills how the lane is computed. `bytes`: the bits of those that are written. Returns why there is no way, or empty.
std::string fillLane(ByteLanes &plan, const std::vector<ByteNode> &nodes, const std::vector<std::vector<BitId>> &bytes);
ByteLanes planByteLanes(const MoveContext &context, const Loop &loop);

struct ByteShape {
  int bytes = 16, vectors = 1; ///< of a vector; of a block
  bool shuffles = false;       ///< by tables of 16 entries where that is cheaper
};
/// Returns the iterations of a block.
int iterationsOf(const ByteLanes &plan, const ByteShape &shape);
/// Returns the text that replaces the loop.
std::string writeByteLanes(const Nest &nest, const Loop &loop, const ByteLanes &plan, const ByteShape &shape);

} // namespace agentic::moves
