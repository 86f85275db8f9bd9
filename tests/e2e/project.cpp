#include "tests/e2e/project.h"

#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

namespace agentic::e2e {
namespace {

template <class T> T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

void must(Result<void> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
}

nlohmann::json lastLineAsJson(const std::string &out) {
  const std::string text(trim(out));
  const std::size_t begin = text.rfind('\n');
  return nlohmann::json::parse(begin == std::string::npos ? text : text.substr(begin + 1), nullptr, false);
}

bool isRun(const std::vector<std::string> &arguments) {
  return !arguments.empty() &&
         (arguments[0] == "optimize" || arguments[0] == "suite" || arguments[0] == "compare") &&
         std::ranges::find(arguments, "--max-seconds") == arguments.end();
}

bool isLeftBehind(const fs::path &relative, Project::Generated generated) {
  for (const fs::path &part : relative)
    if ((part == "generated" && generated == Project::Generated::Leave) || part.string().starts_with("build"))
      return true;
  return false;
}

} // namespace

std::string toolPath() {
  return AGENTIC_E2E_TOOL;
}
std::string installPrefix() {
  return AGENTIC_E2E_PREFIX;
}
std::string sourceRoot() {
  return AGENTIC_E2E_ROOT;
}
std::string compilerPath() {
  return AGENTIC_E2E_COMPILER;
}

std::vector<std::string> Outcome::errors() const {
  std::vector<std::string> result;
  for (const std::string &line : split(err, '\n'))
    if (line.starts_with("error: "))
      result.push_back(line);
  return result;
}

Outcome runCommand(std::vector<std::string> argv, double timeoutSeconds, const Environment &environment,
                   const std::string &workingDirectory) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.timeoutSeconds = timeoutSeconds;
  spec.addedEnvironment = environment;
  spec.workingDirectory = workingDirectory;
  const ProcessResult result = must(runProcess(spec));
  Outcome outcome{.status = result.end == ProcessResult::End::Exited ? result.code : 128 + result.code,
                  .out = result.out,
                  .err = result.err,
                  .seconds = result.wallSeconds,
                  .json = lastLineAsJson(result.out)};
  if (result.end == ProcessResult::End::TimedOut)
    outcome.err += "\n(the test killed it after " + std::to_string(timeoutSeconds) + " s)\n";
  if (outcome.json.is_discarded())
    outcome.json = nullptr;
  return outcome;
}

std::map<std::string, std::string> snapshot(const fs::path &root, const std::string &excluded) {
  std::map<std::string, std::string> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string relative = entry->path().lexically_relative(root).string();
    if (relative == excluded)
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      files[relative] = sha256(must(readFile(entry->path())));
    else if (entry->is_directory())
      files[relative + "/"] = "";
  }
  return files;
}

Project::Project(const std::string &folder, Generated generated, const std::string &scratchName)
    : scratch_(must(ScratchDirectory::create(fs::temp_directory_path(), scratchName))) {
  const fs::path from = fs::path(sourceRoot()) / folder;
  for (const auto &entry : fs::recursive_directory_iterator(from)) {
    const fs::path relative = entry.path().lexically_relative(from);
    if (!entry.is_regular_file() || isLeftBehind(relative, generated))
      continue;
    fs::create_directories((source() / relative).parent_path());
    fs::copy_file(entry.path(), source() / relative);
  }
}

Outcome Project::configure(const std::vector<std::string> &options) const {
  return configureIn(build(), options);
}

Outcome Project::configureIn(const fs::path &buildDir, const std::vector<std::string> &options,
                             const Environment &environment) const {
  std::vector<std::string> argv = {"cmake",
                                   "-G",
                                   "Ninja",
                                   "-S",
                                   source().string(),
                                   "-B",
                                   buildDir.string(),
                                   "-DCMAKE_CXX_COMPILER=" + compilerPath(),
                                   "-DCMAKE_PREFIX_PATH=" + installPrefix()};
  if (!shortens)
    argv.emplace_back("-DAGENTIC_KERNEL_SHORTEN=OFF");
  argv.insert(argv.end(), options.begin(), options.end());
  return runCommand(argv, kPatience, environment);
}

std::vector<std::string> Project::toolCommand(std::vector<std::string> arguments) const {
  if (isRun(arguments))
    arguments.insert(arguments.end(), {"--max-seconds", "0"});
  // Winners of other runs must not lead these runs, nor these lead a user's.
  const std::vector<std::string> start = {"/usr/bin/env", "XDG_CACHE_HOME=" + (root() / "cache").string(), toolPath()};
  arguments.insert(arguments.begin(), start.begin(), start.end());
  for (const std::string &more : {std::string("--build-dir"), build().string(), std::string("--json")})
    arguments.push_back(more);
  return arguments;
}

Outcome Project::tool(std::vector<std::string> arguments, double timeoutSeconds) const {
  return runCommand(toolCommand(std::move(arguments)), timeoutSeconds);
}

std::string Project::read(const std::string &file) const {
  return must(readFile(source() / file));
}

void Project::write(const std::string &file, const std::string &text) const {
  must(writeFileAtomic(source() / file, text));
}

void Project::replace(const std::string &file, const std::string &from, const std::string &to) const {
  const std::string text = read(file);
  if (text.find(from) == std::string::npos)
    throw std::runtime_error(file + " does not hold '" + from + "'");
  write(file, replaceAll(text, from, to));
}

void expectOneError(const Outcome &outcome, int status, const std::vector<std::string> &words) {
  EXPECT_EQ(outcome.status, status) << outcome.all();
  EXPECT_EQ(outcome.errors().size(), 1u) << outcome.all();
  EXPECT_NE(outcome.err.find("\n  next: "), std::string::npos) << "no next step\n" << outcome.err;
  ASSERT_TRUE(outcome.json.is_object() && outcome.json.contains("error")) << "no error in the JSON\n" << outcome.out;
  const std::string message = outcome.json["error"].value("message", ""),
                    next = outcome.json["error"].value("next", "");
  EXPECT_NE(message, "");
  for (const std::string &word : words)
    EXPECT_NE((message + "\n" + next).find(word), std::string::npos) << "'" << word << "' is not named in\n"
                                                                     << message << "\n  next: " << next;
}

} // namespace agentic::e2e
