#include "tests/lint/rules.h"

#include "tests/lint/source_text.h"
#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace agentic::lint {
namespace {

constexpr unsigned kMaxLines = 400;

/// A folder and how high it lies. It includes only what lies lower, and itself.
struct Level {
  std::string_view folder;
  int rank;
};
constexpr Level kModules[] = {
    {"tool/base/", 0},     {"tool/model/", 1},  {"tool/runner/", 1},   {"tool/secrets/", 1},  {"ast-checks/", 2},
    {"tool/llm/", 2},      {"tool/source/", 2}, {"tool/build/", 2},    {"tool/evaluate/", 3}, {"tool/agent/", 4},
    {"tool/search/", 4},   {"tool/report/", 4}, {"tool/variants/", 4}, {"tool/doctor/", 4},   {"tool/hot/", 4},
    {"tool/red_team/", 4}, {"tool/run/", 5},    {"tool/mcp/", 6},      {"tool/cli/", 7},      {"tool/knowledge/", 2},
    {"tool/store/", 1},    {"tool/farm/", 1},   {"tool/worker/", 4},   {"tool/memory/", 2},
};
/// The same within the modules that have folders.
constexpr Level kRooms[] = {
    {"tool/source/loops/", 0},         {"tool/source/parse/", 0},         {"tool/source/symbols/", 0},
    {"tool/source/dependence/", 1},    {"tool/source/candidate/", 1},     {"tool/source/extract/", 1},
    {"tool/source/nest/", 1},          {"tool/source/emit/", 2},          {"tool/source/schedule/", 2},
    {"tool/source/coverage/", 2},      {"tool/source/mutants/", 2},       {"tool/source/features/", 2},
    {"tool/source/moves/", 3},         {"tool/source/transform/", 4},     {"tool/evaluate/programs/", 0},
    {"tool/evaluate/benchmark/", 1},   {"tool/evaluate/candidate/", 1},   {"tool/evaluate/differential/", 2},
    {"tool/evaluate/remote/", 2},      {"tool/evaluate/calibration/", 2}, {"tool/evaluate/insight/", 2},
    {"tool/evaluate/instruments/", 3}, {"tool/evaluate/baseline/", 4},    {"tool/evaluate/adequacy/", 5},
    {"tool/evaluate/pipeline/", 6},
};

const Level *levelOf(std::span<const Level> levels, std::string_view path) {
  const auto found = std::ranges::find_if(levels, [&](const Level &level) { return path.starts_with(level.folder); });
  return found == levels.end() ? nullptr : &*found;
}

/// The folder of `path` if it may not include `included`; else nullptr.
const Level *tooLow(std::string_view path, std::string_view included) {
  const bool isSameModule = levelOf(kModules, path) == levelOf(kModules, included);
  const std::span<const Level> levels =
      isSameModule ? std::span<const Level>(kRooms) : std::span<const Level>(kModules);
  const Level *own = levelOf(levels, path), *other = levelOf(levels, included);
  return own && other && own != other && other->rank >= own->rank ? own : nullptr;
}

/// Names that only some places of tool/ and ast-checks/ may use.
struct Reserved {
  std::initializer_list<std::string_view> names;
  bool onlyCalls;
  std::initializer_list<std::string_view> places;
  std::string_view advice;
};
constexpr std::string_view kProcess = "tool/base/process.cpp";
constexpr std::string_view kForkedSide = "tool/runner/recorder_side.cpp"; // of the program that it is loaded into
const Reserved kReserved[] = {
    {{"fork", "vfork", "clone", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve",
      "posix_spawn", "posix_spawnp", "popen", "system"},
     true,
     {kProcess, kForkedSide},
     "start child processes with runProcess (tool/base/process.h)"},
    {{"cout", "cerr", "clog", "stdout", "stderr"},
     false,
     {"tool/cli/", "tool/runner/"},
     "return values; only tool/cli prints"},
    {{"printf", "fprintf", "vprintf", "vfprintf", "puts", "putchar", "perror", "outs", "errs"},
     true,
     {"tool/cli/", "tool/runner/"},
     "return values; only tool/cli prints"},
    {{"getenv", "secure_getenv", "setenv", "putenv", "unsetenv"},
     true,
     {"tool/cli/", "tool/runner/"},
     "take it as a parameter; only tool/cli reads the environment"},
    {{"environ"},
     false,
     {"tool/cli/", kProcess, "tool/base/process_result.cpp"},
     "take it as a parameter; only tool/cli reads the environment"},
    {{"exit", "_Exit", "quick_exit", "abort", "terminate"},
     true,
     {"tool/cli/", "tool/runner/"},
     "return an Error; only tool/cli exits"},
    {{"_exit"}, true, {"tool/cli/", "tool/runner/", kProcess}, "return an Error; only tool/cli exits"},
};

class FileLint {
public:
  FileLint(std::string_view path, std::string_view text) : path_(path), source_(readSource(text)) {}

