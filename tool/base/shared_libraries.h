// The shared libraries of a program, as the loader of this machine finds them.
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"

#include <functional>
#include <map>
#include <string>

namespace agentic {

/// Returns name → file, without the parts of glibc: those are always of the machine that a program runs on. A script,
/// or a program that is linked statically, has none. Asks ldd, which starts the loader of that program: what is not
/// trusted needs a `run` that confines it. Errors: a library is not found; those of `run`.
Result<std::map<std::string, std::string>>
sharedLibraries(const std::string &program,
                const std::function<Result<ProcessResult>(const ProcessSpec &)> &run = runProcess);

} // namespace agentic
