// A task for a worker on another machine: what to do, and all files that it needs, by their contents. Nothing else of
// this machine reaches the other one.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace agentic {

/// A file as the task's programs see it.
struct TaskFile {
  std::string path; ///< absolute, as programs name it
  std::string file; ///< where its contents are here
  std::string hash; ///< of the contents (base/hash.h)
};

struct Task {
  std::string id; ///< [0-9a-f]+, another for each task: a worker that has done a task does it never again
  nlohmann::json description;
  std::vector<TaskFile> files;
};

struct TaskResult {
  nlohmann::json json;
  std::string bytes{};
};

} // namespace agentic
