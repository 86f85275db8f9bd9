// What the recorder writes when it compares: one Comparison per sampled call, with the memory that the baseline and the
// candidate left behind wherever that may differ. Little-endian, as in wire.h; readers check every length.
#pragma once

#include <cstdint>

namespace agentic::wire {

inline constexpr char kComparisonsMagic[9] = "AKPAIRS1"; ///< of the FileHeader

/// How one of the three sides of a call ended: the baseline in the program itself, the candidate in a fork of it, and
/// the baseline in another fork, which shows what differs by itself.
enum class Ending : std::uint32_t {
  Returned,
  Threw,
  Died,        ///< by a signal, or it ended its process
  TimedOut,    ///< far beyond what the baseline took
  NotStarted,  ///< no fork was to be had
  NotLoadable, ///< the candidate's shared object
  KeptState    ///< returned, but static memory of the candidate's shared object is not what it was
};

/// What memory blocks that were allocated during the call held at first, byte by byte: what still holds it afterwards
/// was never written.
inline constexpr unsigned char kFreshByte = 0xa7;

struct Comparison {
  std::uint64_t sequence = 0; ///< number of the call in its process, from 0
  std::uint64_t bytes = 0;    ///< of everything that follows this struct and belongs to the call
  Ending reference = Ending::Returned, candidate = Ending::NotStarted, control = Ending::NotStarted;
  std::uint32_t signal = 0;    ///< that the candidate died of
  std::uint32_t isPartial = 0; ///< 1: there was more memory than is looked at
  std::uint32_t regionCount = 0;
  std::uint64_t seenBytes = 0; ///< of memory that was looked at
};

enum class RegionKind : std::uint32_t {
  Result,   ///< the result itself
  Elements, ///< of a Pointer, Range or Scalar argument: typed
  Memory,   ///< an object, the callers' stack, static data
  Block,    ///< of the heap
  Fresh     ///< a block that was allocated during the call and is still there; of one side
};

enum RegionSide : std::uint32_t { kReference = 1, kCandidate = 2, kControl = 4 };

/// Followed by `size` bytes, padded to 8, of each of the `sides`, in the order of their bits. Regions that are equal
/// everywhere and refer to nothing Fresh are left out.
struct Region {
  RegionKind kind = RegionKind::Memory;
  std::int32_t parameter = -1; ///< that it belongs to or is reached from; -1: none
  std::uint64_t address = 0, size = 0;
  std::uint32_t sides = 0; ///< RegionSide: absent where the block was freed, and of Control where it is as Reference
  std::uint32_t reserved = 0;
};

} // namespace agentic::wire
