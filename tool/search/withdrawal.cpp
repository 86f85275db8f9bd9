#include "tool/search/withdrawal.h"

#include <chrono>

namespace agentic {

Withdrawal::Withdrawal(const std::atomic<bool> &run) : run_(run) {
  thread_ = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(20), [this] { return isEnding_; }))
      look();
  });
}

Withdrawal::~Withdrawal() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isEnding_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool Withdrawal::withdraw(const std::string &work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (work.empty() || work_ != work)
    return false;
  isWithdrawn_ = true;
  flag_ = true;
  return true;
}

void Withdrawal::begins(const std::string &work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  work_ = work;
}

bool Withdrawal::ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool wasWithdrawn = isWithdrawn_;
  work_.clear();
  isWithdrawn_ = false;
  flag_ = false;
  look(); // the run's own flag is never taken back
  return wasWithdrawn;
}

} // namespace agentic
