#include "tool/agent/asker.h"

#include "tool/base/clock.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/llm/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <utility>

namespace agentic {
namespace {

constexpr double kPollSeconds = 0.02;

AskFailure recordsFailure(Error error) {
  return {.kind = AskFailure::Kind::Records, .records = std::move(error)};
}

AskFailure cancelledFailure() {
  return {.kind = AskFailure::Kind::Model, .error = {ChatErrorKind::Cancelled, "interrupted", {}, std::nullopt, false}};
}

/// Refuses a call that could pass its role's share of the budget.
std::expected<double, std::string> withinShare(double worstUsd, double spentUsd, double shareUsd) {
  if (nanoUsd(spentUsd) + nanoUsd(worstUsd) <= nanoUsd(shareUsd))
    return worstUsd;
  return std::unexpected(
      fmt::format("its share of the budget is {}, of which {} are spent, and the next call may cost {}",
                  usdText(shareUsd), usdText(spentUsd), usdText(worstUsd)));
}

bool sleepUnlessCancelled(double seconds, const std::atomic<bool> *cancelled) {
  const double end = steadySeconds() + seconds;
  while (!(cancelled && *cancelled)) {
    const double left = end - steadySeconds();
    if (left <= 0)
      return true;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kPollSeconds)));
  }
  return false;
}

} // namespace

Asker::Asker(ChatModel &model, CallLog &log, Spending spending, AskOptions options)
    : model_(model), log_(log), spending_(std::move(spending)), options_(std::move(options)) {
  if (options_.provider.empty())
    options_.provider = options_.label;
}

Retries usualRetries() {
  auto engine = std::make_shared<std::mt19937>(std::random_device()());
  const RetryPolicy policy([engine] { return std::uniform_real_distribution<double>(0, 1)(*engine); });
  return [policy](const ChatError &error, int failures) { return policy.next(error, failures); };
}

bool Asker::wait(double seconds, const std::atomic<bool> *cancelled) const {
  return options_.wait ? options_.wait(seconds, cancelled) : sleepUnlessCancelled(seconds, cancelled);
}

/// `waitedUntil`: the end of the last pause that this call has waited for. False: cancelled.
bool Asker::waitsForProvider(double &waitedUntil, const std::atomic<bool> *cancelled) {
  CallsInFlight &inFlight = *options_.inFlight;
  for (double until = 0; (until = inFlight.pausedUntil(options_.provider)) > waitedUntil; waitedUntil = until)
    if (const double left = until - inFlight.now(); left > 0 && !wait(left, cancelled))
      return false;
  return true;
}

std::optional<double> Asker::joules(bool isEnd) {
  if (!options_.joules)
    return std::nullopt;
  const std::optional<double> used = options_.joules();
  if (!isEnd && open_ == 0)
    joulesOfOthers_ = 0; // nothing of it is a call's
  else
    joulesOfOthers_ += used.value_or(0);
  return isEnd && used ? std::optional(std::exchange(joulesOfOthers_, 0)) : std::nullopt;
}

