#include "tool/mcp/output.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace agentic::mcp {
namespace {

constexpr int kWriteMilliseconds = 50;
constexpr int kLastPolls = 20; ///< after the end was asked for

} // namespace

Output::Output(int descriptor) : descriptor_(descriptor) {
  thread_ = std::thread([this] { run(); });
}

Output::~Output() {
  isEnding_ = true;
  changed_.notify_all();
  thread_.join();
}

void Output::add(const std::string &line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (isBroken_)
    return;
  if (waiting_.size() + line.size() > kMostWaiting) {
    isBroken_ = true;
    return;
  }
  waiting_ += line;
  waiting_ += '\n';
  changed_.notify_all();
}

void Output::run() {
  for (;;) {
    std::string text;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      while (waiting_.empty() && !isEnding_)
        changed_.wait_for(lock, std::chrono::milliseconds(kWriteMilliseconds));
      if (waiting_.empty())
        return;
      text = std::exchange(waiting_, {});
    }
    if (!isBroken_ && !write(text))
      isBroken_ = true;
  }
}

/// A pipe that is ready takes PIPE_BUF bytes without blocking.
bool Output::write(const std::string &text) {
  int polls = 0;
  for (std::size_t at = 0; at < text.size() && !isBroken_;) {
    pollfd ready{descriptor_, POLLOUT, 0};
    const int polled = ::poll(&ready, 1, kWriteMilliseconds);
    if (polled < 0 && errno != EINTR)
      return false;
    if (polled <= 0) {
      if (isEnding_ && ++polls > kLastPolls)
        return false;
      continue;
    }
    if (!(ready.revents & POLLOUT))
      return false;
    const ssize_t written = ::write(descriptor_, text.data() + at, std::min<std::size_t>(text.size() - at, PIPE_BUF));
    if (written < 0 && errno != EINTR && errno != EAGAIN)
      return false;
    at += written > 0 ? static_cast<std::size_t>(written) : 0;
  }
  return !isBroken_;
}

} // namespace agentic::mcp
