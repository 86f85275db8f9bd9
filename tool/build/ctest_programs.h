// How ctest would run a project's test and benchmark programs: working directory, environment, arguments.
#pragma once

#include "tool/build/shadow.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// From `ctest --show-only=json-v1`. A program that several tests run (gtest_discover_tests makes one per case) takes
/// the first one's settings. Options that choose cases or outputs are dropped from its arguments: they are ours. A
/// program that ctest does not know runs in its own folder, without arguments. Pure.
Result<std::vector<TestProgram>> testPrograms(std::string_view ctestJson, const std::vector<ProgramTarget> &targets);

/// ctest's ENVIRONMENT_MODIFICATION entry ("PATH=path_list_prepend:/x") applied to "K=V" entries. Pure.
void modifyEnvironment(std::vector<std::string> &environment, std::string_view modification);

} // namespace agentic