/// Compares with the budget and reserves in one step; waits while calls in flight may give back what they reserved.
std::expected<void, AskFailure> Asker::reserve(Attempt &attempt) {
  CallsInFlight &inFlight = *options_.inFlight;
  auto lock = inFlight.lock();
  for (;;) {
    const double elsewhere = options_.spentElsewhere ? options_.spentElsewhere() : 0;
    const CallTotals before = log_.totals();
    const double spent = sumUsd(before.usd, elsewhere), left = std::max(0.0, spending_.limits().budgetUsd - spent);
    auto worst = spending_.admit(spent, attempt.body.size(), attempt.request.maxOutputTokens,
                                 std::max(before.unforeseenUsd, options_.unforeseenUsd));
    if (worst && options_.shareUsd)
      worst = withinShare(*worst, log_.usdOf(attempt.purpose.role), *options_.shareUsd);
    if (worst) {
      attempt.worstUsd = *worst;
      attempt.mostUsd = std::max(*worst, left / inFlight.most());
      break;
    }
    if (inFlight.reserved() == 0)
      return std::unexpected(AskFailure{.kind = AskFailure::Kind::Budget, .text = worst.error()});
    inFlight.waitForEnd(lock);
    if (attempt.cancelled && *attempt.cancelled)
      return std::unexpected(cancelledFailure());
  }
  if (attempt.number == 1)
    attempt.call = log_.nextCall();
  if (auto done = log_.reserve(attempt.call, attempt.number, options_.label, attempt.request, attempt.body,
                               attempt.worstUsd, attempt.purpose, attempt.question);
      !done)
    return std::unexpected(recordsFailure(done.error()));
  if (options_.progress)
    options_.progress(fmt::format("asking {} (call {}{}{}{})", options_.label, attempt.call,
                                  attempt.purpose.role.empty() ? "" : ", " + attempt.purpose.role,
                                  attempt.number > 1 ? fmt::format(", attempt {}", attempt.number) : "",
                                  attempt.worstUsd > 0 ? ", up to " + usdText(attempt.worstUsd) : ""));
  joules(false);
  inFlight.begins();
  ++open_;
  return {};
}

Result<void> Asker::settle(const Attempt &attempt, const ChatResult<ChatReply> &reply, double seconds) {
  const auto lock = options_.inFlight->lock();
  const std::optional<double> used = joules(true);
  options_.inFlight->ends();
  --open_;
  const CallCost cost = reply ? spending_.cost(reply->usage, seconds, attempt.worstUsd, used)
                              : spending_.costOfFailure(reply.error(), seconds, attempt.worstUsd, used);
  TRY(reply ? log_.answered(attempt.call, attempt.number, *reply, cost)
            : log_.failed(attempt.call, attempt.number, reply.error(), cost, seconds));
  if (options_.record)
    options_.record(attempt.request, reply);
  if (reply && cost.usd > attempt.mostUsd && options_.warn)
    options_.warn(fmt::format("{} reports that the call cost {}, more than the {} that were left of the budget",
                              options_.label, usdText(cost.usd), usdText(attempt.mostUsd)));
  return {};
}

std::expected<ChatResult<ChatReply>, AskFailure> Asker::make(Attempt &attempt) {
  TRY(reserve(attempt));
  const double start = steadySeconds();
  ChatRequest budgeted = attempt.request;
  budgeted.budgetUsd = attempt.mostUsd;
  ChatResult<ChatReply> reply = model_.complete(budgeted, attempt.cancelled, {});
  if (const auto settled = settle(attempt, reply, steadySeconds() - start); !settled)
    return std::unexpected(recordsFailure(settled.error()));
  return reply;
}

/// nullopt: give up.
std::optional<double> Asker::pauseAfter(const ChatError &error, int failures) {
  const auto lock = options_.inFlight->lock();
  const auto pause = options_.retry ? options_.retry(error, failures) : std::nullopt;
  if (pause && options_.note)
    options_.note(fmt::format("{}: {}; again in {:.0f} s", options_.label, error.message, *pause));
  return pause;
}

std::expected<int, AskFailure> Asker::ask(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                          const CallPurpose &purpose, const std::optional<Ask> &question) {
  const std::string body = model_.requestBody(request);
  Attempt attempt{.request = request, .body = body, .purpose = purpose, .question = question, .cancelled = cancelled};
  std::map<ChatErrorKind, int> failures;
  for (double waitedUntil = 0;; ++attempt.number) {
    if (!waitsForProvider(waitedUntil, cancelled))
      return std::unexpected(cancelledFailure());
    auto reply = TRY(make(attempt));
    if (reply)
      return attempt.call;
    const ChatError &error = reply.error();
    const auto pause = pauseAfter(error, ++failures[error.kind]);
    if (!pause)
      return std::unexpected(AskFailure{.kind = AskFailure::Kind::Model, .error = error});
    if (error.retryAfterSeconds)
      waitedUntil = options_.inFlight->pause(options_.provider, *pause);
    if (!wait(*pause, cancelled))
      return std::unexpected(cancelledFailure());
  }
}

} // namespace agentic
