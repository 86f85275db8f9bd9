// A model that answers from a list, and a run driven like the loop's, without any evaluation.
#pragma once

#include "tool/agent/llm_agent.h"
#include "tool/base/files.h"
#include "tool/llm/chat_json.h"

#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace agentic::testing_support {

using Answer = std::function<ChatResult<ChatReply>(const ChatRequest &request)>;

inline ChatReply replyOf(std::string text) {
  ChatReply reply;
  reply.message.role = ChatRole::Assistant;
  reply.message.text = std::move(text);
  reply.usage = {.freshInput = 1000, .output = 500, .isReported = true};
  return reply;
}

inline Answer says(std::string text) {
  return [text = std::move(text)](const ChatRequest &) { return replyOf(text); };
}

inline Answer fails(ChatErrorKind kind, bool maybeBilled = true) {
  return [=](const ChatRequest &) {
    return std::unexpected(ChatError{kind, "it fails", "mend it", std::nullopt, maybeBilled});
  };
}

/// State that a model shares with the test that owns it.
struct Script {
  std::deque<Answer> answers;
  std::vector<ChatRequest> requests;
};

class ScriptedModel : public ChatModel {
public:
  explicit ScriptedModel(std::shared_ptr<Script> script) : script_(std::move(script)) {}
  const std::string &name() const override { return name_; }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override { return ModelFacts{}; }
  std::string requestBody(const ChatRequest &request) const override { return dumpLine(requestJson(request)); }
  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *,
                                 const std::function<void(std::string_view)> &) override {
    script_->requests.push_back(request);
    if (script_->answers.empty())
      return std::unexpected(
          ChatError{ChatErrorKind::Missing, "the script is over", "write more", std::nullopt, false});
    const Answer answer = std::move(script_->answers.front());
    script_->answers.pop_front();
    return answer(request);
  }

private:
  std::shared_ptr<Script> script_;
  std::string name_ = "scripted";
};

/// "Idea <n>" and a file that defines the kernel; `bytes` of it.
inline std::string replyWith(const std::string &body, const std::string &file = "a.cpp", std::size_t bytes = 0) {
  std::string text = "void f(float *x, int n) {\n" + body + "\n}\n";
  while (text.size() < bytes)
    text += "// " + std::string(60, 'x') + std::to_string(text.size()) + "\n";
  return "The idea is " + body + "\n```cpp " + file + "\n" + text + "```\n";
}

inline Prices flatPrices(double inputUsd, double outputUsd) {
  ModelFacts facts;
  facts.inputUsd = inputUsd;
  facts.outputUsd = outputUsd;
  return pricesOf(facts);
}

inline RunState freshState() {
  RunState state;
  state.spec.kernel = "demo";
  state.spec.function = "demo::f";
  state.spec.identifier = "f";
  state.spec.signature = "void f(float *x, int n)";
  state.spec.text = "void f(float *x, int n) {\n  for (int i = 0; i < n; ++i) x[i] = x[i] * 2;\n}";
  state.level = "x86-64-v4";
  state.family = "clang";
  state.baselineNs = 1.5e6;
  state.secondsLeft = 1e9;
  return state;
}

/// A folder, a model and the run's state between two proposals.
class ScriptedRun {
public:
  ScriptedRun() : script(std::make_shared<Script>()), state(freshState()) {
    auto made = ScratchDirectory::create(fs::temp_directory_path(), "llm-agent");
    EXPECT_TRUE(made);
    folder.emplace(std::move(*made));
    settings.label = "scripted:model";
    settings.runDirectory = folder->path().string();
    settings.prices = flatPrices(1e-6, 1e-6);
    settings.retry = [](const ChatError &, int) { return std::nullopt; };
  }

  std::unique_ptr<LlmAgent> agent() const {
    auto made = LlmAgent::create(std::make_unique<ScriptedModel>(script), settings);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  }

  /// Acts like the loop: journals the call, judges each candidate.
  void take(const Proposal &proposal, const std::function<Evaluation(const Candidate &)> &judge) {
    if (proposal.call > 0)
      state.calls.insert(proposal.call);
    for (const Candidate &candidate : proposal.candidates) {
      Attempt attempt{candidate, judge(candidate)};
      attempt.evaluation.candidate = candidate.id;
      const bool isBest = attempt.evaluation.verdict == Verdict::Accepted;
      state.attempts.push_back(std::move(attempt));
      if (isBest)
        state.incumbent = state.attempts.size() - 1;
    }
  }

  std::shared_ptr<Script> script;
  RunState state;
  LlmAgentSettings settings;
  std::optional<ScratchDirectory> folder;
};

inline Evaluation rejectedBy(Stage stage, std::string detail = {}) {
  Evaluation evaluation;
  evaluation.verdict = Verdict::Rejected;
  evaluation.stage = stage;
  evaluation.detail = std::move(detail);
  return evaluation;
}

inline Evaluation failing(const Candidate &) {
  return rejectedBy(Stage::Test, "Suite.Case: 3 failed assertions");
}

inline Evaluation measured(double ratio, bool isBest) {
  Evaluation evaluation;
  evaluation.verdict = isBest ? Verdict::Accepted : Verdict::NotFaster;
  evaluation.stage = Stage::Benchmark;
  Measurement measurement;
  measurement.speedup = {ratio, ratio * 0.98, ratio * 1.02, true};
  measurement.referenceNs = 1.5e6;
  measurement.candidateNs = 1.5e6 / ratio;
  measurement.comparison = isBest ? Comparison::Faster : Comparison::Same;
  evaluation.againstIncumbent = measurement;
  if (isBest)
    evaluation.measurement = measurement;
  return evaluation;
}

} // namespace agentic::testing_support
