// The knowledge about a kernel of a build tree: its features, the patterns, and the project's index of sources.
#pragma once

#include "tool/base/error.h"
#include "tool/knowledge/research.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/run/surroundings.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Returns the file of the index for the project in `sourceDir`: one for all of its build trees.
std::string knowledgeFile(const std::string &sourceDir, const std::string &buildDir, const Surroundings &surroundings);

/// Returns the folder of the project whose build tree this is, as CMake's cache names it.
Result<std::string> projectOf(const std::string &buildDir);

/// Returns the index of the project; nullopt if nothing was ever added.
Result<std::optional<SourceIndex>> knowledgeIndex(const std::string &file);

/// Returns what the user's program (--knowledge-command) answers to a question, without secrets; nothing if there is no
/// such program.
Result<std::vector<Passage>> programPassages(const std::string &command, const std::string &query, std::size_t most,
                                             const Surroundings &surroundings);

/// Parses the kernel, ranks patterns, looks for neighbours: 0.1 to 0.6 s, and the time of the user's program, if
/// `command` names one. Measures nothing: `measured` are the bounds that insight found, if it was asked.
Result<Research> kernelResearch(const Manifest &manifest, const KernelSpec &spec, const Surroundings &surroundings,
                                std::vector<std::string> measured = {}, const std::string &command = {});

/// Returns the best patterns for a model's prompt: the same for the same kernel. Empty if none fits, or the kernel does
/// not parse.
std::string kernelAdvice(const KernelSpec &spec, const std::string &level);

} // namespace agentic
