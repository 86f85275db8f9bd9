// A kernel's specification as SOURCE, its headers, flags, compiler and this tool are now, cached by all of them.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/source/extract/extract.h"

#include <string>

namespace agentic {

ExtractRequest extractRequestFor(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// The kernel as it is now, with the project's policy. Errors: those of extraction, and a policy that is wrong.
Result<Extraction> extractCurrent(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// Of everything that extraction depends on, headers excepted: loadSpec() compares those.
std::string specKeyOf(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// Where preparation keeps it: <build>/_agentic/cache/<kernel>/spec.json.
std::string specFileOf(const Manifest &manifest);

/// From the cache if an earlier preparation left it there, else by a parse of SOURCE (0.1-0.5 s). Errors: SOURCE is not
/// compiled in the build tree, does not parse, or holds no such kernel.
Result<KernelSpec> currentSpec(const Manifest &manifest);

struct CurrentKernel {
  Manifest manifest;
  KernelSpec spec;
};
/// The same, of a kernel by name. Errors: those of loadManifest, too.
Result<CurrentKernel> currentKernel(const std::string &buildDir, const std::string &kernel, const std::string &config);

} // namespace agentic