  std::vector<std::string> run() {
    if (source_.lines > kMaxLines)
      report(source_.lines, "the file has more than " + std::to_string(kMaxLines) + " lines; split it by idea");
    // What users include may be meant to be read again, and is not ours to guard.
    if (path_.ends_with(".h") && !path_.starts_with("cmake-module/") && !source_.hasPragmaOnce)
      report(1, "a header without #pragma once");
    for (const unsigned line : source_.bareAssertions)
      report(line, "an assertion alone under an 'if': it holds an 'else' of its own, for which g++ wants braces");
    for (const unsigned line : source_.droppedOwners)
      report(line,
             "what TRY yields is dropped at the end of the statement, and with it the lock or the folder: name it");
    if (const Level *module = levelOf(kModules, path_)) {
      for (const Include &include : source_.includes)
        checkInclude(include, *module);
      for (const Reserved &reserved : kReserved)
        checkReserved(reserved);
    }
    return std::move(findings_);
  }

private:
  void report(unsigned line, const std::string &message) {
    findings_.push_back(path_ + ":" + std::to_string(line) + ": " + message);
  }

  void checkInclude(const Include &include, const Level &module) {
    const bool isOurs = levelOf(kModules, include.path) != nullptr;
    if (const Level *own = tooLow(path_, include.path))
      report(include.line, "\"" + include.path + "\" stands right of " + std::string(own->folder) +
                               " in the dependency order; move what both need to the left");
    if (startsWithAny(include.path, {"clang/", "llvm/", "clang-c/"})) {
      if (module.folder != "ast-checks/" && module.folder != "tool/source/")
        report(include.line, "Clang headers only in ast-checks and tool/source; use their plain structs");
    } else if (include.isQuoted && !isOurs) {
      report(include.line, "\"" + include.path + "\" is not a path from the repository's root into a module");
    }
    if (startsWithAny(include.path, {"curl/"}) && module.folder != "tool/llm/")
      report(include.line, "the network only in tool/llm");
    if (include.path == "microhttpd.h" && path_ != "tool/cli/report_server.cpp") // loopback only
      report(include.line, "a server only in tool/cli/report_server.cpp");
  }

  void checkReserved(const Reserved &reserved) {
    if (startsWithAny(path_, reserved.places))
      return;
    for (const Identifier &identifier : source_.identifiers)
      if (!identifier.isForeign && (identifier.isCalled || !reserved.onlyCalls) &&
          std::ranges::find(reserved.names, identifier.text) != reserved.names.end())
        report(identifier.line, "'" + identifier.text + "' is not for this folder: " + std::string(reserved.advice));
  }

  std::string path_;
  SourceText source_;
  std::vector<std::string> findings_;
};

bool isSource(const fs::path &path) {
  constexpr std::array<std::string_view, 4> kExtensions{".h", ".cpp", ".inc", ".cmake"};
  return std::ranges::find(kExtensions, path.extension().string()) != kExtensions.end();
}

/// Below the folders of ours, relative to `root`, sorted.
std::vector<std::string> filesBelow(const fs::path &root, bool (*isWanted)(const fs::path &path)) {
  std::vector<std::string> files;
  for (const char *folder : {"tool", "ast-checks", "cmake-module", "kernels", "tests", "examples"}) {
    std::error_code absent;
    for (auto entry = fs::recursive_directory_iterator(root / folder, absent);
         entry != fs::recursive_directory_iterator(); ++entry) {
      const std::string name = entry->path().filename().string();
      if (entry->is_directory() && (name == "generated" || name.starts_with("build")) &&
          entry->path() != root / "tool/build" && entry->path() != root / "tests/build")
        entry.disable_recursion_pending();
      else if (entry->is_regular_file() && isWanted(entry->path()))
        files.push_back(entry->path().lexically_relative(root).generic_string());
    }
  }
  std::ranges::sort(files);
  return files;
}

} // namespace

std::vector<std::string> lintFile(std::string_view path, std::string_view text) {
  return FileLint(path, text).run();
}

std::vector<std::string> filesOfOurs(const fs::path &root) {
  return filesBelow(root, isSource);
}

std::vector<std::string> documentsOfOurs(const fs::path &root) {
  const auto isDocument = [](const fs::path &path) { return path.extension() == ".md"; };
  std::vector<std::string> files = filesBelow(root, isDocument);
  for (const auto &entry : fs::directory_iterator(root))
    if (isDocument(entry.path()))
      files.push_back(entry.path().filename().string());
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> lintTree(const fs::path &root) {
  std::vector<std::string> findings;
  for (const std::string &file : filesOfOurs(root)) {
    const auto text = readFile(root / file);
    if (!text)
      findings.push_back(file + ":0: " + text.error().message);
    else
      std::ranges::move(lintFile(file, *text), std::back_inserter(findings));
  }
  return findings;
}

} // namespace agentic::lint
