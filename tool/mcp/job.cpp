#include "tool/mcp/job.h"

#include "tool/mcp/schema.h"

#include <chrono>
#include <utility>

namespace agentic::mcp {
namespace {

constexpr std::chrono::milliseconds kPeriod{20}; ///< within which a cancelled call notices it

const char *nameOf(Job::State state) {
  switch (state) {
  case Job::State::Running:
    return "running";
  case Job::State::Done:
    return "done";
  case Job::State::Failed:
    return "failed";
  case Job::State::Cancelled:
    return "cancelled";
  }
  return "";
}

} // namespace

bool Job::hasEnded() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return state_ != State::Running;
}

void Job::does(const std::string &what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (isEnding_)
    return;
  doing_ = what;
  changed_.notify_all();
}

void Job::end(State state) {
  state_ = state;
  doing_.clear();
  changed_.notify_all();
}

void Job::succeed(Json result) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::Running)
    return;
  result_ = std::move(result);
  end(State::Done);
}

void Job::fail(const Error &error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::Running)
    return;
  error_ = {{"message", error.message}, {"next", error.next}};
  end(State::Failed);
}

void Job::cancel(const std::string &why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::Running)
    return;
  error_ = {{"message", why}, {"next", ""}};
  end(State::Cancelled);
}

void Job::ends() {
  does("ending: it was cancelled");
  const std::lock_guard<std::mutex> lock(mutex_);
  isEnding_ = true;
}

void Job::wait(double seconds, Call &call) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string told;
  std::unique_lock<std::mutex> lock(mutex_);
  while (state_ == State::Running && !call.isCancelled() && std::chrono::steady_clock::now() < end) {
    if (doing_ != told) {
      told = doing_;
      lock.unlock();
      call.progress(told);
      lock.lock();
      continue;
    }
    changed_.wait_for(lock, kPeriod);
  }
}

Json Job::view() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Json view = {{"job", id_}, {"state", nameOf(state_)}};
  if (state_ == State::Running)
    view["doing"] = doing_;
  if (!result_.is_null())
    view["result"] = result_;
  if (!error_.is_null())
    view["error"] = error_;
  return view;
}

Json jobSchema(Json result) {
  const Json error =
      objectSchema({{"message", {{"type", "string"}}}, {"next", {{"type", "string"}}}}, {"message", "next"});
  return objectSchema({{"job", {{"type", "string"}}},
                       {"state", {{"type", "string"}, {"enum", {"running", "done", "failed", "cancelled"}}}},
                       {"doing", {{"type", "string"}}},
                       {"result", std::move(result)},
                       {"error", error}},
                      {"job", "state"});
}

} // namespace agentic::mcp
