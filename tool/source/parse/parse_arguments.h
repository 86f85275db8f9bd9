// Converts a project's compile command to arguments for this tool's Clang.
#pragma once

#include "tool/model/compile_command.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns the folder of the headers that belong to the Clang library of this tool.
std::string clangResourceDirectory();

/// Returns Clang arguments equivalent to `command` (no program, input or output): drops -W*, -Werror, dependency and
/// unknown options (a g++-only flag never stops a parse), adds the compiler's default -std, the resource directory,
/// g++'s own library folders, -iquote of SOURCE's folder, -DAGENTIC_KERNEL=__attribute__((annotate("agentic_kernel")))
/// and the contract macros as annotations that hold their arguments as text ("agentic_in:A, M * K").
std::vector<std::string> parseArguments(const CompileCommand &command, const Compiler &compiler,
                                        const std::string &sourceDirectory);

/// Returns whether CMake generated the file for target_precompile_headers().
bool isPrecompiledHeader(std::string_view file);

/// Returns the arguments without the precompiled header that CMake puts in front of SOURCE: a text that begins with the
/// kernel's prelude has its includes.
std::vector<std::string> withoutPrecompiledHeader(const std::vector<std::string> &arguments);

} // namespace agentic
