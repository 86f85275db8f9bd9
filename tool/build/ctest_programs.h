// Finds out how ctest would run a project's test and benchmark programs: working directory, environment, arguments.
#pragma once

#include "tool/build/named_tests.h"
#include "tool/build/shadow.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Reads the output of `ctest --show-only=json-v1`. If several tests run a program (gtest_discover_tests makes one per
/// case), the first test's settings count. Options that choose cases or outputs are dropped from the arguments: the
/// tool sets them. A program unknown to ctest runs in its own folder, without arguments. A target without a file is one
/// of `named`: the test runs as it stands. `argument`: of add_agentic_kernel(), that names the targets. Errors: output
/// that is no list; a named test that its exit status does not decide, or that runs nothing of this build. Pure.
Result<std::vector<TestProgram>> testPrograms(std::string_view ctestJson, const std::vector<ProgramTarget> &targets,
                                              const NamedTests &named = {}, std::string_view argument = "TESTS");

/// Returns the program of END_TO_END, which ctest does not know. Error: the command runs nothing of this build. Pure.
Result<TestProgram> applicationProgram(const NamedTest &command, const Manifest &manifest);

/// Applies ctest's ENVIRONMENT_MODIFICATION entry ("PATH=path_list_prepend:/x") to "K=V" entries. Pure.
void modifyEnvironment(std::vector<std::string> &environment, std::string_view modification);

} // namespace agentic
