// Puts each row of faults.json into a copy of its file: the named test must fail.
#include "tests/faults/fault_table.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <regex>

namespace agentic {
namespace {

/// Runs a command line of ours in a shell: compile and link commands as the build system prints them.
ProcessResult shell(const std::string &command, double seconds = 300) {
  const auto result = runProcess({.argv = {"/bin/sh", "-c", command},
                                  .workingDirectory = FAULTS_BUILD,
                                  .timeoutSeconds = seconds,
                                  .mergeOutput = true});
  return result ? *result : ProcessResult{.end = ProcessResult::End::TimedOut};
}

nlohmann::json compileCommands() {
  return nlohmann::json::parse(contentOf(fs::path(FAULTS_BUILD) / "compile_commands.json"));
}

/// Returns the file that the build compiles for `file`: itself, or a text that includes several files
/// (CMAKE_UNITY_BUILD); "" if none.
std::string unitOf(const std::string &file) {
  for (const nlohmann::json &entry : compileCommands()) {
    const std::string unit = entry.at("file").get<std::string>();
    if (unit == file ||
        (unit.find("/Unity/") != std::string::npos && contentOf(unit).find('"' + file + '"') != std::string::npos))
      return unit;
  }
  return {};
}

/// Returns the command that compiles `source` in place of `unit`; the text with the fault comes from `file`.
std::string compileCommand(const std::string &unit, const std::string &file, const std::string &source,
                           const std::string &object) {
  for (const nlohmann::json &entry : compileCommands()) {
    if (entry.at("file") != unit)
      continue;
    // A precompiled header belongs to the flags it was made with; these are not -O0's.
    static const std::regex precompiled("-Xclang -include(-pch)? -Xclang (\"[^\"]*\"|[^ ]+) ");
    std::string command = std::regex_replace(entry.at("command").get<std::string>(), precompiled, "");
    const std::size_t output = command.find(" -o "), input = command.find(" -c ");
    // -iquote, because the copy is in another folder than the files that it includes by their short names.
    return command.substr(0, output) + " -g0 -O0 -w -iquote " + fs::path(file).parent_path().string() + " -o " +
           object + " -c " + source + (input == std::string::npos ? " #" : "");
  }
  return {};
}

/// Returns the link command of a test with `object` in front of all libraries and another output.
std::string linkCommand(const std::string &test, const std::string &object, const std::string &output) {
  const ProcessResult commands = shell(std::string(FAULTS_NINJA) + " -t commands bin/" + test);
  const std::vector<std::string> lines = split(trim(commands.out), '\n');
  std::string command = lines.empty() ? std::string() : lines.back();
  const std::string before = " -o bin/" + test + " ";
  const std::size_t at = command.find(before);
  return at == std::string::npos ? std::string()
                                 : command.replace(at, before.size(), " " + object + " -o " + output + " ");
}

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, TurnsANamedTestRed) {
  if (std::string_view(FAULTS_GENERATOR) != "Ninja")
    GTEST_SKIP() << "link commands are asked of Ninja; this build tree is made for " << FAULTS_GENERATOR;
  const Fault &fault = GetParam();
  const std::string file = std::string(FAULTS_ROOT) + "/" + fault.file;
  std::string text = contentOf(file);
  const std::size_t at = text.find(fault.from);
  ASSERT_NE(at, std::string::npos) << file << " no longer holds: " << fault.from;
  ASSERT_EQ(text.find(fault.from, at + 1), std::string::npos) << file << " holds more than once: " << fault.from;
  text.replace(at, fault.from.size(), fault.to);

  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-fault-");
  ASSERT_TRUE(scratch);
  std::string source = scratch->path() / fs::path(file).filename(), object = scratch->path() / "fault.o";
  const std::string program = scratch->path() / fault.test;
  ASSERT_TRUE(writeFileAtomic(source, text));
  const std::string unit = unitOf(file);
  ASSERT_NE(unit, "") << file << " is not in compile_commands.json";
  if (unit != file) {
    const std::string whole = replaceAll(contentOf(unit), '"' + file + '"', '"' + source + '"');
    source = scratch->path() / "unit.cpp";
    ASSERT_TRUE(writeFileAtomic(source, whole));
  }
  const std::string compile = compileCommand(unit, file, source, object);
  const ProcessResult compiled = shell(compile);
  ASSERT_TRUE(compiled.ok()) << "the fault does not compile:\n" << compiled.out;
  const std::string link = linkCommand(fault.test, object, program);
  ASSERT_NE(link, "") << fault.test << " is not a test of this build";
  const ProcessResult linked = shell(link);
  ASSERT_TRUE(linked.ok()) << linked.out;

  const std::string arguments = " --gtest_brief=1 '--gtest_filter=" + fault.filter + "'";
  const ProcessResult right = shell("bin/" + fault.test + arguments);
  ASSERT_TRUE(right.ok()) << "the named tests fail without the fault:\n" << right.out;
  ASSERT_EQ(right.out.find("[==========] 0 tests"), std::string::npos) << "no test matches " << fault.filter;
  const ProcessResult faulty = shell(program + arguments);
  EXPECT_FALSE(faulty.ok()) << "nobody noticed: " << fault.from << " -> " << fault.to;
  std::cout << fault.name << ": " << (faulty.ok() ? "not noticed by " : "noticed by ") << fault.filter << "\n";
}

INSTANTIATE_TEST_SUITE_P(Rows, Faults, testing::ValuesIn(faults()), [](const auto &info) { return info.param.name; });

} // namespace
} // namespace agentic
