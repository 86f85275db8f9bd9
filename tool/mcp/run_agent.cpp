#include "tool/mcp/run_agent.h"

#include "tool/base/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace agentic::mcp {

bool Orders::add(Order order) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (orders_.size() >= kMost)
    return false;
  orders_.push_back(std::move(order));
  changed_.notify_all();
  return true;
}

std::optional<Order> Orders::next(const std::function<bool()> &isOver) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (orders_.empty()) {
    if (isOver())
      return std::nullopt;
    changed_.wait_for(lock, std::chrono::milliseconds(50));
  }
  Order order = std::move(orders_.front());
  orders_.pop_front();
  return order;
}

void Orders::addFirst(Order order) {
  const std::lock_guard<std::mutex> lock(mutex_);
  orders_.push_front(std::move(order));
  changed_.notify_all();
}

bool Orders::contains(const std::string &job) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::ranges::any_of(orders_, [&](const Order &order) { return order.job->id() == job; });
}

bool Orders::isEmpty() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return orders_.empty();
}

bool Orders::remove(const std::string &job) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::erase_if(orders_, [&](const Order &order) { return order.job->id() == job; }) > 0;
}

void Orders::failAll(const Error &error) {
  std::deque<Order> orders;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    orders.swap(orders_);
  }
  for (const Order &order : orders)
    if (error.kind == ErrorKind::Interrupted)
      order.job->cancel("the run was interrupted");
    else
      order.job->fail(error);
}

void RunAgent::work(const Order &order) {
  withdrawal_->begins(order.job->id());
  if (order.job->hasEnded()) { // it was cancelled on its way here
    withdrawal_->ends();
    return;
  }
  auto result = order.work(*evaluator_);
  if (withdrawal_->ends())
    order.job->cancel("it was cancelled");
  else if (result)
    order.job->succeed(std::move(*result));
  else
    order.job->fail(result.error());
}

Result<void> RunAgent::prepared(Evaluator &evaluator, Withdrawal &withdrawal) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    evaluator_ = &evaluator;
    withdrawal_ = &withdrawal;
  }
  listener_.isPrepared(evaluator);
  // A run that nobody proposes anything in leaves no journal.
  while (!continuesAtOnce_) {
    auto order = orders_.next([this] { return cancelled_.load(); });
    if (!order)
      return interruptedError();
    if (order->job->hasEnded())
      continue;
    if (order->kind != Order::Kind::Work) {
      first_ = std::move(order);
      break;
    }
    work(*order);
  }
  return {};
}

Result<Proposal> RunAgent::propose(const RunState &state) {
  listener_.isAsked(state);
  const double end = steadySeconds() + state.secondsLeft;
  for (;;) {
    auto order = std::exchange(first_, std::nullopt);
    if (!order)
      order = orders_.next([&] { return cancelled_ || steadySeconds() >= end; });
    if (!order && cancelled_)
      return interruptedError();
    if (!order)
      return Proposal{.stop = "the time budget is spent"};
    if (order->job->hasEnded())
      continue;
    if (order->kind == Order::Kind::Work) {
      work(*order);
      continue;
    }
    if (order->kind == Order::Kind::Finish) {
      listener_.finishes();
      return Proposal{.stop = "its client says that it is done"};
    }
    if (!listener_.isNew(*order))
      continue;
    return Proposal{.candidates = {order->candidate}, .note = order->idea};
  }
}

bool RunAgent::withdraw(const std::string &work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return withdrawal_ && withdrawal_->withdraw(work);
}

} // namespace agentic::mcp
