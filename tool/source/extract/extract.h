// Finds the AGENTIC_KERNEL function in a translation unit and everything that a replacement needs to know of it.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/finding.h"
#include "tool/model/kernel_spec.h"

#include <string>
#include <vector>

namespace agentic {

struct ExtractRequest {
  std::string kernel;     ///< name of add_agentic_kernel(), for messages and symbols
  std::string source;     ///< absolute path of SOURCE
  std::string function;   ///< qualified or unqualified name; empty = the only marked function
  CompileCommand command; ///< command of SOURCE or of its dispatch unit: the file argument is replaced by SOURCE
  Compiler compiler;
  std::string projectRoot; ///< headers below it are project headers
};

struct Extraction {
  KernelSpec spec;
  std::vector<Finding> findings; ///< of the baseline itself: variables of SOURCE that can change between calls (a copy
                                 ///< could not stand for them); ast-checks' rules are the caller's to run. A refused
                                 ///< shape (template, member, inline, header …) leaves no spec, so it is an Error
};

/// Parses SOURCE once (0.05-0.5 s). Errors: SOURCE missing; Clang cannot parse it (`unparsable` in message: the caller
/// decides whether that is fatal); no marked function; several and no FUNCTION; a refused shape, with the wrapper to
/// write instead; a contract that contradicts itself or the parameters. Not thread-safe against other Clang users in
/// the process only in that it sets no global state.
Result<Extraction> extractKernel(const ExtractRequest &request);

} // namespace agentic
