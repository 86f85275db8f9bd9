// The recorder's output when it compares: one Comparison per sampled call, with the memory of the baseline and the
// candidate after the call wherever it may differ. Little-endian, as in wire.h; readers check every length.
#pragma once

#include <cstdint>

namespace agentic::wire {

inline constexpr char kComparisonsMagic[9] = "AKPAIRS1"; ///< magic of the FileHeader

/// The end of one of the three sides of a call: the baseline in the program itself, the candidate in a fork of it, and
/// the baseline in another fork, which shows the differences that arise by themselves.
enum class Ending : std::uint32_t {
  Returned,
  Threw,
  Died,        ///< by a signal, or the side ended its process
  TimedOut,    ///< far beyond the baseline's time
  NotStarted,  ///< no fork was possible
  NotLoadable, ///< the candidate's shared object cannot be loaded
  KeptState    ///< returned, but static memory of the candidate's shared object has changed
};

/// The first content, byte by byte, of memory blocks that were allocated during the call: a byte that still holds it
/// afterwards was never written.
inline constexpr unsigned char kFreshByte = 0xa7;

struct Comparison {
  std::uint64_t sequence = 0; ///< number of the call in its process, from 0
  std::uint64_t bytes = 0;    ///< size of the rest of the call after this struct
  Ending reference = Ending::Returned, candidate = Ending::NotStarted, control = Ending::NotStarted;
  std::uint32_t signal = 0;    ///< signal that the candidate died of
  std::uint32_t isPartial = 0; ///< 1: memory exceeded the limit of the comparison
  std::uint32_t regionCount = 0;
  std::uint64_t seenBytes = 0;   ///< size of the compared memory
  std::uint32_t changed = 0;     ///< input elements that were changed before the call, on all sides
  std::uint32_t overwritten = 0; ///< bytes that the call sets, and that held garbage before it, on all sides
};

enum class RegionKind : std::uint32_t {
  Result,   ///< the result itself
  Elements, ///< elements of a Pointer, Range or Scalar argument: typed
  Memory,   ///< an object, the callers' stack, static data
  Block,    ///< a heap block
  Fresh     ///< a block that was allocated during the call and still exists; on one side
};

enum RegionSide : std::uint32_t { kReference = 1, kCandidate = 2, kControl = 4 };

/// `size` bytes, padded to 8, of each of the `sides` follow, in the order of their bits. Regions that are equal
/// everywhere and refer to nothing Fresh are left out.
struct Region {
  RegionKind kind = RegionKind::Memory;
  std::int32_t parameter = -1; ///< parameter that it belongs to or is reached from; -1: none
  std::uint64_t address = 0, size = 0;
  std::uint32_t sides = 0; ///< RegionSide; without a side whose block was freed, without a Control equal to Reference
  std::uint32_t reserved = 0;
};

} // namespace agentic::wire
