// Connects a kernel with programs that do not know its type: the glue (tool/runner/glue_abi.h), through which the
// recorder and the runner call it, and the entry, through which the hook calls candidates. Both are C++ that the
// project's compiler builds with the project's flags; pure functions from values to text.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_unit.h"

#include <string>

namespace agentic {

/// Returns a candidate with the kernel's signature that does nothing useful: its unit has the types and little else.
std::string signatureCandidate(const KernelSpec &spec);

/// Returns the glue's text; `unit` is that of signatureCandidate. Exports agentic_kernel_glue_<kernel>, and
/// agentic_kernel_entry_<kernel>, which records calls of the baseline where the recorder is loaded. If it cannot
/// express the kernel's types, the text does not compile.
std::string emitGlue(const KernelSpec &spec, const CandidateUnit &unit);

/// Returns the source of a candidate .so's entry: calls the candidate on a stack of its own, and with
/// AGENTIC_KERNEL_CLOBBER=<seed> in the environment (read once, when it is loaded) overwrites the contract's Out memory
/// before each call. The same for all candidates of a kernel. If it does not compile, emitEntryShim serves.
std::string emitEntry(const KernelSpec &spec, const CandidateUnit &unit);

/// Returns the source of the program that calls a kernel under MemorySanitizer (tool/runner/memory_driver.cpp): the
/// same for all.
std::string emitMemoryDriver();

} // namespace agentic
