#include "tests/e2e/matrix_project.h"

#include "tool/base/text.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char *kCandidate = R"(std::uint32_t @FUNCTION@(const std::uint8_t *text, std::size_t size) {
  std::uint32_t hash = @START@;
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const std::uint32_t high = ((text[i] * 31u + text[i + 1]) * 31u + text[i + 2]) * 31u + text[i + 3];
    const std::uint32_t low = ((text[i + 4] * 31u + text[i + 5]) * 31u + text[i + 6]) * 31u + text[i + 7];
    hash = hash * 2487512833u + (high * 923521u + low);
  }
  for (; i < size; ++i)
    hash = hash * 31u + text[i];
  return hash;
}
)";

} // namespace

void PrintTo(const Row &row, std::ostream *out) {
  *out << row.name;
}

MatrixProject::MatrixProject(const Row &row)
    : row_(row), project_("tests/e2e/matrix", Project::Generated::Leave, row.scratchName) {
  project_.write("row.cmake", row.lists);
  configureCommand = {"cmake",
                      "-G",
                      row.generator,
                      "-S",
                      source().string(),
                      "-B",
                      build().string(),
                      "-DCMAKE_CXX_COMPILER=" + row.compiler,
                      "-DCMAKE_PREFIX_PATH=" + installPrefix()};
  if (row.configuration.empty())
    configureCommand.push_back("-DCMAKE_BUILD_TYPE=Release");
  configureCommand.insert(configureCommand.end(), row.options.begin(), row.options.end());
  if (row.prepare)
    row.prepare(*this);
}

void MatrixProject::configure() {
  const Outcome configured = runCommand(configureCommand, kPatience, row_.environment, source().string());
  ASSERT_EQ(configured.status, 0) << configured.all();
  EXPECT_THAT(configured.all(), Not(HasSubstr("Warning")));
}

std::string MatrixProject::candidate(const std::string &function, bool isWrong) const {
  const std::string file = (project_.root() / ((isWrong ? "wrong_" : "honest_") + function + ".cpp")).string();
  const std::string start = function == "saltedHash" ? "18" : "17";
  const std::string text = replaceAll(kCandidate, "@FUNCTION@", function);
  EXPECT_TRUE(writeFileAtomic(file, replaceAll(text, "@START@", isWrong ? "1" : start)));
  return file;
}

std::vector<std::string> MatrixProject::toolCommand(std::vector<std::string> arguments) const {
  if (!row_.configuration.empty())
    arguments.insert(arguments.end(), {"--config", row_.configuration});
  return project_.toolCommand(std::move(arguments));
}

Outcome MatrixProject::tool(std::vector<std::string> arguments) const {
  return runCommand(toolCommand(std::move(arguments)));
}

void MatrixProject::rejectsAWrongCandidate(const std::string &kernel, const std::string &function) {
  const auto before = snapshot(source());
  const Outcome outcome = tool({"evaluate", "--kernel", kernel, candidate(function, true)});
  EXPECT_EQ(snapshot(source()), before) << "the source tree was changed";
  ASSERT_EQ(outcome.status, 3) << outcome.all();
  EXPECT_EQ(outcome.json["stage"], "test") << outcome.all();
}

void MatrixProject::acceptsAnHonestOne(const std::string &kernel, const std::string &function) {
  const Outcome outcome = tool({"evaluate", "--kernel", kernel, candidate(function, false)});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
}

void MatrixProject::writesBack(std::vector<std::string> arguments, const std::string &kernel) {
  arguments.insert(arguments.end(), {"--kernel", kernel});
  const Outcome outcome = tool(std::move(arguments));
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  ASSERT_NE(level(kernel), "") << outcome.all();
  // An instrument that could not do its work says this; on these projects each can.
  EXPECT_THAT(outcome.all(), Not(HasSubstr("did not run"))) << outcome.all();
  EXPECT_THAT(outcome.all(), Not(HasSubstr("not tested in a tree"))) << outcome.all();
}

void MatrixProject::shipsTheVariant(const std::string &kernel) {
  std::vector<std::string> command = {"cmake", "--build", build().string()};
  if (!row_.configuration.empty())
    command.insert(command.end(), {"--config", row_.configuration});
  const Outcome built = runCommand(command);
  ASSERT_EQ(built.status, 0) << built.all();
  EXPECT_THAT(built.all(), Not(HasSubstr("Warning")));
  EXPECT_EQ(chosenByTests(kernel, {}), kernel + " " + level(kernel));
  EXPECT_EQ(chosenByTests(kernel, {{"AGENTIC_KERNEL_" + kernel, "baseline"}}), kernel + " baseline");
  const Outcome forced = runCommand(ctest({"-R", "^agentic-kernel." + kernel + "." + level(kernel) + "$", "-V"}));
  EXPECT_EQ(forced.status, 0) << forced.all();
  EXPECT_THAT(forced.out, HasSubstr("100% tests passed, 0 tests failed out of 1")) << forced.all();
  EXPECT_THAT(forced.out, Not(HasSubstr("agentic-kernel: skipped"))) << forced.all();
}

std::vector<std::string> MatrixProject::ctest(std::vector<std::string> arguments) const {
  std::vector<std::string> command = {"ctest", "--test-dir", build().string(), "--no-tests=error"};
  if (!row_.configuration.empty())
    command.insert(command.end(), {"-C", row_.configuration});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::string MatrixProject::level(const std::string &kernel) const {
  for (auto file = fs::recursive_directory_iterator(source()); file != fs::recursive_directory_iterator(); ++file) {
    const std::string name = file->path().filename().string();
    if (name.starts_with(kernel + ".x86-64-") && name.ends_with(".cpp"))
      return name.substr(kernel.size() + 1, name.find('.', kernel.size() + 1) - kernel.size() - 1);
  }
  return {};
}

std::string MatrixProject::chosenByTests(const std::string &kernel, const Environment &environment) const {
  const fs::path trace = project_.root() / "trace.txt";
  fs::remove(trace);
  Environment added = environment;
  added.emplace_back("AGENTIC_KERNEL_TRACE", trace.string());
  const Outcome outcome = runCommand(ctest({"-LE", "^agentic-kernel$"}), kPatience, added);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  std::set<std::string> choices;
  for (const std::string &line : split(readFile(trace).value_or("(no trace)"), '\n'))
    if (line.starts_with(kernel + " ") || line.starts_with("("))
      choices.insert(line);
  return join(std::vector<std::string>(choices.begin(), choices.end()), "; ");
}

} // namespace agentic::e2e
