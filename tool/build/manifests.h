// Finds and reads what CMake wrote about the kernels of a build tree.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/manifest.h"

#include <string>
#include <vector>

namespace agentic {

/// All manifests of `buildDir` (one configuration; if there are several, `config` must choose), sorted by kernel.
/// Error when the folder is no build tree, or no kernel is declared in it.
Result<std::vector<Manifest>> loadManifests(const std::string &buildDir, const std::string &config = {});

/// One kernel's, or all if `kernel` is empty.
Result<std::vector<Manifest>> chosenManifests(const std::string &buildDir, const std::string &kernel,
                                              const std::string &config = {});

/// One kernel's; the error lists the names there are and what was probably meant.
Result<Manifest> loadManifest(const std::string &buildDir, const std::string &kernel, const std::string &config = {});

/// The command that compiles `file` in `buildDir`/compile_commands.json. Error if it has no entry.
Result<CompileCommand> compileCommandFor(const std::string &buildDir, const std::string &file);

/// The command that compiles SOURCE, or the dispatch unit that stands in for it, in the build tree `buildDir`: of TARGET
/// and of the manifest's configuration, where several do.
Result<CompileCommand> sourceCommand(const Manifest &manifest, const std::string &buildDir);

/// Asks the compiler for version, family and default -std (two short child processes; cached by path, size and mtime
/// below `cacheDir`).
Result<Compiler> identifyCompiler(const std::string &path, const std::string &cacheDir);
Result<Compiler> compilerOf(const Manifest &manifest); ///< the project's, cached in its build tree

} // namespace agentic
