// Tests the agent in the loop: its proposals, the reasons to stop, and what a resumed run repeats.
#include "tests/agent/scripted_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

const std::string &lastText(const ScriptedRun &run) {
  return run.script->requests.back().messages.back().text;
}

TEST(LlmAgent, AReplyIsAProposalAndItsVerdictIsTold) {
  ScriptedRun run;
  run.script->answers = {says(replyWith("x[0] = 1;")), says(replyWith("x[0] = 2;"))};
  const auto agent = run.agent();
  const auto first = agent->propose(run.state);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_EQ(first->candidates.size(), 1u);
  EXPECT_EQ(first->candidates[0].origin, "scripted:model call 1");
  EXPECT_EQ(first->call, 1);
  EXPECT_THAT(run.script->requests[0].messages[0].text, HasSubstr("x[i] = x[i] * 2"));
  run.take(*first, failing);
  const auto second = agent->propose(run.state);
  ASSERT_TRUE(second);
  EXPECT_THAT(lastText(run), HasSubstr("Suite.Case: 3 failed assertions"));
  EXPECT_THAT(lastText(run), HasSubstr("The idea is x[0] = 1;"));
  EXPECT_EQ(agent->totals().calls, 2);
  EXPECT_EQ(agent->totals().usd, 0.003);
}

TEST(LlmAgent, SeveralCandidatesOfAReplyAreTold) {
  ScriptedRun run;
  run.script->answers = {says(replyWith("x[0] = 1;") + replyWith("x[0] = 2;", "b.cpp")), says("x")};
  const auto agent = run.agent();
  const auto proposal = agent->propose(run.state);
  ASSERT_EQ(proposal->candidates.size(), 2u);
  EXPECT_EQ(proposal->candidates[1].origin, "scripted:model call 1 (2 of 2)");
  EXPECT_EQ(callOfOrigin(proposal->candidates[1].origin), 1);
}

TEST(LlmAgent, AReplyWithoutACandidateIsAnIterationAndIsToldWhy) {
  ScriptedRun run;
  run.script->answers = {says("I would block the loop."), says(replyWith("x[0] = 1;"))};
  const auto agent = run.agent();
  const auto first = agent->propose(run.state);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->isUnusable);
  EXPECT_TRUE(first->candidates.empty());
  EXPECT_THAT(first->note, HasSubstr("no C++ file"));
  run.take(*first, failing);
  EXPECT_EQ(agent->propose(run.state)->candidates.size(), 1u);
  EXPECT_THAT(lastText(run), HasSubstr("held no candidate"));
  EXPECT_THAT(lastText(run), HasSubstr("no C++ file"));
}

TEST(LlmAgent, TheSameTextAgainIsNoCandidate) {
  ScriptedRun run;
  run.script->answers = {says(replyWith("x[0] = 1;")), says(replyWith("x[0] = 1;")), says("")};
  const auto agent = run.agent();
  run.take(*agent->propose(run.state), failing);
  const auto again = agent->propose(run.state);
  EXPECT_TRUE(again->isUnusable);
  EXPECT_THAT(again->note, HasSubstr("tried before"));
}

TEST(LlmAgent, FailuresInARowEndTheRun) {
  ScriptedRun run;
  run.settings.config.maxFailures = 3;
  for (int i = 0; i < 9; ++i)
    run.script->answers.push_back(i == 1   ? says(replyWith("x[0] = 9;"))
                                  : i == 2 ? says("nothing")
                                           : says(replyWith("x[0] = " + std::to_string(i) + ";")));
  const auto agent = run.agent();
  std::string stop;
  int calls = 0;
  for (; calls < 9 && stop.empty(); ++calls) {
    const auto proposal = agent->propose(run.state);
    ASSERT_TRUE(proposal);
    stop = proposal->stop;
    run.take(*proposal, [&](const Candidate &) { return calls == 1 ? measured(0.9, false) : failing({}); });
  }
  EXPECT_EQ(calls, 6); // a failure, one that is correct but slow, three failures, and then no call
  EXPECT_EQ(run.script->requests.size(), 5u);
  EXPECT_THAT(stop, HasSubstr("3 tries in a row failed"));
}

