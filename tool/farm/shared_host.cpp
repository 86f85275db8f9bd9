#include "tool/farm/shared_host.h"

#include <chrono>
#include <thread>

namespace agentic {
namespace {

constexpr auto kTurnStep = std::chrono::milliseconds(2);

class Counted {
public:
  explicit Counted(std::atomic<int> &count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted &) = delete;
  Counted &operator=(const Counted &) = delete;

private:
  std::atomic<int> &count_;
};

} // namespace

Result<std::unique_lock<std::mutex>> SharedHost::turn(const std::atomic<bool> *cancelled) {
  std::unique_lock lock(mutex_, std::defer_lock);
  for (; !lock.try_lock(); std::this_thread::sleep_for(kTurnStep))
    if (cancelled && *cancelled)
      return interruptedError();
  return lock;
}

Result<TaskResult> SharedHost::perform(const Task &task, double seconds, const std::atomic<bool> *cancelled) {
  const Counted counted(users_);
  const std::unique_lock<std::mutex> lock = TRY(turn(cancelled));
  return host_->perform(task, seconds, cancelled);
}

Result<std::map<std::string, nlohmann::json>> SharedHost::finished(const std::string &run,
                                                                   const std::atomic<bool> *cancelled) {
  const Counted counted(users_);
  const std::unique_lock<std::mutex> lock = TRY(turn(cancelled));
  return host_->finished(run, cancelled);
}

} // namespace agentic
