// Kills the process at every step of a call, then resumes the run: no answered call is repeated, and the cap holds.
#include "tests/agent/scripted_model.h"
#include "tool/base/money.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace agentic {
namespace {

using namespace testing_support;

/// Every text that is written passes here: four per call. The process dies before the `fatal`th.
CallLog::Redact dyingAt(int fatal) {
  return [fatal, count = std::make_shared<int>(0)](std::string text) {
    if (++*count == fatal)
      ::kill(::getpid(), SIGKILL);
    return text;
  };
}

constexpr int kRequestFile = 1, kReserved = 2, kInFlight = 0, kReplyFile = 3, kSettled = 4, kProposed = 5;

/// Two calls; the second one's process dies at `step`.
void dieIn(const ScriptedRun &run, int step) {
  ScriptedRun child;
  child.settings.runDirectory = run.settings.runDirectory;
  child.state = run.state;
  child.script->answers = {says(replyWith("x[0] = 1;")), [=](const ChatRequest &) {
                             if (step == kInFlight)
                               ::kill(::getpid(), SIGKILL);
                             return replyOf(replyWith("x[0] = 2;"));
                           }};
  if (step != kInFlight)
    child.settings.redact = dyingAt(4 + step);
  const auto agent = child.agent();
  child.take(*agent->propose(child.state), [](const Candidate &) { return rejectedBy(Stage::Test); });
  const auto proposal = agent->propose(child.state);
  if (step == kProposed)
    ::kill(::getpid(), SIGKILL);
}

class CallCrash : public testing::TestWithParam<int> {};

TEST_P(CallCrash, LosesAtMostTheCallInFlight) {
  const int step = GetParam();
  ScriptedRun run;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    dieIn(run, step);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it did not die at step " << step;

  // The journal says that the first reply was evaluated.
  run.state.calls = {1};
  run.state.attempts.push_back(
      {makeCandidate("void f(float *x, int n) {\nx[0] = 1;\n}\n", "scripted:model call 1"), rejectedBy(Stage::Test)});
  run.script->answers = {says(replyWith("x[0] = 3;"))};
  const auto agent = run.agent();
  const double before = agent->totals().usd;
  const auto proposal = agent->propose(run.state);
  ASSERT_TRUE(proposal) << proposal.error().message;
  const bool hadReply = step == kSettled || step == kProposed;
  EXPECT_EQ(run.script->requests.size(), hadReply ? 0u : 1u);
  ASSERT_EQ(proposal->candidates.size(), 1u);
  EXPECT_EQ(proposal->candidates[0].text.find("x[0] = 2;") != std::string::npos, hadReply);

  constexpr double kAnswered = 0.0015; // 1000 tokens in, 500 out
  const auto calls = CallLog::read(run.settings.runDirectory);
  ASSERT_TRUE(calls);
  ASSERT_GE(calls->size(), 2u);
  // A reservation without an answer counts as spent; a call without a reservation was never sent.
  const double lost = step == kInFlight || step == kReplyFile ? (*calls)[1].worstUsd : hadReply ? kAnswered : 0;
  EXPECT_EQ(before, sumUsd(kAnswered, lost));
  EXPECT_GE(agent->totals().usd, sumUsd(before, hadReply ? 0 : kAnswered));
}

INSTANTIATE_TEST_SUITE_P(Steps, CallCrash,
                         testing::Values(kInFlight, kRequestFile, kReserved, kReplyFile, kSettled, kProposed));

TEST(CallLog, ATornLastLineIsPassedOver) {
  ScriptedRun run;
  run.script->answers = {says(replyWith("x[0] = 1;")), says(replyWith("x[0] = 2;"))};
  {
    const auto agent = run.agent();
    run.take(*agent->propose(run.state), [](const Candidate &) { return rejectedBy(Stage::Test); });
  }
  const fs::path path = fs::path(run.settings.runDirectory) / "calls.jsonl";
  const std::string whole = readFile(path).value();
  // The last line is cut at every byte: the reply's file settles what is missing from it.
  const std::size_t begin = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t end : {begin + 1, (begin + whole.size()) / 2, whole.size() - 1}) {
    ASSERT_TRUE(writeFileAtomic(path, whole.substr(0, end)));
    const auto agent = run.agent();
    ASSERT_TRUE(agent);
    EXPECT_EQ(agent->totals().answered, 1);
    EXPECT_EQ(agent->totals().usd, 0.0015);
  }
  EXPECT_EQ(run.agent()->propose(run.state)->call, 2);
}

TEST(CallLog, ACallHasAPurposeAndAQuestion) {
  ScriptedRun run;
  auto log = CallLog::open(run.settings.runDirectory, {});
  ASSERT_TRUE(log);
  const Ask question{.strategy = "beam", .parent = "0123", .plan = 2, .plans = 3};
  ASSERT_TRUE(log->reserve(1, 1, "one:model", {}, "body", 0.5, {"coder", "plan 3 of call 7"}, question));
  ASSERT_TRUE(log->reserve(2, 1, "one:model", {}, "body", 0.5, {"judge", "4567"}));
  ASSERT_TRUE(log->reserve(3, 1, "one:model", {}, "body", 0.5, {}, question));
  const auto calls = CallLog::read(run.settings.runDirectory);
  ASSERT_TRUE(calls && calls->size() == 3);
  EXPECT_EQ(calls->at(0).purpose.role, "coder");
  EXPECT_EQ(calls->at(0).purpose.about, "plan 3 of call 7");
  ASSERT_TRUE(calls->at(0).ask);
  EXPECT_EQ(calls->at(0).ask->strategy, "beam");
  EXPECT_EQ(calls->at(0).ask->parent, "0123");
  EXPECT_EQ(calls->at(0).ask->plan, 2);
  EXPECT_EQ(calls->at(0).ask->plans, 3);
  EXPECT_EQ(calls->at(1).purpose.role, "judge");
  EXPECT_FALSE(calls->at(1).ask);
  EXPECT_EQ(calls->at(2).purpose.role, "");
  EXPECT_TRUE(calls->at(2).ask);
}

TEST(CallLog, ADamagedReplyIsAnErrorNotASecondCall) {
  ScriptedRun run;
  run.script->answers = {says(replyWith("x[0] = 1;"))};
  ASSERT_TRUE(run.agent()->propose(run.state));
  ASSERT_TRUE(writeFileAtomic(run.settings.runDirectory + "/calls/0001-1.reply.json", "{}"));
  const auto made = LlmAgent::create(std::make_unique<ScriptedModel>(run.script), run.settings);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("0001-1.reply.json"), std::string::npos);
}

} // namespace
} // namespace agentic
