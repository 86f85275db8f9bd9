#include "tool/evaluate/remote/running_task.h"

#include "tool/base/cpus.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/remote/program_json.h"
#include "tool/evaluate/remote/run_tasks.h"
#include "tool/evaluate/remote/task_parts.h"
#include "tool/farm/message.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

std::vector<std::string> environmentOf(const ProcessSpec &spec) {
  std::vector<std::string> environment = spec.environment.value_or(std::vector<std::string>());
  for (const auto &[name, value] : spec.addedEnvironment)
    environment.push_back(name + "=" + value);
  return withCarriedLibraries(std::move(environment));
}

ProcessSpec specOf(const json &description, const HostSurroundings &here) {
  ProcessSpec spec;
  spec.argv = description.at("argv").get<std::vector<std::string>>();
  spec.workingDirectory = description.at("workingDirectory");
  spec.environment = description.at("environment").get<std::vector<std::string>>();
  spec.input = description.at("input");
  spec.timeoutSeconds = description.at("timeoutSeconds");
  spec.outputCapBytes = description.at("outputCapBytes");
  spec.mergeOutput = description.at("mergeOutput");
  spec.fixedAddresses = description.at("fixedAddresses");
  spec.limits = description.at("limits").get<ProcessLimits>();
  spec.cancelled = here.cancelled;
  if (description.at("isPinned"))
    spec.cpu = measuringCpu();
  return spec;
}

/// Appends the regular files below a folder. Links and the like are nobody's result.
Result<void> collect(const fs::path &folder, std::size_t index, TaskResult &result) {
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (!fs::is_regular_file(entry->symlink_status(error)))
      continue;
    const std::optional<std::string> text =
        readUntrusted(entry->path().string(), kLargestFile - std::min(kLargestFile, result.bytes.size()));
    if (!text)
      return userError(fmt::format("a program wrote more than {} MiB on a host", kLargestFile >> 20),
                       "run it on a machine that needs no farm for its level");
    result.json["files"].push_back(
        {{"folder", index}, {"path", entry->path().lexically_relative(folder).string()}, {"size", text->size()}});
    result.bytes += *text;
  }
  return {};
}

/// Adds the regular files below a writable folder here, which the program may change.
void bring(const fs::path &folder, std::size_t index, Task &task) {
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (!fs::is_regular_file(entry->symlink_status(error)))
      continue;
    const std::string file = entry->path().string(), hash = fileHash(file);
    task.files.push_back({.path = file, .file = file, .hash = hash});
    task.description["begun"].push_back(
        {{"folder", index}, {"path", entry->path().lexically_relative(folder).string()}, {"hash", hash}});
  }
}

/// Returns whether a name leads to no other place than below the folder that it is joined to.
bool staysBelow(const fs::path &path) {
  return !path.empty() && path.is_relative() &&
         std::ranges::none_of(path, [](const fs::path &part) { return part == "." || part == ".." || part.empty(); });
}

/// Cuts the bytes of a result into its parts.
class Parts {
public:
  explicit Parts(std::string_view rest) : rest_(rest) {}
  Result<std::string_view> next(std::size_t size) {
    if (size > rest_.size())
      return noResult("it is shorter than it says");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }

private:
  std::string_view rest_;
};

} // namespace

Task runningTask(const ProcessSpec &spec, const Sandbox::View &view, std::vector<TaskFile> files, bool locks) {
  Task task{.id = newTaskId(), .description = {}, .files = std::move(files)};
  std::vector<std::string> folders;
  if (!spec.workingDirectory.empty() && std::ranges::find(view.writable, spec.workingDirectory) == view.writable.end())
    folders.push_back(spec.workingDirectory);
  task.description = {{"verb", kRunVerb},
                      {"argv", spec.argv},
                      {"workingDirectory", spec.workingDirectory},
                      {"environment", environmentOf(spec)},
                      {"input", spec.input},
                      {"timeoutSeconds", spec.timeoutSeconds},
                      {"outputCapBytes", spec.outputCapBytes},
                      {"mergeOutput", spec.mergeOutput},
                      {"fixedAddresses", spec.fixedAddresses},
                      {"limits", spec.limits},
                      {"isPinned", spec.cpu.has_value()},
                      {"locks", locks},
                      {"tasks", static_cast<int>(view.tasks)},
                      {"files", filesJson(task.files)},
                      {"folders", std::move(folders)},
                      {"writable", view.writable},
                      {"begun", json::array()}};
  for (std::size_t i = 0; i < view.writable.size(); ++i)
    bring(view.writable[i], i, task);
  return task;
}

