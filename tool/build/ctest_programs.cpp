#include "tool/build/ctest_programs.h"

#include "tool/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace agentic {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Options that choose tests, repeat them or say where results go.
bool isHarnessOption(std::string_view argument) {
  for (std::string_view prefix :
       {"--gtest_filter", "--gtest_output", "--gtest_list_tests", "--gtest_repeat", "--gtest_shuffle",
        "--gtest_random_seed", "--gtest_also_run_disabled_tests", "--gtest_color", "--gtest_brief",
        "--gtest_print_time", "--gtest_fail_fast", "--gtest_total_shards", "--gtest_shard_index", "--benchmark_"})
    if (argument.starts_with(prefix))
      return true;
  return false;
}

std::vector<std::string> strings(const json &list) {
  std::vector<std::string> out;
  if (list.is_array())
    for (const json &item : list)
      if (item.is_string())
        out.push_back(item.get<std::string>());
  return out;
}

/// Position of `file` in the test's command, after a launcher if there is one; npos if the test does not run it.
std::size_t programPosition(const std::vector<std::string> &command, const std::string &file) {
  for (std::size_t i = 0; i < command.size(); ++i)
    if (isSameFile(command[i], file))
      return i;
  return std::string::npos;
}

void applyProperties(TestProgram &program, const json &properties) {
  if (!properties.is_array())
    return;
  for (const json &property : properties) {
    if (!property.is_object() || !property.contains("value"))
      continue;
    const std::string name = property.value("name", "");
    const json &value = property["value"];
    if (name == "WORKING_DIRECTORY" && value.is_string())
      program.workingDirectory = value.get<std::string>();
    else if (name == "ENVIRONMENT")
      for (const std::string &entry : strings(value))
        modifyEnvironment(
            program.environment,
            entry.substr(0, entry.find('=')) +
                "=set:" + (entry.find('=') == std::string::npos ? std::string() : entry.substr(entry.find('=') + 1)));
  }
  for (const json &property : properties) // after ENVIRONMENT, as ctest does it
    if (property.is_object() && property.value("name", "") == "ENVIRONMENT_MODIFICATION" && property.contains("value"))
      for (const std::string &entry : strings(property["value"]))
        modifyEnvironment(program.environment, entry);
}

void applyTest(TestProgram &program, const json &tests) {
  for (const json &test : tests) {
    if (!test.is_object() || !test.contains("command"))
      continue;
    const std::vector<std::string> command = strings(test["command"]);
    const std::size_t position = programPosition(command, program.file);
    if (position == std::string::npos)
      continue;
    for (std::size_t i = position + 1; i < command.size(); ++i)
      if (!isHarnessOption(command[i]))
        program.arguments.push_back(command[i]);
    applyProperties(program, test.value("properties", json::array()));
    return;
  }
}

/// Returns why the exit status does not decide: the properties by which ctest turns the verdict round or reads it from
/// the output.
std::string otherVerdict(const json &properties) {
  for (const json &property : properties) {
    const std::string name = property.value("name", "");
    const json &value = property.at("value");
    for (const char *decides : {"PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION"})
      if (name == decides)
        return "its output decides about it (" + name + ")";
    if (name == "WILL_FAIL" && value == json(true))
      return "it is expected to fail (WILL_FAIL)";
    if (name == "DISABLED" && value == json(true))
      return "it is disabled (DISABLED)";
  }
  return {};
}

std::unexpected<Error> unusable(std::string_view argument, const std::string &name, const std::string &why,
                                const std::string &next) {
  return userError(std::string(argument) + " names the test '" + name + "', but " + why, next);
}

/// Whether ctest starts a program of the build itself; else it starts something that starts it.
bool startsProgram(const NamedTest &test, const std::string &started) {
  return std::ranges::any_of(test.files, [&](const std::string &file) { return isSameFile(started, file); });
}

/// The program of a command that names `named.files`.
TestProgram programOf(const NamedTest &named, const std::vector<std::string> &command) {
  TestProgram program;
  program.file = named.files.front();
  program.workingDirectory = named.directory;
  if (startsProgram(named, command.front())) {
    program.file = command.front();
    program.arguments.assign(command.begin() + 1, command.end());
  } else {
    program.command = command;
  }
  return program;
}

