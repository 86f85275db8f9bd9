// Finds and reads the files that CMake wrote about the kernels of a build tree.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/manifest.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns all manifests of `buildDir` (one configuration; if there are several, `config` must choose), sorted by
/// kernel. Errors: the folder is no build tree, or declares no kernel.
Result<std::vector<Manifest>> loadManifests(const std::string &buildDir, const std::string &config = {});

/// Returns the manifest of one kernel, or all manifests if `kernel` is empty.
Result<std::vector<Manifest>> chosenManifests(const std::string &buildDir, const std::string &kernel,
                                              const std::string &config = {});

/// Returns the manifest of one kernel, or of the only one if `kernel` is empty; the error lists the existing names and
/// the name that was probably meant.
Result<Manifest> loadManifest(const std::string &buildDir, const std::string &kernel, const std::string &config = {});

/// Returns the command that compiles `file` in `buildDir`/compile_commands.json. Error if the file has no entry.
Result<CompileCommand> compileCommandFor(const std::string &buildDir, const std::string &file);

/// Returns the command that compiles SOURCE, or the dispatch unit in its place, in the build tree `buildDir`: if there
/// are several, the command of TARGET and of the manifest's configuration.
Result<CompileCommand> sourceCommand(const Manifest &manifest, const std::string &buildDir);

/// Asks the compiler for version, family and default -std (two short child processes; cached by path, size and mtime
/// below `cacheDir`).
Result<Compiler> identifyCompiler(const std::string &path, const std::string &cacheDir);
Result<Compiler> compilerOf(const Manifest &manifest); ///< the project's compiler, cached in its build tree

} // namespace agentic
