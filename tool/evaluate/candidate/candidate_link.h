// Makes the shared object that the dispatcher's hook loads: links a candidate's object with the kernel's entry, which
// calls it on a stack of its own. Also builds the kernel's glue.
#pragma once

#include "tool/base/error.h"
#include "tool/build/compile.h"
#include "tool/build/glue.h"
#include "tool/evaluate/candidate/candidate_build.h"

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Returns a candidate's compile request, with the time limit of its kind and of the run's budget.
CompileRequest candidateCompile(const BuildContext &context, const std::string &unitFile, const std::string &objectFile,
                                const std::atomic<bool> *cancelled);

/// Returns the request without the project's ISA flags, on the unit's target region alone; nullopt if it has no such
/// flags.
std::optional<CompileRequest> genericCompile(const BuildContext &context, const std::string &unitFile,
                                             const std::string &objectFile, const std::atomic<bool> *cancelled);

/// Links the object that defines `symbol`. `padding`: bytes in front of its code and constants (claim.h).
Result<CompileOutcome> linkCandidateObject(const BuildContext &context, const std::string &objectFile,
                                           const std::string &symbol, const std::string &sharedObject,
                                           std::size_t padding = 0);

/// Returns the entry of all candidates, in the cache directory (build/glue.h); empty if only the plain one works.
Result<std::string> kernelEntry(const BuildContext &context);

/// Returns the kernel's glue, in the cache directory (build/glue.h). `flags`: appended to the project's own.
Result<BuiltGlue> buildKernelGlue(const BuildContext &context, const std::vector<std::string> &flags = {});

} // namespace agentic
