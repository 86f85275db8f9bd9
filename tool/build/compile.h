// Candidate unit → object → shared object, with the project's own compiler and flags, in the sandbox.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/model/compile_command.h"

#include <atomic>
#include <string>
#include <vector>

namespace agentic {

struct CompileRequest {
  std::string unitFile;     ///< absolute; already written
  std::string objectFile;   ///< absolute; beside it
  std::string quoteDirectory; ///< SOURCE's folder: -iquote before all else
  CompileCommand command;   ///< of the dispatch unit in the shadow
  bool withoutIsaFlags = false; ///< drop -march/-mcpu/-mtune/-m<isa>: the gate for generic builds
  const Sandbox *sandbox = nullptr;
  double timeoutSeconds = 60;
  const std::atomic<bool> *cancelled = nullptr;
};

struct CompileOutcome {
  bool ok = false;
  std::string diagnostics;  ///< compiler output, ≤ 1 MiB
  double seconds = 0;
};

/// Project's flags plus -fPIC -falign-functions=64 -falign-loops=64, minus -flto, -Werror, -o, -MD….
Result<CompileOutcome> compileUnit(const CompileRequest &request);

/// The exact argument list compileUnit uses (pure, for tests and for the variant's header).
std::vector<std::string> compileArguments(const CompileRequest &request);

struct LinkRequest {
  std::string objectFile, sharedObject;
  std::string kernel, symbol;  ///< the entry returns the address of `symbol`
  std::string cacheDir;        ///< compiled entry shims are kept here
  std::string compiler;        ///< the project's
  const Sandbox *sandbox = nullptr;
};

/// One-symbol version script, -z now,relro,separate-code,noexecstack; never with user or agent link flags.
Result<CompileOutcome> linkCandidate(const LinkRequest &request);

/// Diagnostics for feedback: error/warning/note lines, source lines only of the candidate's own text, unit paths replaced
/// by `candidateName` and positions mapped; ≤ 4 KiB.
std::string filterDiagnostics(const std::string &diagnostics, const std::string &unitFile,
                              const std::string &candidateName);

} // namespace agentic
