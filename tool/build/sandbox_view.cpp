#include "tool/build/sandbox_view.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace agentic {

namespace fs = std::filesystem;

namespace {

constexpr const char *kToolFolder = "_agentic";

} // namespace

std::vector<std::string> systemPaths() {
  std::vector<std::string> out;
  std::error_code error;
  for (const char *path : {"/usr", "/opt", "/nix/store", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
                           "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/sys/devices/system/cpu"})
    if (!fs::is_symlink(path, error) && fs::exists(path, error))
      out.emplace_back(path);
  if (fs::is_symlink("/etc/localtime", error))
    out.emplace_back("/etc/localtime");
  return out;
}

std::vector<std::string> systemLinks() {
  std::vector<std::string> out;
  std::error_code error;
  for (const char *path : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"})
    if (fs::is_symlink(path, error))
      out.emplace_back(path);
  return out;
}

std::string normalizedPath(const std::string &path) {
  std::string out = fs::path(path).lexically_normal().string();
  while (out.size() > 1 && out.back() == '/')
    out.pop_back();
  return out;
}

bool liesIn(const std::string &path, const std::string &folder) {
  return folder == "/" || (path + "/").starts_with(folder + "/");
}

std::vector<std::string> toolFolders(const std::vector<std::string> &shown) {
  std::set<std::string> out;
  std::error_code error;
  const auto add = [&](const fs::path &folder) {
    if (fs::is_directory(folder / kToolFolder, error))
      out.insert((folder / kToolFolder).string());
  };
  for (const std::string &entry : shown) {
    const fs::path path = normalizedPath(entry);
    for (fs::path around = path; around.has_relative_path(); around = around.parent_path())
      if (around.filename() == kToolFolder)
        out.insert(around.string());
    add(path);
    for (auto inner = fs::directory_iterator(path, error); !error && inner != fs::end(inner); inner.increment(error))
      if (inner->is_directory(error))
        add(inner->path());
  }
  return {out.begin(), out.end()};
}

std::vector<std::string> aroundHidden(const std::string &folder, const std::vector<std::string> &hidden) {
  if (std::none_of(hidden.begin(), hidden.end(),
                   [&](const std::string &path) { return path != folder && liesIn(path, folder); }))
    return {folder};
  std::vector<std::string> out;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::end(entry); entry.increment(error)) {
    const std::string path = entry->path().string();
    if (std::find(hidden.begin(), hidden.end(), path) != hidden.end())
      continue;
    const auto inner = entry->is_symlink(error) ? std::vector{path} : aroundHidden(path, hidden);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

} // namespace agentic
