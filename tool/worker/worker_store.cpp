#include "tool/worker/worker_store.h"

#include "tool/base/hash.h"
#include "tool/farm/message.h"

#include <algorithm>
#include <chrono>
#include <sys/stat.h>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;

constexpr auto kKept = std::chrono::hours(7 * 24), kScratchKept = std::chrono::hours(24);

/// Names come from the other side: nothing but digits may become a part of a path.
bool isName(const std::string &text) {
  return !text.empty() && text.size() <= 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void removeOld(const fs::path &folder, std::chrono::hours kept, std::string_view prefix = {}) {
  std::error_code error;
  const auto limit = fs::file_time_type::clock::now() - kept;
  for (const auto &entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(prefix) && entry.last_write_time(error) < limit && !error)
      fs::remove_all(entry.path(), error);
}

} // namespace

Result<WorkerStore> WorkerStore::open(const fs::path &folder, std::string_view machine) {
  ::umask(077);
  constexpr std::size_t kDigits = 16;
  WorkerStore store(folder, folder / "results" / sha256(machine).substr(0, kDigits));
  for (const char *part : {"files", "results", "scratch"}) {
    TRY(createDirectories(folder / part));
    removeOld(folder / part, part == std::string_view("scratch") ? kScratchKept : kKept);
  }
  TRY(createDirectories(store.results_));
  removeOld(store.results_, kKept);
  // Versions of the worker itself; this one is used now.
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error).parent_path();
  fs::last_write_time(self, fs::file_time_type::clock::now(), error);
  for (const char *kind : {"worker-", "new-"})
    removeOld(folder.parent_path(), kKept, kind);
  return store;
}

std::vector<std::string> WorkerStore::missing(const std::vector<std::string> &hashes) const {
  std::vector<std::string> out;
  for (const std::string &hash : hashes) {
    std::error_code error;
    const fs::path file = folder_ / "files" / hash;
    if (isName(hash) && fs::exists(file, error))
      fs::last_write_time(file, fs::file_time_type::clock::now(), error);
    else
      out.push_back(hash);
  }
  return out;
}

Result<void> WorkerStore::put(const std::string &hash, std::string_view bytes) const {
  if (!isName(hash) || sha256(bytes) != hash)
    return userError("a file arrived that is not the one that was announced", "send it again");
  const fs::path file = folder_ / "files" / hash;
  TRY(writeFileAtomic(file, bytes, Flush::Later));
  std::error_code error;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_exec, error);
  return {};
}

std::string WorkerStore::lockFile(const std::string &task) const {
  return (results_ / ((isName(task) ? task : "other") + ".lock")).string();
}

std::optional<json> WorkerStore::result(const std::string &task) const {
  if (!isName(task))
    return std::nullopt;
  const Result<std::string> text = readFile(results_ / (task + ".json"));
  json result = text ? json::parse(*text, nullptr, false) : json();
  return result.is_object() ? std::optional(std::move(result)) : std::nullopt;
}

json WorkerStore::resultsOf(const std::string &run) const {
  json results = json::object();
  if (!isName(run))
    return results;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(results_, error)) {
    const fs::path &file = entry.path();
    if (!file.filename().string().starts_with(run) || file.extension() != ".json")
      continue;
    const std::uintmax_t size = entry.file_size(error);
    if (error) // another worker has just removed it
      continue;
    bytes += size;
    if (bytes > kLongestLine / 2)
      break;
    if (auto kept = result(file.stem().string()))
      results[file.stem().string()] = std::move(*kept);
  }
  return results;
}

Result<void> WorkerStore::keepResult(const std::string &task, const json &result) const {
  if (!isName(task))
    return userError("'" + task + "' is no task", "send it again");
  return writeFileAtomic(results_ / (task + ".json"), result.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace agentic
