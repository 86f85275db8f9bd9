// Which files of this machine the programs of a task need. Nothing else is sent.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/farm/task.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace agentic {

/// Returns whether a path lies where each machine has its own files, and a sandbox can place none.
bool isOfTheSystem(const std::string &path);

struct CarriedPrograms {
  std::vector<TaskFile> files;      ///< each place once
  std::vector<std::string> folders; ///< working folders
};

/// Thread-safe. What was found is kept as long as the file does not change.
class CarriedFiles {
public:
  /// Adds what every program reads: files, or folders with all that lies below. Errors: one is missing; more than
  /// 2,000 files or 2 GiB.
  Result<void> addData(const std::vector<std::string> &paths);
  std::vector<TaskFile> data();

  /// Returns the files of a request's programs: themselves, the scripts around them, their shared libraries as the
  /// loader finds them here, and the data. Errors: one is missing, or belongs to the system.
  Result<CarriedPrograms> of(const BenchmarkRequest &request);

private:
  struct Known {
    std::string stamp;
    std::vector<TaskFile> files;
  };
  Result<void> addFile(const std::string &path);
  Result<std::vector<TaskFile>> filesOf(const TestProgram &program);

  std::mutex mutex_;
  std::vector<TaskFile> data_;
  std::uint64_t dataBytes_ = 0;
  std::map<std::string, Known> programs_; ///< by file
};

} // namespace agentic
