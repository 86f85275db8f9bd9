// A worker's folder: the files of tasks by their hashes, and the results of tasks.
#pragma once

#include "tool/base/error.h"
#include "tool/base/files.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Several workers may share one folder: what is put into it appears whole, by a rename.
class WorkerStore {
public:
  /// Creates the folder, for its owner alone, and removes what nobody used for a week. Machines may share it, as homes
  /// on a network are: the results are those of `machine`, which is HostFacts::machine.
  static Result<WorkerStore> open(const fs::path &folder, std::string_view machine);

  std::string files() const { return (folder_ / "files").string(); }
  std::string scratch() const { return (folder_ / "scratch").string(); }
  std::string rooflineFile() const { return (folder_ / "roofline.json").string(); }

  /// Returns those that are not there; the others count as used now.
  std::vector<std::string> missing(const std::vector<std::string> &hashes) const;
  /// Error: the bytes have another hash; the disk is full.
  Result<void> put(const std::string &hash, std::string_view bytes) const;

  std::string lockFile(const std::string &task) const; ///< held by whoever is at it
  std::optional<nlohmann::json> result(const std::string &task) const;
  /// Returns the results of tasks whose ids begin with `run`, as many as one message holds.
  nlohmann::json resultsOf(const std::string &run) const;
  Result<void> keepResult(const std::string &task, const nlohmann::json &result) const;

private:
  WorkerStore(fs::path folder, fs::path results) : folder_(std::move(folder)), results_(std::move(results)) {}
  fs::path folder_, results_;
};

} // namespace agentic
