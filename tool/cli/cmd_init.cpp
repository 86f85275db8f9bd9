// agentic-kernel init: copies AgenticKernel.cmake, its siblings and <agentic_kernel.h> into the user's project, so that
// a build of it needs neither the tool nor the package.
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <optional>
#include <stdio.h>

namespace agentic {
namespace {

/// First line "agentic-kernel <version>", then sha256sum's output for every file, with LF line ends.
constexpr const char *kStamp = "agentic-kernel.version";

using Texts = std::map<std::string, std::string>; // path below the folder → text

struct Vendored {
  std::string version;                       ///< empty: the folder is not there, or has no stamp
  std::map<std::string, std::string> hashes; ///< hashes in the stamp
  Texts files;                               ///< present files
};

/// Reads every file below `folder`.
Result<Texts> filesIn(const fs::path &folder) {
  Texts texts;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->is_directory() && !entry->is_symlink())
      continue;
    auto text = TRY(readFile(entry->path()));
    texts[entry->path().lexically_relative(folder).string()] = normalizeLineEnds(text);
  }
  if (error)
    return userError("folder '" + folder.string() + "' cannot be read: " + error.message(), "see its permissions");
  return texts;
}

/// Reads the files of this tool's own package; it is found from the tool's place, so that a prefix may be moved.
Result<Texts> ownFiles() {
  const fs::path package = fs::path(programPath()).parent_path().parent_path() / AGENTIC_PACKAGE_DIR;
  Texts own;
  std::error_code ignored;
  if (fs::is_directory(package, ignored)) {
    auto all = TRY(filesIn(package));
    for (auto &[name, text] : all)
      if ((name.starts_with("AgenticKernel") && name.ends_with(".cmake") && !name.starts_with("AgenticKernelConfig")) ||
          name == "include/agentic_kernel.h")
        own[name] = std::move(text);
  }
  if (!own.contains("AgenticKernel.cmake") || !own.contains("include/agentic_kernel.h"))
    return userError("the CMake module that belongs to this tool is not in '" + package.string() + "'",
                     "install the tool with its module: cmake --install <its build tree> --prefix <prefix>");
  return own;
}

std::string stampOf(const Texts &files) {
  std::string stamp = std::string("agentic-kernel ") + kVersion + "\n";
  for (const auto &[name, text] : files)
    stamp += sha256(text) + "  " + name + "\n";
  return stamp;
}

Result<Vendored> readVendored(const fs::path &folder) {
  Vendored vendored;
  std::error_code ignored;
  if (!fs::exists(folder, ignored))
    return vendored;
  if (!fs::is_directory(folder, ignored))
    return userError("'" + folder.string() + "' is no folder", "give another one with --dir");
  auto files = TRY(filesIn(folder));
  vendored.files = std::move(files);
  const auto stamp = vendored.files.find(kStamp);
  if (stamp == vendored.files.end())
    return vendored;
  for (const std::string &line : split(stamp->second, '\n'))
    if (line.starts_with("agentic-kernel "))
      vendored.version = line.substr(15);
    else if (line.size() > 66)
      vendored.hashes[line.substr(66)] = line.substr(0, 64);
  vendored.files.erase(stamp);
  return vendored;
}

/// Returns whether version `a` is newer than `b`, number by number.
bool isNewer(const std::string &a, const std::string &b) {
  const auto numbers = [](const std::string &version) {
    std::vector<long> parts;
    for (const std::string &part : split(version, '.'))
      parts.push_back(std::strtol(part.c_str(), nullptr, 10));
    return parts;
  };
  return numbers(a) > numbers(b);
}

class InitCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--dir", dir_, "folder of the copy, in the project")->capture_default_str();
    app.add_flag("--force", force_, "replace files that were edited, and a newer version");
    app.add_flag("--json", json_, "print the result as one line of JSON, the last on stdout");
  }

  int run(Console &console) override {
    auto state = vendor();
    nlohmann::json result = {{"dir", dir_}, {"version", kVersion}, {"state", nullptr}};
    if (!state)
      return console.fail(state.error(), json_, result);
    result["state"] = *state;
    if (json_) {
      console.json(result);
      return 0;
    }
    console.out(fmt::format("{}: {} (agentic-kernel {})", dir_, *state, kVersion));
    console.out(fmt::format("\nCheck the folder in. In CMakeLists.txt, before the first add_agentic_kernel():\n\n"
                            "  include({}/AgenticKernel.cmake)",
                            fs::path(dir_).is_absolute() ? dir_ : "${CMAKE_CURRENT_SOURCE_DIR}/" + dir_));
    return 0;
  }

private:
  Result<std::string> vendor() {
    while (dir_.size() > 1 && dir_.ends_with('/'))
      dir_.pop_back();
    std::error_code ignored;
    if (!fs::path(dir_).is_absolute() && !fs::exists("CMakeLists.txt", ignored))
      return userError("this folder has no CMakeLists.txt", "run it in your project's top folder, or give --dir a path "
                                                            "that begins with '/'");
    auto own = TRY(ownFiles());
    auto there = TRY(readVendored(dir_));
    if (!there.version.empty() && there.files == own && there.version == kVersion)
      return std::string("up to date");
    TRY(mayReplace(there, own));
    TRY(replace(own, !there.files.empty() || !there.version.empty()));
    return there.version.empty()       ? std::string("written")
           : there.version == kVersion ? std::string("written again")
                                       : "updated from " + there.version;
  }

  /// Protects everything that somebody else wrote.
  Result<void> mayReplace(const Vendored &there, const Texts &own) const {
    std::vector<std::string> edited;
    for (const auto &[name, text] : there.files) {
      const auto stamped = there.hashes.find(name);
      const auto ours = own.find(name);
      if (stamped == there.hashes.end() && ours == own.end())
        return userError("'" + dir_ + "/" + name + "' is not from agentic-kernel init, which replaces the whole folder",
                         "move it elsewhere, or give another folder with --dir");
      if ((stamped == there.hashes.end() || sha256(text) != stamped->second) &&
          (ours == own.end() || text != ours->second))
        edited.push_back(dir_ + "/" + name);
    }
    if (!edited.empty() && !force_)
      return userError("edited since they were written: " + join(edited, ", "),
                       "take your changes elsewhere and run it again with --force to replace them");
    if (isNewer(there.version, kVersion) && !force_)
      return userError("'" + dir_ + "' is of agentic-kernel " + there.version + ", newer than this tool (" + kVersion +
                           ")",
                       "update the tool, or replace the folder with --force");
    return {};
  }

  /// Replaces the old folder by a complete one in one step.
  Result<void> replace(const Texts &own, bool isThere) const {
    const fs::path folder = fs::absolute(dir_);
    auto scratch = TRY(ScratchDirectory::create(folder.parent_path(), ".agentic-kernel-init-"));
    const fs::path next = scratch.path() / "next";
    for (const auto &[name, text] : own)
      TRY(writeFileAtomic(next / name, text));
    TRY(writeFileAtomic(next / kStamp, stampOf(own)));
    const fs::path old = scratch.path() / "old";
    const bool exchanged =
        isThere && ::renameat2(AT_FDCWD, next.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0;
    if (exchanged)
      return {};
    std::error_code error, ignored; // a file system without RENAME_EXCHANGE: the old folder out, the new one in
    if (fs::exists(folder, ignored))
      fs::rename(folder, old, error);
    if (!error)
      fs::rename(next, folder, error);
    if (!error)
      return {};
    if (fs::exists(old, ignored))
      fs::rename(old, folder, ignored);
    return userError("'" + dir_ + "' cannot be replaced: " + error.message(),
                     "see the permissions of its parent folder");
  }

  std::string dir_ = "cmake/agentic-kernel";
  bool force_ = false, json_ = false;
};

} // namespace

extern const CommandRow kInitCommand = {
    .name = "init",
    .summary = "put a copy of the CMake module into a project",
    .example = "--dir third_party/agentic-kernel",
    .make = makeCommand<InitCommand>,
};

} // namespace agentic