Result<TaskResult> runTask(const json &description, const HostSurroundings &here) {
  Sandbox::View view = TRY(viewOf(description, here.store));
  ScratchDirectory scratch = TRY(ScratchDirectory::create(here.scratch, "run-"));
  const auto writable = description.at("writable").get<std::vector<std::string>>();
  for (const std::string &place : writable) {
    const fs::path folder = scratch.path() / std::to_string(view.writablePlaced.size());
    TRY(createDirectories(folder));
    view.writablePlaced.push_back({folder.string(), place});
  }
  for (const json &file : description.at("begun")) {
    const std::string hash = file.at("hash");
    const fs::path path(file.at("path").get<std::string>());
    if (!isHash(hash) || !staysBelow(path) || file.at("folder") >= view.writablePlaced.size())
      return userError("a task's file has no place", "send it again: the connection or the sender is broken");
    const fs::path place = fs::path(view.writablePlaced[file.at("folder")].file) / path;
    TRY(createDirectories(place.parent_path()));
    TRY(writeScratch(place, TRY(readFile(here.store + "/" + hash))));
  }
  ProcessSpec spec = specOf(description, here);
  std::optional<LockFile> lock;
  if (spec.cpu && description.at("locks")) {
    LockFile taken = TRY(lockMeasuring({}, here.cancelled));
    lock.emplace(std::move(taken));
  }
  const ProcessResult process = TRY(here.sandbox->run(std::move(spec), view));
  lock.reset();
  TaskResult result{.json = {{"end", static_cast<int>(process.end)},
                             {"code", process.code},
                             {"out", process.out.size()},
                             {"err", process.err.size()},
                             {"truncated", process.truncated},
                             {"wallSeconds", process.wallSeconds},
                             {"cpuSeconds", process.cpuSeconds},
                             {"timeoutSeconds", process.timeoutSeconds},
                             {"files", json::array()}},
                    .bytes = process.out + process.err};
  for (std::size_t i = 0; i < view.writablePlaced.size(); ++i)
    TRY(collect(view.writablePlaced[i].file, i, result));
  return result;
}

Result<ProcessResult> ranThere(const TaskResult &result, const std::vector<std::string> &writable) {
  try {
    const json &said = result.json;
    TRY(checkedResult(said));
    Parts parts(result.bytes);
    ProcessResult process;
    process.end = static_cast<ProcessResult::End>(
        std::clamp(said.at("end").get<int>(), 0, static_cast<int>(ProcessResult::End::WroteTooMuch)));
    process.code = said.at("code");
    process.out = TRY(parts.next(said.at("out").get<std::size_t>()));
    process.err = TRY(parts.next(said.at("err").get<std::size_t>()));
    process.truncated = said.at("truncated");
    process.wallSeconds = said.at("wallSeconds");
    process.cpuSeconds = said.at("cpuSeconds");
    process.timeoutSeconds = said.at("timeoutSeconds");
    for (const json &file : said.at("files")) {
      const std::size_t folder = file.at("folder");
      const fs::path path(file.at("path").get<std::string>());
      const std::string_view bytes = TRY(parts.next(file.at("size").get<std::size_t>()));
      if (folder >= writable.size() || !staysBelow(path))
        return noResult("a file has no place here");
      const fs::path place = fs::path(writable[folder]) / path;
      TRY(createDirectories(place.parent_path()));
      TRY(writeScratch(place, bytes));
    }
    return process;
  } catch (const json::exception &problem) {
    return noResult(problem.what());
  }
}

} // namespace agentic
