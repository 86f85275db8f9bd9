// Files between the tool and the processes that run kernels: recorded calls (recorder to tool), plans (tool to runner)
// and results (runner to tool). Both sides are the same build on the same machine, so they use plain structs in native
// order; but the output of a process with a candidate inside is hostile input and is read with every length checked.
//
// Each file is a FileHeader and then records, one after the other, each followed by its payloads; every payload is
// padded with zeros to a multiple of 8 bytes. A file that ends within a record was cut by the end of its writer: the
// records before it are valid.
#pragma once

#include <cstdint>

namespace agentic::wire {

struct FileHeader {
  char magic[8];           ///< "AKCALLS1", "AKPLAN01", "AKRESLT1"
  std::uint64_t count = 0; ///< of a recorder's file: callersWord(); else the number of calls or steps, 0 in a result
};

/// How the threads of one process call the kernel: how many do, and whether their calls run side by side.
inline constexpr std::uint64_t callersWord(std::uint32_t threads, bool areSideBySide) {
  return threads | std::uint64_t{areSideBySide} << 32;
}
inline constexpr char kCallsMagic[9] = "AKCALLS1", kPlanMagic[9] = "AKPLAN01", kResultMagic[9] = "AKRESLT1";

/// Returns the size of `bytes` in a file, with the zeros after them.
inline constexpr std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

enum class Role : std::uint32_t {
  Value,    ///< a scalar or object that is passed by value: payload = its bytes
  In,       ///< elements (or the object, or scalar, that a reference refers to) that are only read
  Out,      ///< elements whose old values do not count: payload = their old values, used unless a step overrides them
  InOut,    ///< elements that are read and written
  Null,     ///< a null pointer
  Uncovered ///< cannot be captured, `reason` says why: no payload; such a call cannot be replayed
};

/// The reason why an argument is Uncovered.
enum class Reason : std::uint32_t {
  None,
  UnknownExtent, ///< no extent is declared and it does not point into a heap block
  BadExtent,     ///< the declared extent is negative, or there is no memory for all of it
  TooLarge,      ///< the call as a whole exceeds the limit of a recording
  Resized,       ///< a container that had another size after the call
  Opaque         ///< the type cannot be copied as bytes
};

/// One argument, followed by its payload: `bytes` bytes (before the call).
struct Argument {
  Role role = Role::Value;
  Reason reason = Reason::None;
  /// Recorded address of the elements: arguments that overlap there overlap when replayed, others do not; 0: not known,
  /// it overlaps with nothing. If requirements of the contract do not hold with the types' own alignment, this address
  /// modulo 64 is tried, then modulo a page.
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;     ///< size of the payload
  std::uint64_t hashAfter = 0; ///< recordings only: hashBytes of the same bytes after the call
};

/// One call, followed by `argumentCount` arguments in the kernel's order, then by the result's payload.
struct Call {
  std::uint32_t argumentCount = 0;
  std::uint32_t isBenchmark = 0; ///< 1: recorded in a benchmark; 0: recorded in a test or made by the tool
  std::uint64_t sequence = 0;    ///< number of the call in its process, from 0
  std::uint64_t bytes = 0;       ///< size of the rest of the call after this struct
  std::uint64_t resultBytes = 0; ///< recordings: size of the result; plans: 0
};

inline std::uint64_t hashMix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}
inline std::uint64_t hashWord(std::uint64_t hash, const unsigned char *bytes) {
  std::uint64_t word;
  __builtin_memcpy(&word, bytes, 8);
  return hashMix(hash, word);
}

