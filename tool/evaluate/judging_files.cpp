#include "tool/evaluate/judging_files.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <cstdint>

namespace agentic {
namespace {

using Stamps = std::map<std::string, std::string>;

constexpr std::uintmax_t kLargest = 256 << 20;

void addStamp(Stamps &stamps, const fs::path &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return;
  const std::uintmax_t size = fs::file_size(path, error);
  stamps[path.string()] = size <= kLargest ? fileHash(path.string()) : std::to_string(size);
}

Stamps stampsOf(const std::string &path, const std::string &except) {
  Stamps stamps;
  addStamp(stamps, path);
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path() == except || entry->path().filename() == ".git")
      entry.disable_recursion_pending();
    else
      addStamp(stamps, entry->path());
  }
  return stamps;
}

/// The first path that is not as it was; empty if all are.
std::string difference(const Stamps &then, const Stamps &now) {
  for (const auto &[path, stamp] : then)
    if (const auto found = now.find(path); found == now.end() || found->second != stamp)
      return path;
  for (const auto &[path, stamp] : now)
    if (!then.contains(path))
      return path;
  return {};
}

} // namespace

void JudgingFiles::add(std::string what, const std::string &path) {
  if (!path.empty())
    files_.push_back({std::move(what), path, fileHash(path)});
}

void JudgingFiles::addData(std::string what, const std::string &path, const std::string &except) {
  data_.push_back({std::move(what), path, except, stampsOf(path, except)});
}

std::vector<std::string> JudgingFiles::changed() const {
  std::vector<std::string> names;
  for (const File &file : files_)
    if (fileHash(file.path) != file.hash)
      names.push_back(file.what + " (" + file.path + ")");
  for (const Data &data : data_)
    if (const std::string path = difference(data.stamps, stampsOf(data.path, data.except)); !path.empty())
      names.push_back(data.what + " (" + path + ")");
  return names;
}

} // namespace agentic
