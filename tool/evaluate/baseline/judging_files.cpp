#include "tool/evaluate/baseline/judging_files.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <cstdint>

namespace agentic {
namespace {

using Hashes = std::map<std::string, std::string>;

constexpr std::uintmax_t kLargest = 256 << 20;

void addHash(Hashes &hashes, const fs::path &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return;
  const std::uintmax_t size = fs::file_size(path, error);
  hashes[path.string()] = size <= kLargest ? fileHash(path.string()) : std::to_string(size);
}

Hashes hashesOf(const std::string &path, const std::string &except) {
  Hashes hashes;
  addHash(hashes, path);
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path() == except || entry->path().filename() == ".git")
      entry.disable_recursion_pending();
    else
      addHash(hashes, entry->path());
  }
  return hashes;
}

/// Returns the first path that changed; empty if none did.
std::string difference(const Hashes &then, const Hashes &now) {
  for (const auto &[path, hash] : then)
    if (const auto found = now.find(path); found == now.end() || found->second != hash)
      return path;
  for (const auto &[path, hash] : now)
    if (!then.contains(path))
      return path;
  return {};
}

} // namespace

void JudgingFiles::add(std::string what, const std::string &path) {
  if (!path.empty())
    files_.push_back({std::move(what), path, fileHash(path), fileStamp(path)});
}

void JudgingFiles::addContent(std::string what, const std::string &path, const std::string &except) {
  contents_.push_back({std::move(what), path, except, hashesOf(path, except)});
}

std::vector<std::string> JudgingFiles::changed(Times times) const {
  std::vector<std::string> names;
  for (const File &file : files_)
    if ((times == Times::Count && fileStamp(file.path) != file.stamp) || fileHash(file.path) != file.hash)
      names.push_back(file.what + " (" + file.path + ")");
  for (const Content &content : contents_)
    if (const std::string path = difference(content.hashes, hashesOf(content.path, content.except)); !path.empty())
      names.push_back(content.what + " (" + path + ")");
  return names;
}

void JudgingFiles::renewTimes() {
  for (File &file : files_)
    file.stamp = fileStamp(file.path);
}

} // namespace agentic