/// FNV-1a over 8-byte words with a final mix, with four independent chains for speed; the rest byte by byte. Not for
/// security.
inline std::uint64_t hashBytes(const void *data, std::uint64_t size) {
  const unsigned char *bytes = static_cast<const unsigned char *>(data);
  std::uint64_t hash = 0xcbf29ce484222325u ^ size, second = hash + 1, third = hash + 2, fourth = hash + 3;
  std::uint64_t i = 0;
  if (size >= 32) {
    for (; i + 32 <= size; i += 32) {
      hash = hashWord(hash, bytes + i);
      second = hashWord(second, bytes + i + 8);
      third = hashWord(third, bytes + i + 16);
      fourth = hashWord(fourth, bytes + i + 24);
    }
    hash = hashMix(hashMix(hashMix(hash, second), third), fourth);
  }
  for (; i + 8 <= size; i += 8)
    hash = hashWord(hash, bytes + i);
  for (; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash ^ (hash >> 32);
}

// A plan: FileHeader (count = steps), PlanHeader, its calls, then the steps in the order in which they are run.

struct PlanHeader {
  std::uint64_t callCount = 0;
  std::uint64_t stackBytes = 256u << 10; ///< size of the kernel's own stack; more is a fault
  std::uint64_t guardBytes = 1u << 20;   ///< inaccessible memory on each side of every buffer, at least
  std::uint64_t roundsUp = 0;            ///< 1: floating-point results are rounded upward, which shows their rounding
};

/// The place of buffers between their guards. The same slot and layout give the same addresses in every step, provided
/// that sizes are the same; other slots and layouts give others. Elements of containers use the first two layouts only,
/// aligned to 16 bytes as operator new promises (Misaligned: as AtEnd). When all slots together take more than 1 GiB of
/// address space (or half of the process's limit), the least recently used are evicted, after a last check for
/// kEarlierResults.
enum class Layout : std::uint32_t {
  AtEnd,      ///< the last element ends where the guard begins
  AtBegin,    ///< the first element begins where the guard ends
  Misaligned, ///< aligned for elements and no better, other arguments' buffers in another way
  AsRecorded  ///< the recorded place within a page, to show dependence on the low bits of addresses
};

/// The content of Out elements before the call.
enum class Prefill : std::uint32_t {
  Recorded, ///< the call's own payload
  Poison,   ///< a pattern made from `seed`: a NaN for floating-point elements of 4 and 8 bytes, else random
  Zeros,
  Previous ///< the previous step's result on this slot and layout; Recorded if it is missing or differs in size
};

/// One call of the kernel, followed by `patchCount` patches.
struct Step {
  std::uint64_t call = 0; ///< index
  std::uint32_t slot = 0;
  Layout layout = Layout::AtEnd;
  Prefill prefill = Prefill::Recorded;
  std::uint32_t patchCount = 0;
  std::uint64_t seed = 0; ///< seed of the poison, and of the pattern that fills the stack
  /// > 0: after a first call, whose outputs are hashed but not dumped, call again and again for about this long. InOut
  /// arguments are renewed before every call; the time for that is measured alone and subtracted.
  double timeSeconds = 0;
  std::uint32_t dump = 1;         ///< 0: only hashes of the outputs are returned
  std::uint32_t watchOutputs = 0; ///< 1: detect whether an Out argument is read before it is written (kOutputsRead)
};

/// Bytes that replace a part of an argument's payload for one step, followed by those bytes. For Out arguments only
/// where the payload counts (Recorded).
struct Patch {
  std::uint64_t argument = 0, offset = 0, bytes = 0;
};

// A result: FileHeader, then a StepResult per step in order, at last one with `status` = End (absent if the process
// died, or if the kernel ended it, whatever its exit status).

/// The state that a call must leave unchanged, as bits.
enum Disturbance : std::uint32_t {
  kFloatingPointState = 1, ///< rounding mode, flush to zero, exception masks (not the sticky exception flags)
  kErrno = 2,
  kThreads = 4,
  kDescriptors = 8,
  kSignalMask = 16,      ///< or the handlers of the signals that crashes raise
  kInputs = 32,          ///< an In argument's bytes changed (checked where memory could not be write-protected)
  kMargins = 64,         ///< bytes between a buffer and its guard changed
  kEarlierResults = 128, ///< found at the end: a buffer changed after the call that last used it
  kStatics = 512,        ///< static data of the kernel's library changed
  kOutputsRead = 256     ///< the first access to a page of Out elements was a read; only in steps with watchOutputs
};

enum class StepStatus : std::uint32_t { Done, Fault, StackOverflow, End };

/// If Done and dumped, the bytes of each Out and InOut argument follow in the kernel's order (each padded), then the
/// result's bytes. Not dumped: hashes only.
struct StepResult {
  std::uint64_t step = 0;
  StepStatus status = StepStatus::Done;
  std::uint32_t disturbances = 0;
  std::uint64_t stackBytes = 0; ///< high-water mark
  std::uint64_t bytes = 0;      ///< size of the data that follow
  std::uint64_t outputHash = 0; ///< hash over the hashes of all outputs and of the result
  double seconds = 0;           ///< CPU time of the call, always; in timed steps per call, see runner_timing.h
  std::uint64_t calls = 0;      ///< calls of a timed step
  // Fault: the access.
  std::uint32_t signal = 0;
  std::uint32_t isWrite = 0;
  std::int64_t argument = -1; ///< argument whose buffer or guard it is; -1: none of them
  std::int64_t offset = 0;    ///< bytes from the argument's first element
};

} // namespace agentic::wire
