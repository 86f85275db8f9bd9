// A connection to a worker that several threads use.
#pragma once

#include "tool/farm/host.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace agentic {

/// One question at a time: whoever comes later waits for the answer to the one before.
class SharedHost {
public:
  explicit SharedHost(std::unique_ptr<Host> host) : host_(std::move(host)) {}
  const HostFacts &facts() const { return host_->facts(); }
  void endInput() { host_->endInput(); }
  bool isBusy() const { return users_ > 0; }

  /// As Host's, once it is its turn.
  Result<TaskResult> perform(const Task &task, double seconds, const std::atomic<bool> *cancelled);
  Result<std::map<std::string, nlohmann::json>> finished(const std::string &run, const std::atomic<bool> *cancelled);

private:
  Result<std::unique_lock<std::mutex>> turn(const std::atomic<bool> *cancelled);

  std::unique_ptr<Host> host_;
  std::mutex mutex_;           ///< of the host
  std::atomic<int> users_ = 0; ///< those that wait included
};

} // namespace agentic
