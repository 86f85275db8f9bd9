// Compiles a candidate unit to an object and a shared object, with the project's own compiler and flags, in the
// sandbox.
#pragma once

#include "tool/base/error.h"
#include "tool/base/text.h"
#include "tool/build/sandbox.h"
#include "tool/model/compile_command.h"
#include "tool/model/language.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct CompileRequest {
  std::string unitFile;          ///< absolute; already written
  std::string objectFile;        ///< absolute; beside it
  std::string quoteDirectory;    ///< SOURCE's folder: -iquote before all else
  CompileCommand command;        ///< command of the dispatch unit in the shadow
  std::vector<std::string> more; ///< appended to the project's flags: sanitizers, which are not taken from those
  bool withoutIsaFlags = false;  ///< drop -march/-mcpu/-mtune/-m<isa>: the gate for generic builds
  const Sandbox *sandbox = nullptr;
  double timeoutSeconds = 60; ///< of a CPU
  const std::atomic<bool> *cancelled = nullptr;
};

struct CompileOutcome {
  bool ok = false;
  std::string diagnostics; ///< compiler output, ≤ 1 MiB
  double seconds = 0;
  bool isBeyondLimits = false; ///< it took more CPU time or memory than it may, or crashed
};

/// Compiles with the project's flags plus -fPIC -falign-functions=64 -falign-loops=64, minus -flto, -Werror, -o, -MD….
/// Not `ok` when the compiler rejected the unit, ran out of time or memory, or crashed; an Error when it could not be
/// run at all, or did not get the CPU.
Result<CompileOutcome> compileUnit(const CompileRequest &request);

/// Returns the paths that a parse with these arguments (the compiler first) needs to see: source tree, include folders,
/// the compiler's installation. `writable` is the folder that it writes to; empty = none.
Sandbox::View compileView(const std::vector<std::string> &arguments, const std::string &directory,
                          const std::string &writable);

/// Returns the exact argument list that compileUnit uses (pure, for tests and for the variant's header).
std::vector<std::string> compileArguments(const CompileRequest &request);

/// Returns a C file's command for a C++ text that belongs to it: the same compiler and flags,
/// but for the standard, and without exceptions. Pure.
CompileCommand commandInCxx(CompileCommand command);

/// Returns the arguments of a compile command that change the code and name no folder, for the variant's header and for
/// models: "-O3 -march=native -std=gnu++20". Pure.
std::string codeFlags(const std::vector<std::string> &arguments);

/// Returns the options of a command that choose the target machine and its libraries, which a link needs as well:
/// "--target=aarch64-linux-gnu", "--sysroot=…". Pure.
std::vector<std::string> targetOptions(const CompileCommand &command);

struct LinkRequest {
  std::string objectFile, sharedObject;
  std::string kernel;              ///< agentic_kernel_entry_<kernel> is the one exported symbol
  std::string entryObject;         ///< object file that defines it (build/glue.h: buildEntry); or else entryShim:
  std::string entryShim;           ///< C source that defines it (source/emit.h: emitEntryShim)
  std::string cacheDir;            ///< compiled entry shims are kept here
  std::string compiler;            ///< the project's compiler
  bool needsCxxLibrary = false;    ///< the entry is C++, and the compiler links C
  std::vector<std::string> target; ///< targetOptions() of the compile command
  /// Bytes linked in front of the candidate's code and in front of its constants, to move both. The candidate's
  /// functions start at lines of 64 bytes, so that only multiples of 64 give different places.
  std::size_t padding = 0;
  const Sandbox *sandbox = nullptr;
  const std::atomic<bool> *cancelled = nullptr;
};

/// Links with a one-symbol version script, -z now,relro,separate-code,noexecstack; never with user or agent link flags.
Result<CompileOutcome> linkCandidate(const LinkRequest &request);

/// Links objects to a shared object that exports `exports` and nothing else, with the same options. `cacheDir` gets the
/// version script `<name>.map`.
struct SharedObjectRequest {
  std::vector<std::string> objects, exports;
  std::string sharedObject, name, cacheDir, compiler;
  bool needsCxxLibrary = false;    ///< as in LinkRequest
  std::vector<std::string> target; ///< as in LinkRequest
  const Sandbox *sandbox = nullptr;
  const std::atomic<bool> *cancelled = nullptr;
};
Result<CompileOutcome> linkSharedObject(const SharedObjectRequest &request);

/// Maps a position in the unit to the candidate's file; line 0 where the unit's text is not the candidate's.
using PositionMap = std::function<LineColumn(unsigned line, unsigned column)>;

/// Filters diagnostics for feedback: error/warning/note lines (errors first), source lines only of the candidate's own
/// text, the unit's path replaced by `candidateName`, positions mapped; ≤ 4 KiB. Without a map every line counts as the
/// candidate's own.
std::string filterDiagnostics(const std::string &diagnostics, const std::string &unitFile,
                              const std::string &candidateName, const PositionMap &map = {});

} // namespace agentic
