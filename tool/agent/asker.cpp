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

namespace agentic {
namespace {

constexpr double kPollSeconds = 0.02;

AskFailure recordsFailure(Error error) {
  return {.kind = AskFailure::Kind::Records, .records = std::move(error)};
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

Retries usualRetries() {
  auto engine = std::make_shared<std::mt19937>(std::random_device()());
  const RetryPolicy policy([engine] { return std::uniform_real_distribution<double>(0, 1)(*engine); });
  return [policy](const ChatError &error, int failures) { return policy.next(error, failures); };
}

std::expected<ChatResult<ChatReply>, AskFailure> Asker::attempt(int call, int number, const ChatRequest &request,
                                                                const std::string &body,
                                                                const std::atomic<bool> *cancelled,
                                                                const CallPurpose &purpose) {
  const double elsewhere = options_.spentElsewhere ? options_.spentElsewhere() : 0;
  const CallTotals before = log_.totals();
  const double spent = sumUsd(before.usd, elsewhere), left = std::max(0.0, spending_.limits().budgetUsd - spent);
  const auto worst = spending_.admit(spent, body.size(), request.maxOutputTokens,
                                     std::max(before.unforeseenUsd, options_.unforeseenUsd));
  if (!worst)
    return std::unexpected(AskFailure{.kind = AskFailure::Kind::Budget, .text = worst.error()});
  if (auto done = log_.reserve(call, number, options_.label, request, body, *worst, purpose); !done)
    return std::unexpected(recordsFailure(done.error()));
  if (options_.progress)
    options_.progress(fmt::format(
        "asking {} (call {}{}{}{})", options_.label, call, purpose.role.empty() ? "" : ", " + purpose.role,
        number > 1 ? fmt::format(", attempt {}", number) : "", *worst > 0 ? ", up to " + usdText(*worst) : ""));
  if (options_.joules)
    options_.joules(); // discards what is not this call's
  const double start = steadySeconds();
  ChatRequest budgeted = request;
  budgeted.budgetUsd = left;
  ChatResult<ChatReply> reply = model_.complete(budgeted, cancelled, {});
  const double seconds = steadySeconds() - start;
  const std::optional<double> joules = options_.joules ? options_.joules() : std::nullopt;
  const auto settled =
      reply ? log_.answered(*reply, spending_.cost(reply->usage, seconds, *worst, joules))
            : log_.failed(reply.error(), spending_.costOfFailure(reply.error(), seconds, *worst, joules), seconds);
  if (!settled)
    return std::unexpected(recordsFailure(settled.error()));
  if (options_.record)
    options_.record(request, reply);
  if (const double cost = reply ? log_.calls().back().cost.usd : 0; cost > left && options_.warn)
    options_.warn(fmt::format("{} reports that the call cost {}, more than the {} that were left of the budget",
                              options_.label, usdText(cost), usdText(left)));
  return reply;
}

std::expected<void, AskFailure> Asker::ask(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                           const CallPurpose &purpose) {
  const int call = log_.nextCall();
  const std::string body = model_.requestBody(request);
  std::map<ChatErrorKind, int> failures;
  for (int number = 1;; ++number) {
    auto reply = TRY(attempt(call, number, request, body, cancelled, purpose));
    if (reply)
      return {};
    const ChatError &error = reply.error();
    const auto pause = options_.retry ? options_.retry(error, ++failures[error.kind]) : std::nullopt;
    if (!pause)
      return std::unexpected(AskFailure{.kind = AskFailure::Kind::Model, .error = error});
    if (options_.note)
      options_.note(fmt::format("{}: {}; again in {:.0f} s", options_.label, error.message, *pause));
    const bool isWaited = options_.wait ? options_.wait(*pause, cancelled) : sleepUnlessCancelled(*pause, cancelled);
    if (!isWaited)
      return std::unexpected(AskFailure{.kind = AskFailure::Kind::Model,
                                        .error = {ChatErrorKind::Cancelled, "interrupted", {}, std::nullopt, false}});
  }
}

} // namespace agentic
