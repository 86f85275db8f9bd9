// The kernel's specification for the current SOURCE, headers, flags, compiler and tool, cached by all of them.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/source/extract/extract.h"

#include <string>

namespace agentic {

ExtractRequest extractRequestFor(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// Extracts the kernel as it is now, with the project's policy. Errors: those of extraction, and a policy that is
/// wrong.
Result<Extraction> extractCurrent(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// Returns a key of everything that extraction depends on, headers excepted: loadSpec() compares those.
std::string specKeyOf(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// Returns the file in which preparation keeps it: <build>/_agentic/cache/<kernel>/spec.json.
std::string specFileOf(const Manifest &manifest);

/// Returns the specification from the cache if an earlier preparation left it there, else by a parse of SOURCE (0.1-0.5
/// s). Errors: SOURCE is not compiled in the build tree, does not parse, or holds no such kernel.
Result<KernelSpec> currentSpec(const Manifest &manifest);

struct CurrentKernel {
  Manifest manifest;
  KernelSpec spec;
};
/// Returns a kernel by name. Errors: those of loadManifest, too.
Result<CurrentKernel> currentKernel(const std::string &buildDir, const std::string &kernel, const std::string &config);

} // namespace agentic