Result<TestProgram> namedProgram(const json &tests, const NamedTest &named, std::string_view argument) {
  const auto found =
      std::find_if(tests.begin(), tests.end(), [&](const json &test) { return test.value("name", "") == named.name; });
  const std::vector<std::string> command =
      found == tests.end() ? std::vector<std::string>() : strings(found->value("command", json::array()));
  if (command.empty())
    return unusable(argument, named.name, "ctest finds no program that it could start for it",
                    "see what 'ctest -R " + named.name + "' says, after a build");
  const json properties = found->value("properties", json::array());
  if (const std::string why = otherVerdict(properties); !why.empty())
    return unusable(argument, named.name, why + ", and a candidate is judged by the exit status",
                    "name a test that exits with 0 exactly if the kernel is right");
  if (named.files.empty())
    return unusable(argument, named.name, "its command names no program that this build makes: " + join(command, " "),
                    "write the program as $<TARGET_FILE:…> in its COMMAND, or name the program's target in " +
                        std::string(argument));
  TestProgram program = programOf(named, command);
  program.target = named.name;
  applyProperties(program, properties);
  return program;
}

} // namespace

void modifyEnvironment(std::vector<std::string> &environment, std::string_view modification) {
  const std::size_t equals = modification.find('=');
  const std::size_t colon = modification.find(':', equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || colon == std::string_view::npos)
    return;
  const std::string key(modification.substr(0, equals));
  const std::string_view operation = modification.substr(equals + 1, colon - equals - 1);
  const std::string value(modification.substr(colon + 1));
  const auto entry = std::find_if(environment.begin(), environment.end(),
                                  [&](const std::string &e) { return e.starts_with(key + "="); });
  const std::string old = entry == environment.end() ? std::string() : entry->substr(key.size() + 1);
  if (entry != environment.end())
    environment.erase(entry);
  const std::string separator = operation.starts_with("path_list_")    ? ":"
                                : operation.starts_with("cmake_list_") ? ";"
                                                                       : "";
  const std::string between = old.empty() ? std::string() : separator;
  if (operation == "set")
    environment.push_back(key + "=" + value);
  else if (operation.ends_with("_append"))
    environment.push_back(key + "=" + old + between + value);
  else if (operation.ends_with("_prepend"))
    environment.push_back(key + "=" + value + between + old);
}

Result<std::vector<TestProgram>> testPrograms(std::string_view ctestJson, const std::vector<ProgramTarget> &targets,
                                              const NamedTests &named, std::string_view argument) {
  const json document = json::parse(ctestJson, nullptr, false);
  if (!document.is_object())
    return userError("ctest did not print the list of tests as JSON", "check that 'ctest' is CMake 3.22 or newer");
  std::vector<TestProgram> out;
  try {
    const json tests = document.value("tests", json::array());
    for (const ProgramTarget &target : targets) {
      TestProgram program;
      if (const auto test = std::ranges::find(named, target.target, &NamedTest::name);
          target.file.empty() && test != named.end()) {
        program = TRY(namedProgram(tests, *test, argument));
        out.push_back(std::move(program));
        continue;
      }
      program.target = target.target;
      program.file = target.file;
      applyTest(program, tests);
      if (program.workingDirectory.empty())
        program.workingDirectory = fs::path(target.file).parent_path().string();
      out.push_back(std::move(program));
    }
  } catch (const json::exception &error) {
    return userError(std::string("ctest's list of tests has an unexpected form: ") + error.what(),
                     "check that 'ctest' belongs to the CMake that configured the project");
  }
  return out;
}

Result<TestProgram> applicationProgram(const NamedTest &command, const Manifest &manifest) {
  if (command.files.empty())
    return userError("END_TO_END of kernel '" + manifest.kernel + "' names no program that this build makes: " +
                         join(command.command, " ") + "; a variant can be in no other",
                     "name an executable target as its first word, or write the program as $<TARGET_FILE:…> behind "
                     "what starts it");
  TestProgram program = programOf(command, command.command);
  program.target = fs::path(program.file).filename().string();
  program.isApplication = true;
  if (manifest.endToEndMetric.size() == 2)
    program.metric = {
        .pattern = manifest.endToEndMetric[0], .unit = manifest.endToEndMetric[1], .option = "METRIC of END_TO_END"};
  return program;
}

} // namespace agentic
