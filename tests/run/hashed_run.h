// Whole runs over a model and an evaluator that are functions of what they get, so that runs can be compared whatever
// the order of their calls.
#pragma once

#include "tests/search/loop_fixture.h"
#include "tool/agent/llm_agent.h"
#include "tool/base/hash.h"
#include "tool/llm/chat_json.h"
#include "tool/llm/chat_model.h"
#include "tool/search/ask_strategy.h"
#include "tool/search/journal.h"
#include "tool/search/strategy_agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {

inline unsigned hashedNumber(const std::string &text) {
  return static_cast<unsigned>(std::stoul(sha256(text).substr(0, 6), nullptr, 16));
}

/// Fails for each strategy of the tool that `strategies` ("beam=2/2/1+all") do not name.
inline void expectEveryStrategyIn(std::span<const char *const> strategies) {
  for (const AskStrategyRow *row : allAskStrategies())
    EXPECT_TRUE(std::ranges::any_of(
        strategies,
        [&](std::string_view strategy) { return strategy.substr(0, strategy.find_first_of("=+")) == row->name; }))
        << row->name << " is not among kStrategies";
}

/// A quarter of all files is.
inline bool isHashedToRejection(const std::string &file) {
  return hashedNumber(file) % 4 == 0;
}

/// Returns "Idea <number>." and a file with that number.
inline std::string hashedReply(unsigned number) {
  return "Idea " + std::to_string(number) +
         ".\n```cpp a.cpp\nvoid f(float *x, int n) {\nx[0] = " + std::to_string(number) + ";\n}\n```\n";
}

/// Answers with a file that depends on the request alone; every ninth reply has none.
class HashedModel : public ChatModel {
public:
  const std::string &name() const override { return name_; }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override { return ModelFacts{}; }
  std::string requestBody(const ChatRequest &request) const override { return dumpLine(requestJson(request)); }
  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *,
                                 const std::function<void(std::string_view)> &) override {
    ChatReply reply;
    reply.message.role = ChatRole::Assistant;
    reply.message.text = textOf(request, hashedNumber(requestBody(request)));
    reply.usage = {.freshInput = 1000, .output = isUseless ? request.maxOutputTokens : 500, .isReported = true};
    return reply;
  }
  bool isUseless = false; ///< no file, at the greatest cost

protected:
  /// `number`: the request's.
  virtual std::string textOf(const ChatRequest &, unsigned number) const {
    return number % 9 == 0 || isUseless ? "Blocks." : hashedReply(number);
  }

private:
  std::string name_ = "hashed";
};

/// Judges by the text: a quarter is rejected, the others are 0.5 to 4.5 times as fast as the baseline.
class HashedEvaluator : public TableEvaluator {
public:
  HashedEvaluator() : TableEvaluator({}) {}
  Result<Evaluation> evaluate(const Candidate &candidate, const Candidate *incumbent, double) override {
    Evaluation evaluation = judged(candidate);
    if (incumbent && evaluation.measurement) {
      const double ratio = ratioOf(candidate) / ratioOf(*incumbent);
      evaluation.againstIncumbent = measured(ratio);
      evaluation.verdict = ratio > 1.02 ? Verdict::Accepted : Verdict::NotFaster;
      if (ratio <= 1.02)
        evaluation.measurement.reset();
    }
    return evaluation;
  }
  Result<Evaluation> confirm(const Candidate &candidate, int) override { return judged(candidate); }
  /// Three quarters of all texts are the same code.
  Result<Evaluation> shortened(const Candidate &candidate, const ShorterRequest &request) override {
    const bool isSame = candidate.id == request.winner->id || !isHashedToRejection(candidate.text);
    Evaluation evaluation;
    evaluation.candidate = candidate.id;
    evaluation.stage = Stage::Compile;
    evaluation.verdict = isSame ? Verdict::Accepted : Verdict::Rejected;
    evaluation.objectHash = isSame ? "code" : "";
    return evaluation;
  }

private:
  static double ratioOf(const Candidate &candidate) {
    return isHashedToRejection(candidate.text) ? 0 : 0.5 + hashedNumber(candidate.text) % 1000 / 250.0;
  }
  static Measurement measured(double ratio) {
    return {.comparison = ratio > 1.02 ? Comparison::Faster : Comparison::Same,
            .speedup = {.ratio = ratio, .low = ratio * 0.99, .high = ratio * 1.01}};
  }
  static Evaluation judged(const Candidate &candidate) {
    const double ratio = ratioOf(candidate);
    Evaluation evaluation;
    evaluation.candidate = candidate.id;
    evaluation.stage = ratio == 0 ? Stage::Test : Stage::Benchmark;
    evaluation.verdict = ratio == 0 ? Verdict::Rejected : ratio > 1.02 ? Verdict::Accepted : Verdict::NotFaster;
    if (ratio > 0)
      evaluation.measurement = measured(ratio);
    return evaluation;
  }
};

