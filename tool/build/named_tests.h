// Tests that a project registered with add_test() and that TESTS names: which programs of the build they run.
//
// ctest lists the command of a test only once its program is built, and which program that is, is known from its
// command alone. So the commands are read from what CMake generated, by CMake itself.
#pragma once

#include "tool/base/error.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// A test as CMake wrote it down.
struct NamedTest {
  std::string name;
  std::vector<std::string> command;
  std::string directory;          ///< in which it runs
  std::vector<std::string> files; ///< that its command names and the build makes, absolute
};
using NamedTests = std::vector<NamedTest>;

/// The name that the command of END_TO_END has among them; no test of ctest can have it.
inline constexpr std::string_view kApplication = "";

/// Returns a CMake script for `cmake -DTREE=<build tree> -DNAMES=<names> -DOUTPUT=<file> -P`: it writes an object of
/// JSON a line.
std::string namedTestsScript();

/// Reads what the script wrote. Pure.
Result<NamedTests> parseNamedTests(std::string_view lines);

/// Returns the files in `ninja -t targets all`, absolute. Pure.
std::set<std::string> builtFiles(std::string_view targets, const std::string &tree);

/// Returns the files of `built` that the command names: as a word, relative to the test's folder, or within a word
/// ("--program=<file>"). Pure.
std::vector<std::string> filesOf(const NamedTest &test, const std::set<std::string> &built);

} // namespace agentic
