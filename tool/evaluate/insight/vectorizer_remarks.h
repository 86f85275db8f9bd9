// Finds the loops of the kernel as written that the project's own compiler vectorizes, by its remarks.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/programs/program_run.h"
#include "tool/model/compile_command.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"

#include <string_view>

namespace agentic {

struct VectorizedLoops {
  int loops = 0;      ///< innermost loops of the kernel
  int vectorized = 0; ///< number of those that are vectorized
};

/// Counts lines `firstLine` … `lastLine` of `file` that hold a vectorized loop by a remark of `family`. Pure.
int countVectorized(std::string_view diagnostics, Family family, std::string_view file, unsigned firstLine,
                    unsigned lastLine);

/// Compiles SOURCE once more, in the sandbox. Errors: the compiler could not be run, or refuses.
Result<VectorizedLoops> askVectorizer(const KernelSpec &spec, const Manifest &manifest, const Compiler &compiler,
                                      const RunContext &context);

} // namespace agentic