/// Runs in folders of their own. The parameter begins with a strategy.
class HashedRun : public testing::TestWithParam<const char *> {
protected:
  HashedRun() {
    config_.maxSeconds = 0;
    config_.model.maxFailures = 0;
    config_.model.budgetUsd = 100;
  }

  std::string folder(const std::string &name) const {
    EXPECT_TRUE(createDirectories(scratch_.path() / name));
    return (scratch_.path() / name).string();
  }

  /// What an agent is given beside what every run gives it.
  virtual void adjust(LlmAgentSettings &, const RunRecord &) {}

  /// What a loop is given beside what every loop gets.
  virtual void prepare(RunRequest &) {}

  /// Runs, or continues, the run in this folder to its end; returns its directory.
  std::string run(const std::string &runs, bool resumes, std::unique_ptr<ChatModel> model) {
    const RunIdentity identity{"k", "l", "f", "1", "2", "3", ""};
    auto journal = resumes ? Journal::resume(runs, identity) : Journal::create(runs, identity, config_);
    if (!journal) {
      ADD_FAILURE() << journal.error().message;
      return {};
    }
    ModelFacts facts;
    facts.inputUsd = facts.outputUsd = 1e-6;
    LlmAgentSettings settings{.label = "some:model",
                              .config = config_.model,
                              .runDirectory = journal->directory(),
                              .prices = pricesOf(facts),
                              .cancelled = &cancelled_,
                              .inFlight = std::make_shared<CallsInFlight>(config_.model.parallel)};
    adjust(settings, journal->record());
    auto agent = LlmAgent::create(std::move(model), std::move(settings));
    EXPECT_TRUE(agent) << agent.error().message;
    const LlmAgent &asking = **agent;
    StrategyAgent asked(std::move(*agent), *parseAskStrategy(config_.model.strategy));
    HashedEvaluator evaluator;
    RunRequest request;
    request.config = config_;
    request.cancelled = &cancelled_;
    prepare(request);
    auto outcome = runLoop(evaluator, asked, *journal, request, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (outcome)
      outcome_ = *outcome;
    totals_ = asking.totals();
    return journal->directory();
  }

  RunConfig config_;
  RunOutcome outcome_;                  ///< of the last run
  CallTotals totals_;                   ///< of the last run
  std::atomic<bool> cancelled_ = false; ///< of the next runs
  ScratchDirectory scratch_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "hashed-run"));
};

/// The lines of a file, with their ends.
inline std::vector<std::string> linesOf(const fs::path &file) {
  std::vector<std::string> lines;
  const std::string text = readFile(file).value_or("");
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end + 1 - begin));
  return lines;
}

inline std::string nameOfRow(const testing::TestParamInfo<const char *> &row) {
  std::string name(row.param);
  std::erase_if(name, [](char c) { return c == '-' || c == '=' || c == '+'; });
  std::ranges::replace(name, '/', '_');
  return name;
}

} // namespace agentic
