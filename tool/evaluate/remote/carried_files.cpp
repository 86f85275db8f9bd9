#include "tool/evaluate/remote/carried_files.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/shared_libraries.h"
#include "tool/build/sandbox_view.h"
#include "tool/evaluate/remote/task_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

/// Each is three words of the sandbox's command line, which may have nine thousand.
constexpr std::size_t kMostFiles = 2'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;

Result<TaskFile> taskFile(const std::string &place, const std::string &file) {
  std::string hash = fileHash(file);
  if (hash.empty())
    return userError(fmt::format("'{}' cannot be read, which the programs need on a host", file),
                     "build the project again, and check TEST_DATA in add_agentic_kernel()");
  return TaskFile{.path = place, .file = file, .hash = std::move(hash)};
}

} // namespace

bool isOfTheSystem(const std::string &path) {
  const std::string normal = normalizedPath(path);
  const std::vector<std::string> folders = systemPaths(), links = systemLinks();
  const auto holds = [&](const std::string &folder) { return liesIn(normal, folder); };
  return std::ranges::any_of(folders, holds) || std::ranges::any_of(links, holds);
}

std::vector<TaskFile> CarriedFiles::data() {
  const std::lock_guard lock(mutex_);
  return data_;
}

Result<void> CarriedFiles::addFile(const std::string &path) {
  if (isOfTheSystem(path))
    return userError(fmt::format("'{}' belongs to the system, and cannot be sent to a host", path),
                     "copy it into the project, and name the copy in TEST_DATA");
  std::error_code error;
  dataBytes_ += fs::file_size(path, error);
  data_.push_back(TRY(taskFile(path, path)));
  if (data_.size() > kMostFiles || dataBytes_ > kMostBytes)
    return userError(
        fmt::format("the data of the programs are more than {} files or {} GiB", kMostFiles, kMostBytes >> 30),
        "name in TEST_DATA what the programs read, and no more");
  return {};
}

Result<void> CarriedFiles::addData(const std::vector<std::string> &paths) {
  const std::lock_guard lock(mutex_);
  for (const std::string &path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      TRY(addFile(path));
      continue;
    }
    for (auto entry = fs::recursive_directory_iterator(path, error); !error && entry != fs::end(entry);
         entry.increment(error))
      if (entry->is_regular_file(error))
        TRY(addFile(entry->path().string()));
    if (error)
      return userError(fmt::format("'{}' cannot be read completely: {}", path, error.message()),
                       "let yourself read it, or name less in TEST_DATA");
  }
  return {};
}

Result<std::vector<TaskFile>> CarriedFiles::filesOf(const TestProgram &program) {
  if (isOfTheSystem(program.file))
    return userError(fmt::format("'{}' belongs to the system, and cannot be sent to a host", program.file),
                     "name a program of the project");
  Known &known = programs_[program.file];
  std::string stamp = fileStamp(program.file);
  for (const TaskFile &file : known.files) // a library may be built again alone
    stamp += fileStamp(file.file);
  if (known.files.empty() || known.stamp != stamp) {
    std::vector<TaskFile> files{TRY(taskFile(program.file, program.file))};
    const auto libraries = TRY(sharedLibraries(program.file));
    for (const auto &[name, file] : libraries)
      files.push_back(TRY(taskFile(isOfTheSystem(file) ? std::string(kCarriedLibraries) + "/" + name : file, file)));
    stamp = fileStamp(program.file);
    for (const TaskFile &file : files)
      stamp += fileStamp(file.file);
    known = {.stamp = std::move(stamp), .files = std::move(files)};
  }
  std::vector<TaskFile> files = known.files;
  for (const std::string &script : program.scripts())
    if (!isOfTheSystem(script))
      files.push_back(TRY(taskFile(script, script)));
  return files;
}

Result<CarriedPrograms> CarriedFiles::of(const BenchmarkRequest &request) {
  const std::lock_guard lock(mutex_);
  CarriedPrograms carried{.files = data_, .folders = {}};
  std::set<std::string> folders;
  for (const auto *programs : {request.programs, request.candidatePrograms}) {
    if (!programs)
      continue;
    for (const TestProgram &program : *programs) {
      const std::vector<TaskFile> files = TRY(filesOf(program));
      carried.files.insert(carried.files.end(), files.begin(), files.end());
      if (!program.workingDirectory.empty())
        folders.insert(program.workingDirectory);
    }
  }
  std::ranges::sort(carried.files, {}, &TaskFile::path);
  const auto twice = std::ranges::unique(carried.files, {}, &TaskFile::path);
  carried.files.erase(twice.begin(), twice.end());
  carried.folders.assign(folders.begin(), folders.end());
  return carried;
}

} // namespace agentic
