// Recorded calls of the baseline in the project's tests and benchmarks: reads, writes and chooses them. The output of a
// recorded process is hostile input: every length is checked.
#pragma once

#include "tool/base/error.h"
#include "tool/model/contract.h"
#include "tool/model/kernel_spec.h"
#include "tool/runner/wire.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct RecordedArgument {
  wire::Argument header;
  std::vector<std::byte> bytes; ///< before the call
};

struct RecordedCall {
  wire::Call header;
  std::vector<RecordedArgument> arguments; ///< in the kernel's order
  std::vector<std::byte> result;           ///< empty for void
};

struct RecordedCalls {
  std::vector<RecordedCall> calls;
  std::vector<std::string> uncovered; ///< one sentence per parameter that cannot be captured, for report and header
  std::string notReplayable;          ///< why no call can be replayed, then `calls` is empty; else ""
};

/// Returns the calls up to the end of the bytes; skips a call that was cut by the end of its writer. Errors: another
/// magic; lengths that contradict each other or exceed the bytes.
Result<std::vector<RecordedCall>> readCalls(std::string_view bytes);
std::string writeCalls(const std::vector<RecordedCall> &calls);

/// Returns how threads called the kernel in the process that wrote the file, whether it recorded or compared calls;
/// nobody for a file that is cut.
CallingThreads callersIn(std::string_view bytes);

/// The recording's facts that are kept with the baseline's; the calls themselves are in a file of their own.
struct RecordingFacts {
  std::vector<std::string> uncovered;
  std::string notReplayable;
  std::uint64_t kept = 0, incomplete = 0; ///< calls in the file; calls that a replay did not reproduce
  /// The number of calls of the baseline that could be compared in the place where they are made
  /// (differential/in_process.h), because some cannot be captured; 0: there is no need, or `uncovered` says why not.
  std::uint64_t comparedInProcess = 0;
  std::string glueLibrary, callsFile; ///< absolute; empty if there is none
  /// Different values of the scalar parameters by name, one entry per shape: {"rows=4 columns=7", …}.
  std::vector<std::string> testShapes, benchmarkShapes;
  std::vector<AliasPair> overlaps; ///< KernelSpec::overlaps
  CallingThreads callers;          ///< KernelSpec::callers
};

/// Returns the calls of a file that writeCalls made, with the facts about them. A missing file is an error.
Result<RecordedCalls> loadRecordedCalls(const std::string &file, const RecordingFacts &facts);

/// Returns the size of all payloads.
std::size_t payloadBytes(const RecordedCall &call);

/// Returns whether every argument of it is known: it can be replayed.
bool isCovered(const RecordedCall &call);

/// Returns the distinguishing features of a call: the values of scalars and the sizes of everything else.
std::string shapeOf(const RecordedCall &call);

/// Returns at most `mostCalls` calls and `mostBytes` bytes, in the given order: each shape once before any twice, those
/// of benchmarks before those of tests.
std::vector<RecordedCall> chooseCalls(std::vector<RecordedCall> calls, std::size_t mostCalls, std::size_t mostBytes);

inline constexpr std::size_t kMostRecordedCalls = 32, kMostRecordedBytes = std::size_t{128} << 20;

} // namespace agentic
