// A model and an evaluator whose answers are functions of what they get, for whole runs whose calls come in any order.
#pragma once

#include "tests/search/loop_fixture.h"
#include "tool/base/hash.h"
#include "tool/llm/chat_json.h"
#include "tool/llm/chat_model.h"

#include <string>

namespace agentic {

inline unsigned hashedNumber(const std::string &text) {
  return static_cast<unsigned>(std::stoul(sha256(text).substr(0, 6), nullptr, 16));
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
    const unsigned number = hashedNumber(requestBody(request));
    ChatReply reply;
    reply.message.role = ChatRole::Assistant;
    reply.message.text = number % 9 == 0 || isUseless ? "Blocks." : hashedReply(number);
    reply.usage = {.freshInput = 1000, .output = isUseless ? request.maxOutputTokens : 500, .isReported = true};
    return reply;
  }
  bool isUseless = false; ///< no file, at the greatest cost

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

private:
  static double ratioOf(const Candidate &candidate) {
    const unsigned number = hashedNumber(candidate.text);
    return number % 4 == 0 ? 0 : 0.5 + number % 1000 / 250.0;
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

} // namespace agentic
