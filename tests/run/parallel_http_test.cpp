// Calls in flight over real sockets: the server answers none of a group before all of it has arrived, so a run that
// asked one after the other would never end.
#include "tests/llm/live_model.h"
#include "tests/run/hashed_run.h"
#include "tool/agent/llm_agent.h"
#include "tool/search/journal.h"
#include "tool/search/strategy_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

namespace agentic {
namespace {

constexpr int kParallel = 4, kCalls = 12;

/// Answers the n-th request once its whole group of kParallel is there.
class GroupingServer {
public:
  std::string url() const { return server_.url(); }
  std::size_t requests() const { return server_.requests().size(); }
  bool isLate() const { return isLate_; }

private:
  void serve(Served &served) {
    int number = 0;
    {
      std::unique_lock lock(mutex_);
      number = ++arrived_;
      arrives_.notify_all();
      const int last = (number + kParallel - 1) / kParallel * kParallel;
      if (!arrives_.wait_for(lock, std::chrono::minutes(2), [&] { return arrived_ >= last; }))
        isLate_ = true; // only so that a wrong tool fails rather than hangs
    }
    nlohmann::json body;
    body["choices"][0]["message"] = {{"role", "assistant"}, {"content", hashedReply(unsigned(number))}};
    body["choices"][0]["finish_reason"] = "stop";
    body["usage"] = {{"prompt_tokens", 1000}, {"completion_tokens", 500}};
    served.answer(200, body.dump());
  }

  std::mutex mutex_;
  std::condition_variable arrives_;
  int arrived_ = 0;
  std::atomic<bool> isLate_ = false;
  LoopbackServer server_{[this](const ServedRequest &, Served &served) { serve(served); }};
};

TEST(ParallelHttp, SoManyRequestsAreInFlightAtATime) {
  const ScratchDirectory scratch = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "parallel-http"));
  RunConfig config;
  config.maxIterations = kCalls;
  config.maxSeconds = 0;
  config.model.maxFailures = 0;
  config.model.budgetUsd = 100;
  config.model.strategy = "best-of=99";
  config.model.parallel = kParallel;
  auto journal = Journal::create(scratch.path().string(), {"k", "l", "f", "1", "2", "3", ""}, config);
  ASSERT_TRUE(journal);
  GroupingServer server;
  ChatSettings live = liveSettings();
  live.stream = false;
  auto model = makeChatModel(server.url() + "#m", live);
  ASSERT_TRUE(model) << model.error().message;
  ModelFacts facts;
  facts.inputUsd = facts.outputUsd = 1e-6;
  auto made = LlmAgent::create(std::move(*model), {.label = "http:model",
                                                   .config = config.model,
                                                   .runDirectory = journal->directory(),
                                                   .prices = pricesOf(facts),
                                                   .inFlight = std::make_shared<CallsInFlight>(kParallel)});
  ASSERT_TRUE(made) << made.error().message;
  StrategyAgent agent(std::move(*made), *parseAskStrategy(config.model.strategy));
  HashedEvaluator evaluator;
  RunRequest request;
  request.config = config;
  const auto outcome = runLoop(evaluator, agent, *journal, request, {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_FALSE(server.isLate()) << "fewer requests came than may be in flight";
  EXPECT_EQ(server.requests(), std::size_t(kCalls));
  EXPECT_EQ(outcome->iterations, kCalls);
  EXPECT_EQ(outcome->reason, StopReason::Iterations);
  std::set<std::string> texts;
  for (const Attempt &attempt : journal->record().attempts)
    texts.insert(attempt.candidate.text);
  EXPECT_EQ(texts.size(), std::size_t(kCalls)) << "each answer is used once";
}

} // namespace
} // namespace agentic
