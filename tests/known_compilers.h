// Detecting a compiler takes CMake a second: a test program has each one detected once and copies the results into its
// other build trees.
#pragma once

#include "tool/base/files.h"
#include "tool/build/compiler_facts.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace agentic::test {

class KnownCompilers {
public:
  /// Call it before `command`, a cmake command line without a toolchain file, configures `build`.
  void seed(std::vector<std::string> &command, const std::string &build) const {
    const auto known = trees_.find(settings(command));
    if (known == trees_.end() || std::filesystem::exists(build + "/CMakeCache.txt"))
      return;
    copyCompilerFacts(known->second.folder.path().string(), build);
    command.insert(command.end(), known->second.arguments.begin(), known->second.arguments.end());
  }
  /// Call it once that has succeeded.
  void learn(const std::vector<std::string> &command, const std::string &build) {
    const std::string key = settings(command);
    if (trees_.contains(key))
      return;
    auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-compilers-");
    if (!folder)
      return;
    copyCompilerFacts(build, folder->path().string());
    Known known{std::move(*folder), {}};
    for (const CacheEntry &entry : compilerFactEntries(readFile(build + "/CMakeCache.txt").value_or("")))
      known.arguments.push_back("-D" + entry.key + ":INTERNAL=" + entry.value);
    trees_.emplace(key, std::move(known));
  }

private:
  struct Known {
    ScratchDirectory folder;
    std::vector<std::string> arguments;
  };

  /// The arguments on which the results may depend.
  static std::string settings(const std::vector<std::string> &command) {
    std::string key;
    for (std::size_t i = 0; i < command.size(); ++i)
      if ((command[i].starts_with("-DCMAKE_") && !command[i].contains(":INTERNAL=")) ||
          (i > 0 && command[i - 1] == "-G"))
        key += command[i] + "\n";
    return key;
  }

  std::map<std::string, Known> trees_;
};

inline KnownCompilers &knownCompilers() {
  static KnownCompilers known;
  return known;
}

} // namespace agentic::test
