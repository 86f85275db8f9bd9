// Tests an agent with recordings: what it writes and when, and how a run is answered from one.
#include "tests/agent/scripted_model.h"
#include "tool/llm/cassette.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::string reply(int n) {
  return replyWith("x[0] = " + std::to_string(n) + ";");
}

class Replay : public testing::Test {
protected:
  /// Records a run with so many answers.
  void record(int answers) {
    ScriptedRun recorded;
    auto recorder = std::make_shared<Recorder>(*Recorder::open(file(), "scripted", {}));
    recorded.settings.record = [recorder](const ChatRequest &request, const ChatResult<ChatReply> &answer) {
      EXPECT_TRUE(recorder->add(request, answer));
    };
    const auto agent = recorded.agent();
    for (int n = 1; n <= answers; ++n) {
      recorded.script->answers.push_back(says(reply(n)));
      recorded.take(*agent->propose(recorded.state), failing);
    }
  }

  std::unique_ptr<LlmAgent> replaying() {
    auto model = makeReplayModel("replay:" + file());
    EXPECT_TRUE(model) << model.error().message;
    auto made = LlmAgent::create(std::move(*model), run_.settings);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  std::string file() const { return (run_.folder->path() / "recording.jsonl").string(); }
  ScriptedRun run_;
};

TEST_F(Replay, AMissEndsTheRunWhenever) {
  record(2);
  const auto agent = replaying();
  for (int n = 1; n <= 2; ++n)
    run_.take(*agent->propose(run_.state), failing);
  const auto missed = agent->propose(run_.state);
  ASSERT_FALSE(missed) << missed->stop;
  EXPECT_EQ(missed.error().kind, ErrorKind::User);
  EXPECT_THAT(missed.error().message, HasSubstr("all of its 2 were given"));
  EXPECT_THAT(missed.error().next, HasSubstr("--max-iterations"));
}

// Measurements differ from those of the recorded run: the requests are no longer the recorded ones.
TEST_F(Replay, AResumedRunIsAnsweredFromWhereItWas) {
  record(3);
  run_.take(*replaying()->propose(run_.state), [](const Candidate &) { return measured(2, true); });
  const auto again = replaying()->propose(run_.state);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->candidates.size(), 1u);
  EXPECT_THAT(again->candidates[0].text, HasSubstr("x[0] = 2;"));
}

TEST_F(Replay, WhatIsLoggedIsUsedWhateverBecomesOfTheRecording) {
  std::vector<std::string> outcomes;
  run_.settings.record = [&](const ChatRequest &, const ChatResult<ChatReply> &) {
    const auto calls = CallLog::read(run_.settings.runDirectory);
    outcomes.push_back(calls && !calls->empty() ? calls->back().outcome : "none");
  };
  run_.settings.retry = [](const ChatError &, int) { return std::optional(0.0); };
  run_.script->answers = {fails(ChatErrorKind::Rate), says(reply(1))};
  const auto proposal = run_.agent()->propose(run_.state);
  ASSERT_TRUE(proposal);
  EXPECT_EQ(proposal->candidates.size(), 1u);
  EXPECT_EQ(outcomes, (std::vector<std::string>{"rate", kAnswered}));
}

} // namespace
} // namespace agentic