TEST(LlmAgent, AStopFileEndsTheRunBeforeTheNextCall) {
  ScriptedRun run;
  run.settings.config.stopFile = (run.folder->path() / "stop").string();
  run.script->answers = {says(replyWith("x[0] = 1;")), says(replyWith("x[0] = 2;"))};
  const auto agent = run.agent();
  run.take(*agent->propose(run.state), failing);
  ASSERT_TRUE(writeFileAtomic(run.settings.config.stopFile, ""));
  EXPECT_THAT(agent->propose(run.state)->stop, HasSubstr("stop file"));
  EXPECT_EQ(run.script->requests.size(), 1u);
}

TEST(LlmAgent, TransientErrorsAreTriedAgainAndEachAttemptIsReserved) {
  ScriptedRun run;
  run.settings.retry = [](const ChatError &, int failures) { return failures < 3 ? std::optional(0.0) : std::nullopt; };
  run.script->answers = {fails(ChatErrorKind::Network), fails(ChatErrorKind::Rate, false),
                         says(replyWith("x[0] = 1;"))};
  const auto agent = run.agent();
  const auto proposal = agent->propose(run.state);
  ASSERT_TRUE(proposal) << proposal.error().message;
  EXPECT_EQ(proposal->call, 1);
  const auto calls = CallLog::read(run.settings.runDirectory);
  ASSERT_EQ(calls->size(), 3u);
  EXPECT_EQ((*calls)[0].cost.usd, (*calls)[0].worstUsd); // it may have been billed
  EXPECT_EQ((*calls)[1].cost.usd, 0);
  EXPECT_EQ((*calls)[2].attempt, 3);
  EXPECT_EQ(agent->totals().calls, 1);
}

TEST(LlmAgent, AModelThatNeverAnsweredIsAnErrorAndOneThatDoesNoMoreEndsTheSearch) {
  ScriptedRun run;
  run.script->answers = {fails(ChatErrorKind::Key)};
  const auto never = run.agent()->propose(run.state);
  ASSERT_FALSE(never);
  EXPECT_THAT(never.error().next, HasSubstr("mend it"));

  ScriptedRun later;
  later.script->answers = {says(replyWith("x[0] = 1;")), fails(ChatErrorKind::Money)};
  const auto agent = later.agent();
  later.take(*agent->propose(later.state), failing);
  EXPECT_THAT(agent->propose(later.state)->stop, HasSubstr("scripted:model: it fails"));
}

TEST(LlmAgent, CancellationIsAnInterruption) {
  ScriptedRun run;
  std::atomic<bool> cancelled{true};
  run.settings.cancelled = &cancelled;
  run.script->answers = {fails(ChatErrorKind::Cancelled)};
  const auto proposal = run.agent()->propose(run.state);
  ASSERT_FALSE(proposal);
  EXPECT_EQ(proposal.error().kind, ErrorKind::Interrupted);
}

TEST(LlmAgent, ACallBeyondTheTimeIsCutAndEndsTheRun) {
  ScriptedRun run;
  run.state.secondsLeft = 0.01;
  run.script->answers = {[](const ChatRequest &) -> ChatResult<ChatReply> {
    return std::unexpected(ChatError{ChatErrorKind::Cancelled, "interrupted", "", std::nullopt, true});
  }};
  const auto agent = run.agent();
  run.state.secondsLeft = 0;
  EXPECT_THAT(agent->propose(run.state)->stop, HasSubstr("time budget"));
}

