#include "tool/evaluate/remote/run_tasks.h"

#include "tool/base/hash.h"
#include "tool/evaluate/benchmark/benchmark_json.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace agentic {

std::string newTaskId() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}", device(), device(), device());
}

std::string RunTasks::questionOf(const BenchmarkRequest &request, const CarriedPrograms &carried) const {
  if (run_.empty() || request.question.empty())
    return {};
  HashBuilder hash;
  hash.add(request.question).add(nlohmann::json(request.rule).dump()).add(request.filter);
  for (const TaskFile &file : carried.files)
    hash.add(file.path).add(file.hash);
  return hash.hex();
}

std::string RunTasks::idOf(const std::string &question) const {
  if (question.empty())
    return newTaskId();
  constexpr std::size_t kDigits = 40; // with the run's 24 the most that a worker takes
  const std::lock_guard lock(mutex_);
  const auto count = answers_.find(question);
  return run_ + sha256(question + fmt::format(" {}", count == answers_.end() ? 0 : count->second)).substr(0, kDigits);
}

void RunTasks::answered(const std::string &question) {
  const std::lock_guard lock(mutex_);
  ++answers_[question];
}

void RunTasks::collect(const std::string &host, std::map<std::string, nlohmann::json> results) {
  const std::lock_guard lock(mutex_);
  for (auto &[id, result] : results)
    finished_[id] = {host, std::move(result)};
}

std::optional<RunTasks::Finished> RunTasks::take(const std::string &id) {
  const std::lock_guard lock(mutex_);
  const auto found = finished_.extract(id);
  return found.empty() ? std::nullopt : std::optional(std::move(found.mapped()));
}

} // namespace agentic
