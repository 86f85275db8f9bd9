// Writes lines to a stream in a thread of its own, so that a client that does not read blocks nobody.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace agentic::mcp {

/// Thread-safe.
class Output {
public:
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20; ///< bytes: a client that never reads is given up

  explicit Output(int descriptor);
  /// Writes what waits, as far as the client takes it within a second.
  ~Output();
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void add(const std::string &line); ///< its end is added
  /// The client has closed the stream, or does not read it.
  bool isBroken() const { return isBroken_; }

private:
  void run();
  bool write(const std::string &text); ///< false: broken

  const int descriptor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  std::atomic<bool> isBroken_ = false, isEnding_ = false;
  std::thread thread_;
};

} // namespace agentic::mcp
