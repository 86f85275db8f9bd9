// The parts of the process that a run needs. tool/cli, which alone reads the environment, fills it.
#pragma once

#include "tool/secrets/redactor.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace agentic {

struct Surroundings {
  const std::atomic<bool> *cancelled = nullptr; ///< never null; every blocking call watches it
  std::function<std::optional<std::string>(const std::string &name)> environment;
  std::shared_ptr<Redactor> secrets; ///< never null: has the environment's secrets and every key that is loaded later
  std::string program;               ///< path of this tool; empty where /proc does not tell

  bool isInterrupted() const { return *cancelled; }
  /// Returns the path of a file that all projects of this user share: below $XDG_CACHE_HOME or ~/.cache, else in the
  /// build tree.
  std::string cacheFile(const std::string &name, const std::string &buildDir) const;
  /// Returns a function that removes secrets from lines of records.
  std::function<std::string(std::string line)> redact() const;
};

} // namespace agentic