TEST(LlmAgent, AServerWithoutToolsIsAskedForText) {
  ScriptedRun run;
  run.settings.config.protocol = "tools";
  run.script->answers = {fails(ChatErrorKind::Tools, false), says(replyWith("x[0] = 1;"))};
  const auto agent = run.agent();
  ASSERT_EQ(agent->propose(run.state)->candidates.size(), 1u);
  EXPECT_EQ(run.script->requests[0].tools.size(), 1u);
  EXPECT_THAT(run.script->requests[0].messages[0].text, HasSubstr("call evaluate_kernel"));
  EXPECT_TRUE(run.script->requests[1].tools.empty());
  EXPECT_THAT(run.script->requests[1].messages[0].text, HasSubstr("one fenced block"));
}

Answer callsWith(const std::string &arguments) {
  return [=](const ChatRequest &) {
    ChatReply reply = replyOf("Now.");
    reply.finish = ChatFinish::ToolCalls;
    reply.message.toolCalls = {{"call_7", "evaluate_kernel", arguments}};
    return reply;
  };
}

TEST(LlmAgent, MalformedCallsAreAnsweredAndAfterThreeItIsText) {
  ScriptedRun run;
  run.settings.config.protocol = "tools";
  run.script->answers = {callsWith("{"), callsWith("[]"), callsWith("{}"), says(replyWith("x[0] = 1;"))};
  const auto agent = run.agent();
  std::string note;
  for (int i = 0; i < 3; ++i) {
    const auto proposal = agent->propose(run.state);
    EXPECT_TRUE(proposal->isUnusable);
    note = proposal->note;
    run.take(*proposal, failing);
  }
  EXPECT_THAT(note, HasSubstr("asked for text"));
  const std::vector<ChatMessage> &answered = run.script->requests[1].messages;
  EXPECT_EQ(answered.back().role, ChatRole::Tool);
  EXPECT_EQ(answered.back().toolCallId, "call_7");
  EXPECT_THAT(answered.back().text, HasSubstr("no JSON"));
  EXPECT_EQ(answered[answered.size() - 2].toolCalls.size(), 1u);
  EXPECT_EQ(agent->propose(run.state)->candidates.size(), 1u);
  EXPECT_TRUE(run.script->requests[3].tools.empty());
}

TEST(LlmAgent, MalformedCallsNowAndThenLeaveItToItsTools) {
  ScriptedRun run;
  run.settings.config.protocol = "tools";
  for (int i = 0; i < 6; ++i) {
    const std::string source = "void f(float *x, int n) { x[0] = " + std::to_string(i) + "; }";
    run.script->answers.push_back(
        callsWith(i % 2 == 0 ? "{" : nlohmann::json{{"name", "a.cpp"}, {"source", source}}.dump()));
  }
  const auto agent = run.agent();
  for (int i = 0; i < 6; ++i) {
    const auto proposal = agent->propose(run.state);
    EXPECT_EQ(proposal->isUnusable, i % 2 == 0) << i;
    run.take(*proposal, failing);
  }
  for (const ChatRequest &request : run.script->requests)
    EXPECT_EQ(request.tools.size(), 1u);
}

TEST(LlmAgent, FullHistoryThatDoesNotFitGoesOnBounded) {
  ScriptedRun run;
  run.settings.config.history = "full";
  run.script->answers = {says(replyWith("x[0] = 1;")), fails(ChatErrorKind::TooLong, false),
                         says(replyWith("x[0] = 2;"))};
  const auto agent = run.agent();
  run.take(*agent->propose(run.state), failing);
  ASSERT_EQ(agent->propose(run.state)->candidates.size(), 1u);
  EXPECT_EQ(run.script->requests[1].messages.size(), 4u);
  EXPECT_EQ(run.script->requests[1].messages[2].role, ChatRole::Assistant);
  EXPECT_EQ(run.script->requests[2].messages.size(), 2u);
}

