// A worker on another machine, and the connection to it.
#pragma once

#include "tool/base/error.h"
#include "tool/base/piped_process.h"
#include "tool/farm/host_address.h"
#include "tool/farm/message.h"
#include "tool/farm/task.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace agentic {

/// The program that is sent to a host, and what it starts with.
inline constexpr const char *kWorkerProgram = "agentic-kernel-worker";
struct WorkerProgram {
  std::map<std::string, std::string> files; ///< name in a folder there → file here: itself, and its shared libraries
  std::string hash;                         ///< of their contents: two versions are two folders there
  std::vector<std::string> environment;     ///< of ssh, srun and the like: complete, without anybody's keys
};

/// What a worker says of itself and its machine.
struct HostFacts {
  std::string version, cpu, microcode, kernel, governor, sandbox, glibc;
  std::string machine;               ///< another for each machine, and after each start of it
  bool isConfined = false;           ///< the sandbox is as strong as a farm wants it
  std::vector<std::string> features; ///< of the CPU, as levels name them

  /// Ratios are compared only between hosts for which this is the same.
  std::string group() const;
};

/// Used by one thread at a time.
class Host {
public:
  /// Starts the worker there, and sends it first where it is missing. Waits for as long as an engine's queue makes it
  /// wait, up to the address's queueSeconds. Errors: no such host, no permission, the worker does not start: each with
  /// the words of the program that was to reach it.
  static Result<std::unique_ptr<Host>> connect(HostAddress address, WorkerProgram worker,
                                               const std::atomic<bool> *cancelled);

  const std::string &name() const { return address_.name; }
  const HostFacts &facts() const { return facts_; }

  /// Sends what of the task's files is not there yet, and returns the task's result. A connection that breaks is made
  /// anew once, to the same machine; what the worker has done meanwhile is not done again. Errors: the host is lost, or
  /// has no answer within `seconds`; interrupted, after which another task may follow.
  Result<TaskResult> perform(const Task &task, double seconds, const std::atomic<bool> *cancelled);

  /// Returns the results that the worker keeps of tasks whose ids begin with `run`, by id. Errors: perform()'s.
  Result<std::map<std::string, nlohmann::json>> finished(const std::string &run, const std::atomic<bool> *cancelled);

  /// Tells the worker that nothing more comes.
  void endInput() { peer_->endInput(); }
  /// Lets the worker end by itself, for some seconds: a job that is killed may stay in a queue.
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

private:
  Host(HostAddress address, WorkerProgram worker) : address_(std::move(address)), worker_(std::move(worker)) {}
  Result<void> open(const std::atomic<bool> *cancelled);
  Result<void> sendWorker(const std::atomic<bool> *cancelled);
  Result<void> runThere(const std::string &command, std::string input, const std::atomic<bool> *cancelled);
  /// All wait until `deadline` at most, by steadySeconds().
  Result<void> send(const std::string &bytes, double deadline, const std::atomic<bool> *cancelled);
  Result<Message> receive(double deadline, const std::atomic<bool> *cancelled);
  Result<void> sendFiles(const Task &task, double deadline, const std::atomic<bool> *cancelled);
  Result<TaskResult> performOnce(const Task &task, double deadline, const std::atomic<bool> *cancelled);
  Result<TaskResult> finishedOnce(const std::string &run, double deadline, const std::atomic<bool> *cancelled);
  /// Asks, and once more by a new connection if this one breaks.
  Result<TaskResult> asked(const std::function<Result<TaskResult>()> &ask, const std::atomic<bool> *cancelled);
  Result<void> reopen(const std::atomic<bool> *cancelled);
  std::unexpected<Error> lost(const std::string &why) const;

  HostAddress address_;
  WorkerProgram worker_;
  HostFacts facts_;
  std::unique_ptr<PipedProcess> peer_;
  MessageReader reader_;
  bool isOpen_ = false;         ///< the worker said what it is
  std::set<std::string> there_; ///< hashes
  int asks_ = 0;
};

} // namespace agentic
