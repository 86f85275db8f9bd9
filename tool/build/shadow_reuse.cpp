#include "tool/build/shadow_reuse.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <set>

namespace agentic {
namespace {

constexpr std::string_view kLogHeader = "# ninja log v";
constexpr std::size_t kOutputColumn = 3; ///< columns: start, end, mtime, output, hash of the command

/// The output that a line of ninja's log is about; "" if it is none inside of the tree.
std::string outputOf(const std::string &line) {
  const std::vector<std::string> columns = split(line, '\t');
  if (columns.size() <= kOutputColumn + 1)
    return {};
  const fs::path output = columns[kOutputColumn];
  const bool isInside = output.is_relative() && output == output.lexically_normal() && *output.begin() != "..";
  return isInside ? output.string() : std::string();
}

/// Returns false if `from` is missing or no file, or if configuring made a file of that name.
bool copyWithTime(const fs::path &from, const fs::path &to) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(from, error)) || fs::exists(fs::symlink_status(to, error)))
    return false;
  fs::create_directories(to.parent_path(), error);
  if (error || !fs::copy_file(from, to, error))
    return false;
  const auto time = fs::last_write_time(from, error);
  if (!error)
    fs::last_write_time(to, time, error);
  if (error)
    fs::remove(to, error);
  return !error;
}

} // namespace

Result<void> reuseBuilt(const std::string &from, const std::string &to) {
  const Result<std::string> log = readFile(from + "/.ninja_log");
  if (!log || !log->starts_with(kLogHeader))
    return {};
  std::set<std::string> copied, seen;
  std::vector<std::string> kept;
  for (const std::string &line : split(*log, '\n')) {
    if (const std::string output = outputOf(line); !output.empty()) {
      if (seen.insert(output).second && copyWithTime(fs::path(from) / output, fs::path(to) / output))
        copied.insert(output);
      if (!copied.contains(output))
        continue;
    } else if (!kept.empty()) {
      continue; // only the header names no output
    }
    kept.push_back(line);
  }
  std::error_code error;
  fs::copy_file(from + "/.ninja_deps", to + "/.ninja_deps", fs::copy_options::overwrite_existing, error);
  // Last: what the log does not name is built again, so that a copy that was cut short costs time alone.
  return error ? Result<void>() : writeFileAtomic(to + "/.ninja_log", join(kept, "\n") + "\n");
}

} // namespace agentic
