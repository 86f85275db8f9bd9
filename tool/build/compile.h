// Candidate unit → object → shared object, with the project's own compiler and flags, in the sandbox.
#pragma once

#include "tool/base/error.h"
#include "tool/base/text.h"
#include "tool/build/sandbox.h"
#include "tool/model/compile_command.h"

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
  CompileCommand command;        ///< of the dispatch unit in the shadow
  std::vector<std::string> more; ///< behind the project's flags: sanitizers, which those are not taken from
  bool withoutIsaFlags = false;  ///< drop -march/-mcpu/-mtune/-m<isa>: the gate for generic builds
  const Sandbox *sandbox = nullptr;
  double timeoutSeconds = 60;
  const std::atomic<bool> *cancelled = nullptr;
};

struct CompileOutcome {
  bool ok = false;
  std::string diagnostics; ///< compiler output, ≤ 1 MiB
  double seconds = 0;
};

/// Project's flags plus -fPIC -falign-functions=64 -falign-loops=64, minus -flto, -Werror, -o, -MD…. Not `ok` when the
/// compiler rejected the unit, ran out of time or memory, or crashed; an Error when it could not be run at all.
Result<CompileOutcome> compileUnit(const CompileRequest &request);

/// What a parse with these arguments (the compiler first) needs to see: source tree, include folders, the compiler's
/// installation. `writable`: where it writes; empty = nowhere.
Sandbox::View compileView(const std::vector<std::string> &arguments, const std::string &directory,
                          const std::string &writable);

/// The exact argument list compileUnit uses (pure, for tests and for the variant's header).
std::vector<std::string> compileArguments(const CompileRequest &request);

/// The project's own flags that matter for the code: no compiler, input, output, macros or include paths. For the
/// variant's header: "-O3 -march=native -std=gnu++20".
std::string codeFlags(const CompileCommand &command);

/// The options of a command that say which machine it compiles for, and with which libraries: what a link needs as
/// well.
/// "--target=aarch64-linux-gnu", "--sysroot=…". Pure.
std::vector<std::string> targetOptions(const CompileCommand &command);

struct LinkRequest {
  std::string objectFile, sharedObject;
  std::string kernel;              ///< agentic_kernel_entry_<kernel> is the one exported symbol
  std::string entryObject;         ///< object file that defines it (build/glue.h: buildEntry); or else:
  std::string entryShim;           ///< C source that defines it (source/emit.h: emitEntryShim)
  std::string cacheDir;            ///< compiled entry shims are kept here
  std::string compiler;            ///< the project's
  std::vector<std::string> target; ///< targetOptions() of its command
  /// Bytes that are linked in front of the candidate's code and in front of its constants: another place for both. Its
  /// functions start at lines of 64 bytes, so that only multiples of 64 give places that differ.
  std::size_t padding = 0;
  const Sandbox *sandbox = nullptr;
  const std::atomic<bool> *cancelled = nullptr;
};

/// One-symbol version script, -z now,relro,separate-code,noexecstack; never with user or agent link flags.
Result<CompileOutcome> linkCandidate(const LinkRequest &request);

/// Links objects to a shared object that exports `exports` and nothing else, with the same options. `cacheDir` gets the
/// version script `<name>.map`.
struct SharedObjectRequest {
  std::vector<std::string> objects, exports;
  std::string sharedObject, name, cacheDir, compiler;
  std::vector<std::string> target; ///< as in LinkRequest
  const Sandbox *sandbox = nullptr;
  const std::atomic<bool> *cancelled = nullptr;
};
Result<CompileOutcome> linkSharedObject(const SharedObjectRequest &request);

/// Position in the candidate's file of a position in the unit; line 0 where the unit's text is not the candidate's.
using PositionMap = std::function<LineColumn(unsigned line, unsigned column)>;

/// Diagnostics for feedback: error/warning/note lines (errors first), source lines only of the candidate's own text,
/// the unit's path replaced by `candidateName`, positions mapped; ≤ 4 KiB. Without a map every line is the candidate's
/// own.
std::string filterDiagnostics(const std::string &diagnostics, const std::string &unitFile,
                              const std::string &candidateName, const PositionMap &map = {});

} // namespace agentic
