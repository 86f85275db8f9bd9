// What the sampler leaves of one process: a header, the executable mappings as text, and program counters. The process
// maps the file, so that what was taken is there however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace agentic::sampler {

inline constexpr const char *kFolderVariable =
    "AGENTIC_KERNEL_SAMPLES"; ///< the folder of these files; unset: no samples
inline constexpr const char *kFileEnding = ".samples";
inline constexpr std::uint64_t kMagic = 0x31544f484b41; // "AKHOT1"
inline constexpr std::uint64_t kCapacity = 1u << 16; ///< samples: beyond, each new one replaces one at random, or none
inline constexpr std::uint64_t kMapsCapacity = 1u << 18;
inline constexpr long kPeriodMicroseconds = 1000; ///< of a thread's CPU time; Linux takes no more than one per tick

struct Header {
  std::uint64_t magic;
  std::uint64_t capacity, mapsCapacity; ///< the mappings follow the header, the samples follow them
  std::uint64_t count;                  ///< samples that were taken, those that have no place among them
  std::uint64_t mapsSize;               ///< bytes; lines of /proc/self/maps, "@" before those of each reading
  std::uint64_t threads;                ///< that were sampled
  std::uint64_t flags;
  char program[4040]; ///< path, with a zero
};
static_assert(sizeof(Header) == 4096);

inline constexpr std::uint64_t kSignalTaken = 1; ///< the program handles the sampler's signal itself: samples end there
inline constexpr std::uint64_t kNoTimer = 2;     ///< a thread got no timer

inline constexpr std::size_t kFileBytes = sizeof(Header) + kMapsCapacity + kCapacity * sizeof(std::uint64_t);

} // namespace agentic::sampler
