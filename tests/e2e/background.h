// A program that runs beside the test, which interrupts or kills it in the middle.
#pragma once

#include "tests/e2e/project.h"

#include <functional>
#include <future>
#include <string>
#include <sys/types.h>
#include <vector>

namespace agentic::e2e {

class Background {
public:
  /// Its process id is written to `pidFile`.
  Background(const std::vector<std::string> &argv, const fs::path &pidFile);

  /// Polls until `condition` holds; false if the program ended or `timeoutSeconds` passed before.
  bool waitUntil(const std::function<bool()> &condition, double timeoutSeconds = kPatience);
  void signal(int number) const;
  Outcome finish(); ///< waits for the end

private:
  pid_t pid() const;
  fs::path pidFile_;
  std::future<Outcome> outcome_;
};

/// Polls until `condition` holds; false after `timeoutSeconds`.
bool eventually(const std::function<bool()> &condition, double timeoutSeconds = kPatience);

/// Returns command lines of running processes that mention `text`.
std::vector<std::string> processesThatMention(const std::string &text);

} // namespace agentic::e2e
