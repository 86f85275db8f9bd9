#include "tool/build/compiler_facts.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <filesystem>
#include <vector>

namespace agentic {
namespace {

/// CMakeFiles/<version of CMake>: CMakeSystem.cmake and one CMake<language>Compiler.cmake for each language, which
/// another version does not read.
std::vector<fs::path> factFolders(const std::string &tree) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(tree + "/CMakeFiles", error))
    if (const std::string name = entry.path().filename().string(); name[0] >= '0' && name[0] <= '9')
      folders.push_back(entry.path());
  return folders;
}

} // namespace

void copyCompilerFacts(const std::string &from, const std::string &to) {
  for (const fs::path &folder : factFolders(from)) {
    const fs::path own = fs::path(to) / "CMakeFiles" / folder.filename();
    std::error_code error;
    fs::create_directories(own, error);
    for (const auto &entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".cmake" && !fs::copy_file(entry.path(), own / entry.path().filename(), error)) {
        fs::remove_all(own, error); // half of them would be worse than none
        break;
      }
  }
}

std::vector<CacheEntry> compilerFactEntries(std::string_view cmakeCache) {
  std::vector<CacheEntry> entries = parseCMakeCache(cmakeCache);
  std::erase_if(entries, [](const CacheEntry &entry) {
    const bool isFact =
        (entry.key.starts_with("CMAKE_") && entry.key.ends_with("_COMPILER_WORKS")) ||
        isOneOf(entry.key, {"CMAKE_CACHE_MAJOR_VERSION", "CMAKE_CACHE_MINOR_VERSION", "CMAKE_CACHE_PATCH_VERSION",
                            "CMAKE_PLATFORM_INFO_INITIALIZED", "CMAKE_EXECUTABLE_FORMAT", "CMAKE_UNAME"});
    return !isFact;
  });
  return entries;
}

void forgetCompilerFacts(const std::string &tree) {
  std::error_code error;
  for (const fs::path &folder : factFolders(tree))
    fs::remove_all(folder, error);
}

} // namespace agentic