TEST(LlmAgent, ASmallContextGetsAShorterHistoryAndASmallerAnswer) {
  ScriptedRun run;
  run.settings.config.history = "full";
  run.settings.contextTokens = 8192;
  for (int i = 0; i < 6; ++i)
    run.script->answers.push_back(says(replyWith("x[0] = " + std::to_string(i) + ";", "a.cpp", 3000)));
  const auto agent = run.agent();
  for (int i = 0; i < 6; ++i) {
    const auto proposal = agent->propose(run.state);
    ASSERT_TRUE(proposal);
    ASSERT_EQ(proposal->stop, "");
    run.take(*proposal, failing);
  }
  EXPECT_EQ(run.script->requests[1].messages.size(), 4u);
  EXPECT_EQ(run.script->requests[5].messages.size(), 2u);
  for (const ChatRequest &request : run.script->requests) {
    EXPECT_GE(request.maxOutputTokens, 2048);
    EXPECT_LE(request.maxOutputTokens + dumpLine(requestJson(request)).size() / 3, 8192u);
  }
  run.settings.contextTokens = 1500;
  const auto tooSmall = run.agent()->propose(run.state);
  ASSERT_TRUE(tooSmall);
  EXPECT_THAT(tooSmall->stop, HasSubstr("context of 1500 tokens"));
}

TEST(LlmAgent, AResumedRunAsksTheSameAndPaysNothingTwice) {
  ScriptedRun run;
  run.settings.config.history = "full";
  run.script->answers = {says(replyWith("x[0] = 1;")), says(replyWith("x[0] = 2;")), says(replyWith("x[0] = 3;"))};
  auto agent = run.agent();
  run.take(*agent->propose(run.state), failing);
  const auto lost = agent->propose(run.state); // the process dies before it is journaled
  agent = run.agent();
  const auto found = agent->propose(run.state);
  ASSERT_TRUE(found);
  EXPECT_EQ(run.script->requests.size(), 2u) << "an answer that was there was asked for again";
  EXPECT_EQ(found->call, 2);
  EXPECT_EQ(found->candidates.at(0).id, lost->candidates.at(0).id);
  run.take(*found, failing);
  ASSERT_TRUE(agent->propose(run.state));
  // Earlier messages are repeated byte for byte.
  const std::vector<ChatMessage> &before = run.script->requests[1].messages, &after = run.script->requests[2].messages;
  ASSERT_EQ(after.size(), before.size() + 2);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(after[i].text, before[i].text) << i;
}

TEST(LlmAgent, SecretsAreTakenOutOfWhatIsWritten) {
  ScriptedRun run;
  run.settings.redact = [](std::string text) {
    for (std::size_t at = text.find("sk-secret"); at != std::string::npos; at = text.find("sk-secret"))
      text.replace(at, 9, "[redacted]");
    return text;
  };
  run.script->answers = {says("Your key is sk-secret.\n" + replyWith("x[0] = 1; // sk-secret"))};
  ASSERT_TRUE(run.agent()->propose(run.state));
  int files = 0;
  for (const auto &entry : fs::recursive_directory_iterator(run.settings.runDirectory))
    if (entry.is_regular_file()) {
      ++files;
      EXPECT_THAT(readFile(entry.path()).value(), Not(HasSubstr("sk-secret"))) << entry.path();
    }
  EXPECT_EQ(files, 3);
}

TEST(AgentLabel, HoldsNeitherPathsNorArgumentsNorPasswords) {
  EXPECT_EQ(agentLabel("command:/home/me/agent.sh --key x"), "command:agent.sh");
  EXPECT_EQ(agentLabel("replay:/tmp/run.jsonl"), "replay:run.jsonl");
  EXPECT_EQ(agentLabel("http://me:secret@host:8080/v1?key=x#qwen"), "http://host:8080/v1#qwen");
  EXPECT_EQ(agentLabel("openrouter:qwen/qwen3-coder"), "openrouter:qwen/qwen3-coder");
}

} // namespace
} // namespace agentic
