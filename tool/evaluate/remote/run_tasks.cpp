#include "tool/evaluate/remote/run_tasks.h"

#include "tool/base/hash.h"
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/evaluate/remote/program_json.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kDigits = 64; ///< of an id that a question has: the most that a worker takes

} // namespace

std::string newTaskId() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}", device(), device(), device());
}

std::string RunTasks::questionOf(const BenchmarkRequest &request, const CarriedPrograms &carried) const {
  if (run_.empty() || request.question.empty())
    return {};
  HashBuilder hash;
  hash.add(worker_).add(request.question).add(nlohmann::json(request.rule).dump()).add(request.filter);
  for (const auto *programs : {request.programs, request.candidatePrograms})
    hash.add(programs ? nlohmann::json(*programs).dump() : std::string());
  for (const TaskFile &file : carried.files)
    hash.add(file.path).add(file.hash);
  for (const std::string &folder : carried.folders)
    hash.add(folder);
  return hash.hex();
}

std::string RunTasks::idOf(const std::string &question) const {
  if (question.empty())
    return newTaskId();
  const std::lock_guard lock(mutex_);
  const auto count = answers_.find(question);
  return run_ + sha256(question + fmt::format(" {}", count == answers_.end() ? 0 : count->second))
                    .substr(0, kDigits - run_.size());
}

void RunTasks::answered(const std::string &question) {
  const std::lock_guard lock(mutex_);
  ++answers_[question];
}

void RunTasks::collect(const std::string &host, std::map<std::string, nlohmann::json> results) {
  const std::lock_guard lock(mutex_);
  for (auto &[id, result] : results)
    if (!run_.empty() && id.size() == kDigits && id.starts_with(run_))
      finished_.try_emplace(id, host, std::move(result));
}

std::optional<RunTasks::Finished> RunTasks::take(const std::string &question) {
  if (question.empty())
    return std::nullopt;
  const std::string id = idOf(question);
  const std::lock_guard lock(mutex_);
  const auto found = finished_.extract(id);
  if (found.empty())
    return std::nullopt;
  ++answers_[question];
  return std::move(found.mapped());
}

} // namespace agentic
