// A child process that is talked with over its standard input and output as long as it lives.
#pragma once

#include "tool/base/error.h"
#include "tool/base/pipes.h"
#include "tool/base/process.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace agentic {

/// Used by one thread at a time. Its destruction kills the process and its group.
class PipedProcess {
public:
  /// `environment`: complete, as ProcessSpec's. A program that cannot be started shows as the end of its output.
  static Result<std::unique_ptr<PipedProcess>> start(std::vector<std::string> argv,
                                                     std::vector<std::string> environment);
  ~PipedProcess();
  PipedProcess(const PipedProcess &) = delete;
  PipedProcess &operator=(const PipedProcess &) = delete;

  /// Waits while the process does not read, up to `seconds`. False: it does not read any more, or not in time, or
  /// `cancelled` was raised; a part may have been sent.
  bool send(std::string_view bytes, double seconds, const std::atomic<bool> *cancelled = nullptr);
  void endInput() { input_.close(); }

  enum class Received { Bytes, Nothing, End };
  /// Appends what it wrote, waiting for it up to `seconds`. End: it has closed its output.
  Received receive(std::string &into, double seconds);

  /// Waits for its end, up to `seconds`, then kills it. Returns how it ended and the end of what it wrote to its
  /// standard error: "exited with status 255: ssh: connect to host …".
  std::string ending(double seconds = 2);

private:
  PipedProcess() = default;
  Descriptor input_, output_;
  std::atomic<bool> cancelled_ = false, isOver_ = false;
  Result<ProcessResult> result_ = ProcessResult();
  std::jthread thread_; ///< in runProcess(); the first to be destroyed
};

} // namespace agentic
