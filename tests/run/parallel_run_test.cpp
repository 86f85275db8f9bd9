// Whole runs with several calls in flight, with each strategy: a run that was killed after any of its events goes on
// and loses at most those calls, one that was interrupted goes on, and no budget is passed. Threads decide in which
// order answers come, so what is asserted holds for every order.
#include "tests/run/hashed_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <latch>
#include <set>
#include <utility>

namespace agentic {
namespace {

using testing::HasSubstr;

constexpr const char *kStrategies[] = {"linear",     "best-of=4",  "beam=2/2/1",
                                       "beam=2/1/2", "tree=30/50", "islands=2/2/3"};
constexpr int kIterations = 12;

/// Its first two calls wait for each other.
class PairingModel : public HashedModel {
public:
  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    if (begun_.fetch_add(1) < 2)
      pair_.arrive_and_wait();
    return HashedModel::complete(request, cancelled, onText);
  }

private:
  std::atomic<int> begun_ = 0;
  std::latch pair_{2};
};

/// Interrupts the run during its n-th call, and answers nothing more.
class InterruptingModel : public HashedModel {
public:
  InterruptingModel(std::atomic<bool> &cancelled, int call) : cancelled_(cancelled), left_(call) {}
  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    if (--left_ == 0)
      cancelled_ = true;
    if (cancelled_)
      return std::unexpected(ChatError{ChatErrorKind::Cancelled, "interrupted", {}, std::nullopt, true});
    return HashedModel::complete(request, cancelled, onText);
  }

private:
  std::atomic<bool> &cancelled_;
  std::atomic<int> left_;
};

class ParallelRun : public HashedRun {
protected:
  void SetUp() override {
    config_.maxIterations = kIterations;
    config_.model.strategy = GetParam();
  }
  std::string run(const std::string &runs, bool resumes = false,
                  std::unique_ptr<ChatModel> model = std::make_unique<HashedModel>()) {
    return HashedRun::run(runs, resumes, std::move(model));
  }
};

void writeBegin(const fs::path &file, const std::vector<std::string> &lines, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += lines[i];
  EXPECT_TRUE(writeFileAtomic(file, text));
}

/// Checks a run that was continued with several calls in flight: it is whole, and no paid answer is lost.
void checkStory(const std::string &directory, const std::vector<CallRecord> &paid) {
  const auto record = readRun(directory);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->iterations.size(), std::size_t(kIterations));
  std::multiset<int> proposed;
  for (const std::string &line : linesOf(fs::path(directory) / "journal.jsonl"))
    if (const auto event = nlohmann::json::parse(line); event["event"] == "proposed")
      proposed.insert(event.value("call", 0));
  for (const int call : proposed)
    EXPECT_EQ(proposed.count(call), 1u) << "call " << call << " is proposed once";
  for (const CallRecord &call : paid)
    if (call.isAnswered()) {
      EXPECT_TRUE(proposed.contains(call.call)) << "call " << call.call << " was answered and is not used";
    }
  std::set<std::string> known = {""};
  for (const Attempt &attempt : record->attempts)
    known.insert(attempt.candidate.id);
  for (const Asked &asked : record->asked)
    EXPECT_TRUE(known.contains(asked.ask.parent));
}

/// Returns the calls that the first lines of a log of calls leave open.
std::set<int> openCalls(const std::vector<std::string> &lines, std::size_t count) {
  std::set<int> open;
  for (std::size_t i = 0; i < count; ++i) {
    const auto line = nlohmann::json::parse(lines[i]);
    if (line["event"] == "reserved")
      open.insert(line.value("call", 0));
    else
      open.erase(line.value("call", 0));
  }
  return open;
}

