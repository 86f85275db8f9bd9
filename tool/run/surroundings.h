// What a run needs of the process that it is in. tool/cli, which alone reads the environment, fills it.
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
  std::shared_ptr<Redactor> secrets; ///< never null: the environment's, and every key that is loaded later
  std::string program;               ///< path of this tool; empty where /proc does not tell

  bool isInterrupted() const { return *cancelled; }
  /// A file that all projects of this user share: below $XDG_CACHE_HOME or ~/.cache, else in the build tree.
  std::string cacheFile(const std::string &name, const std::string &buildDir) const;
  /// For lines of records, which must not hold secrets.
  std::function<std::string(std::string line)> redact() const;
};

} // namespace agentic
