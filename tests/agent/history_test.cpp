// Measures how much each call repeats: compact is bounded, full grows, over 50 iterations of realistic sizes.
#include "tests/agent/scripted_model.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

using namespace testing_support;

/// Bytes of each of 50 requests: candidates of 3 to 6 KB, a fifth of them better than before, two fifths rejected.
std::vector<std::size_t> requestSizes(const std::string &history) {
  ScriptedRun run;
  run.settings.config.history = history;
  run.settings.config.budgetUsd = 1000;
  run.settings.config.maxFailures = 0;
  run.state.iterationsLeft = 50;
  run.settings.label = "openrouter:some/model";
  run.state.spec.text = "void f(float *x, int n) {\n" + std::string(900, ' ') + "}"; // the size of binary_gemm's text
  for (int i = 0; i < 50; ++i) {
    const std::string body = "x[0] = " + std::to_string(i) + "; // and keep the sums of eight rows in registers";
    run.script->answers.push_back(says(replyWith(body, "try" + std::to_string(i) + ".cpp", 3000 + (i * 977) % 3000)));
  }
  const auto agent = run.agent();
  for (int i = 0; i < 50; ++i) {
    const auto proposal = agent->propose(run.state);
    EXPECT_TRUE(proposal && proposal->candidates.size() == 1);
    if (!proposal)
      break;
    run.take(*proposal, [&](const Candidate &candidate) {
      if (i % 5 == 1)
        return rejectedBy(Stage::Compile,
                          candidate.id + ".cpp:12:3: error: no matching function for call\n" + std::string(900, 'd'));
      if (i % 5 == 3)
        return rejectedBy(Stage::Test, "Shapes/M8_K96: 96 failed assertions, largest difference 3.5");
      return measured(i % 5 == 0 ? 1 + 0.1 * (i + 1) : 0.9, i % 5 == 0);
    });
    --*run.state.iterationsLeft;
  }
  std::vector<std::size_t> sizes;
  for (const ChatRequest &request : run.script->requests)
    sizes.push_back(dumpLine(requestJson(request)).size());
  return sizes;
}

std::size_t sumOf(const std::vector<std::size_t> &sizes) {
  std::size_t sum = 0;
  for (const std::size_t size : sizes)
    sum += size;
  return sum;
}

/// The mean of five requests that end with this one: single sizes depend on the candidates they show.
double meanBefore(const std::vector<std::size_t> &sizes, std::size_t end) {
  double sum = 0;
  for (std::size_t i = end - 5; i < end; ++i)
    sum += double(sizes[i]);
  return sum / 5;
}

TEST(History, CompactIsBoundedAndFullGrows) {
  const std::vector<std::size_t> compact = requestSizes("compact"), full = requestSizes("full"),
                                 best = requestSizes("best");
  ASSERT_EQ(compact.size(), 50u);
  ASSERT_EQ(full.size(), 50u);
  std::printf("[   SIZE   ] compact: %zu bytes at 5, %zu at 50; in all %zu, full %zu (%.1fx)\n", compact[4],
              compact[49], sumOf(compact), sumOf(full), double(sumOf(full)) / double(sumOf(compact)));
  EXPECT_LE(double(compact[49]), 1.3 * double(compact[4])) << compact[4] << " -> " << compact[49];
  EXPECT_LE(meanBefore(compact, 50), 1.3 * meanBefore(compact, 10));
  EXPECT_GE(double(sumOf(full)), 5.0 * double(sumOf(compact))) << sumOf(full) << " / " << sumOf(compact);
  EXPECT_GT(full[49], 8 * full[4]);
  EXPECT_LT(sumOf(best), sumOf(compact));
}

TEST(History, CompactDependsOnNothingButWhatHappened) {
  EXPECT_EQ(requestSizes("compact"), requestSizes("compact"));
}

TEST(History, CompactShowsTheBestSourceTheTableAndTheLatest) {
  ScriptedRun run;
  run.script->answers = {says(replyWith("x[0] = 1;")), says(replyWith("x[0] = 2;")), says(replyWith("x[0] = 3;")),
                         says(replyWith("x[0] = 4;"))};
  const auto agent = run.agent();
  for (int i = 0; i < 3; ++i)
    run.take(*agent->propose(run.state),
             [&](const Candidate &) { return i == 0 ? measured(2, true) : rejectedBy(Stage::Test, "T.x: failed"); });
  ASSERT_TRUE(agent->propose(run.state));
  const std::string &text = run.script->requests.back().messages.back().text;
  EXPECT_NE(text.find("#1\n\n```cpp a.cpp\nvoid f(float *x, int n) {\nx[0] = 1;"), std::string::npos) << text;
  EXPECT_NE(text.find("x[0] = 3;\n}"), std::string::npos) << "the latest source is not shown";
  EXPECT_EQ(text.find("x[0] = 2;\n}"), std::string::npos) << "every source is shown";
  EXPECT_EQ(run.script->requests.back().messages.size(), 2u);
}

} // namespace
} // namespace agentic