/// The journal is cut after any event, and the log of calls, which is ahead of it, where that event found it or two
/// lines later.
TEST_P(ParallelRun, KilledAfterAnyEventItLosesAtMostTheCallsInFlight) {
  constexpr int kParallel = 3;
  config_.model.parallel = kParallel;
  const fs::path whole = run(folder("whole"), false, std::make_unique<PairingModel>());
  ASSERT_EQ(outcome_.iterations, kIterations);
  EXPECT_EQ(totals_.calls, kIterations);
  checkStory(whole, *CallLog::read(whole));
  const std::vector<std::string> events = linesOf(whole / "journal.jsonl"), calls = linesOf(whole / "calls.jsonl");
  std::size_t mostLost = 0;
  for (std::size_t count = 1; count <= events.size(); ++count) {
    std::set<int> proposed;
    for (std::size_t i = 0; i < count; ++i)
      proposed.insert(nlohmann::json::parse(events[i]).value("call", 0));
    std::size_t begin = 0; // the log has at least the answers that the journal has
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (const auto line = nlohmann::json::parse(calls[i]);
          line["event"] == "settled" && proposed.contains(line.value("call", 0)))
        begin = i + 1;
    // The replies to the calls that are open then were written or not.
    const auto [more, isWritten] = std::array{std::pair(0, true), std::pair(2, false), std::pair(0, false)}[count % 3];
    const fs::path runs = folder(std::to_string(count) + "-" + std::to_string(more) + (isWritten ? "w" : ""));
    const fs::path directory = runs / whole.filename();
    fs::copy(whole, directory, fs::copy_options::recursive);
    writeBegin(directory / "journal.jsonl", events, count);
    const std::size_t kept = std::min(begin + std::size_t(more), calls.size());
    writeBegin(directory / "calls.jsonl", calls, kept);
    const std::set<int> lost = isWritten ? std::set<int>() : openCalls(calls, kept);
    for (const int call : lost)
      fs::remove(CallLog::fileOf(directory.string(), call, 1) + ".reply.json");
    mostLost = std::max(mostLost, lost.size());
    const std::vector<CallRecord> paid = *CallLog::read(directory);
    run(runs.string(), true);
    checkStory(directory.string(), paid);
    EXPECT_EQ(totals_.calls, kIterations + int(lost.size())) << "after event " << count << " and " << more << " lines";
    EXPECT_EQ(totals_.answered, kIterations);
    fs::remove_all(runs);
  }
  EXPECT_GE(mostLost, 2u) << "it would prove nothing of calls beside others";
  EXPECT_LE(mostLost, std::size_t(kParallel));
}

TEST_P(ParallelRun, WithEightCallsInFlightNoBudgetIsPassed) {
  config_.model.parallel = 8;
  config_.maxIterations = 1000;
  config_.model.budgetUsd = 0.05;
  run(folder("usual"));
  EXPECT_EQ(outcome_.reason, StopReason::Agent);
  EXPECT_THAT(outcome_.agentStop, HasSubstr("$0.05"));
  EXPECT_LE(totals_.usd, 0.05);
  EXPECT_GT(totals_.calls, 10) << "calls that did not fit waited";
  auto useless = std::make_unique<HashedModel>();
  useless->isUseless = true;
  run(folder("useless"), false, std::move(useless));
  EXPECT_LE(totals_.usd, 0.05);
  EXPECT_GT(totals_.usd, 0.03);
  EXPECT_EQ(outcome_.iterations, totals_.calls);
}

/// As by Ctrl-C.
TEST_P(ParallelRun, AnInterruptedRunGoesOn) {
  constexpr int kParallel = 3;
  config_.model.parallel = kParallel;
  auto interrupting = std::make_unique<InterruptingModel>(cancelled_, 5);
  const std::string runs = folder("interrupted"), directory = run(runs, false, std::move(interrupting));
  EXPECT_EQ(outcome_.reason, StopReason::Interrupted);
  EXPECT_LT(outcome_.iterations, kIterations);
  const std::vector<CallRecord> paid = *CallLog::read(directory);
  cancelled_ = false;
  run(runs, true);
  checkStory(directory, paid);
  EXPECT_LE(totals_.calls, kIterations + kParallel);
  EXPECT_EQ(totals_.answered, kIterations);
}

INSTANTIATE_TEST_SUITE_P(All, ParallelRun, testing::ValuesIn(kStrategies), nameOfRow);

TEST(StrategiesInParallel, AreAll) {
  expectEveryStrategyIn(kStrategies);
}

} // namespace
} // namespace agentic
