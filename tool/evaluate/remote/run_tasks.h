// Names the measuring tasks of a run by what they ask, so that a run that goes on after a kill finds what hosts have
// finished meanwhile.
#pragma once

#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/remote/carried_files.h"

#include <nlohmann/json.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace agentic {

/// Returns 24 hexadecimal digits, random: a task's id, or what the ids of a run's tasks begin with.
std::string newTaskId();

/// Thread-safe.
class RunTasks {
public:
  /// Called first. Without a run every id is new. `worker`: hash of the program that measures.
  void begin(std::string run, std::string worker) {
    run_ = std::move(run);
    worker_ = std::move(worker);
  }

  /// What is asked: the request's question, rule and filter, how the programs are started, the contents of all files,
  /// and the worker. Empty: whatever is measured for it must be measured anew.
  std::string questionOf(const BenchmarkRequest &request, const CarriedPrograms &carried) const;
  /// Returns the id of the task that asks it: the same until it is answered, and in every process of the run.
  std::string idOf(const std::string &question) const;
  /// The next time it is asked, another measurement is wanted.
  void answered(const std::string &question);

  struct Finished {
    std::string host;
    nlohmann::json result;
  };
  /// Keeps what a host has finished for this run, and nothing else that it says.
  void collect(const std::string &host, std::map<std::string, nlohmann::json> results);
  /// Returns what was finished for a question, once; with that it is answered.
  std::optional<Finished> take(const std::string &question);

private:
  std::string run_, worker_;
  mutable std::mutex mutex_;                 ///< of the maps
  std::map<std::string, int> answers_;       ///< by question
  std::map<std::string, Finished> finished_; ///< by id
};

} // namespace agentic
