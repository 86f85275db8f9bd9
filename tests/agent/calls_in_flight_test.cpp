// Tests calls beside others: one budget for all of them, pauses of providers, the order of answers, resumed runs.
#include "tests/agent/meeting_model.h"
#include "tool/base/money.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;

ChatReply numbered(int call) {
  return replyOf(replyWith("x[0] = " + std::to_string(call) + ";"));
}

std::shared_ptr<Meeting>
meetingOf(Meeting::AnswerTo answer, Meeting::Opens opens = [](int, int, int) { return true; }) {
  return std::make_shared<Meeting>(std::move(answer), std::move(opens));
}

/// What one call of such a run may cost at most.
double worstOfOneCall() {
  MeetingRun run(1, meetingOf([](int call, const ChatRequest &) { return numbered(call); }));
  run.settings.config.budgetUsd = 100;
  const auto agent = run.agent();
  EXPECT_EQ(run.begin(*agent), "");
  run.waitUntilReady(1);
  const auto calls = CallLog::read(run.settings.runDirectory);
  EXPECT_TRUE(calls && calls->size() == 1);
  return calls->front().worstUsd;
}

TEST(CallsInFlight, EightThatFailAtTheGreatestCostNeverPassTheBudget) {
  const double worst = worstOfOneCall();
  MeetingRun run(8);
  run.settings.config.budgetUsd = 3.5 * worst;
  run.settings.retry = [](const ChatError &, int failures) { return failures < 9 ? std::optional(0.0) : std::nullopt; };
  const LlmAgent *asking = nullptr;
  std::atomic<bool> isPassed = false;
  // The first three wait for each other, so that three reservations are open at once.
  run.meeting = meetingOf(
      [&](int, const ChatRequest &) -> ChatResult<ChatReply> {
        isPassed = isPassed || asking->totals().usd > 3.5 * worst;
        return std::unexpected(ChatError{ChatErrorKind::Overload, "it fails", "mend it", std::nullopt, true});
      },
      [](int, int arrived, int) { return arrived >= 3; });
  const auto agent = run.agent();
  asking = agent;
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(run.begin(*agent), "");
  run.waitUntilReady(8);
  EXPECT_EQ(run.meeting->mostHere(), 3);
  EXPECT_EQ(run.meeting->arrived(), 3) << "each cost the most, so there is nothing left for a fourth";
  EXPECT_FALSE(isPassed);
  double reserved = 0;
  const auto calls = CallLog::read(run.settings.runDirectory);
  for (const CallRecord &call : *calls)
    reserved = sumUsd(reserved, call.worstUsd);
  EXPECT_EQ(agent->totals().usd, reserved);
  EXPECT_GT(reserved, 2.9 * worst);
  for (ProposalInFlight &flight : run.flights) {
    const auto proposal = flight.take(run.state);
    ASSERT_FALSE(proposal); // nothing was ever answered
    EXPECT_THAT(proposal.error().message, HasSubstr("the dollar budget is spent"));
  }
}

TEST(CallsInFlight, ACallThatDoesNotFitWaitsForOneInFlight) {
  const double worst = worstOfOneCall();
  MeetingRun run(8, meetingOf(
                        [](int call, const ChatRequest &) {
                          ChatReply reply = numbered(call);
                          reply.usage.costUsd = 1e-6;
                          return reply;
                        },
                        [](int, int arrived, int) { return arrived >= 2; }));
  run.settings.config.budgetUsd = 2.5 * worst;
  const auto agent = run.agent();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(run.begin(*agent), "");
  run.waitUntilReady(8);
  EXPECT_EQ(run.meeting->mostHere(), 2);
  for (ProposalInFlight &flight : run.flights) {
    const auto proposal = flight.take(run.state);
    ASSERT_TRUE(proposal && *proposal);
    EXPECT_EQ((*proposal)->candidates.size(), 1u);
  }
  EXPECT_EQ(agent->totals().answered, 8);
}

TEST(CallsInFlight, SeveralAgentsShareTheBudgetOfTheirReservations) {
  const double worst = worstOfOneCall();
  const auto shared = std::make_shared<CallsInFlight>(2);
  const auto meeting = meetingOf([](int call, const ChatRequest &) { return numbered(call); },
                                 [](int, int, int) { return false; }); // until they are cancelled
  MeetingRun runs[2] = {MeetingRun(2, meeting), MeetingRun(2, meeting)};
  LlmAgent *agents[2] = {};
  for (int i = 0; i < 2; ++i) {
    runs[i].settings.inFlight = shared;
    runs[i].settings.config.budgetUsd = 1.5 * worst;
    runs[i].settings.spentElsewhere = [&agents, i] { return agents[1 - i] ? agents[1 - i]->totals().usd : 0; };
    agents[i] = runs[i].agent();
  }
  EXPECT_EQ(runs[0].begin(*agents[0]), "");
  meeting->waitUntilHere(1);
  EXPECT_EQ(runs[1].begin(*agents[1]), "");
  runs[0].flights.clear(); // cancels it, at the greatest cost
  runs[1].waitUntilReady(1);
  EXPECT_EQ(meeting->arrived(), 1) << "the other one's reservation left no room";
}

TEST(CallsInFlight, APauseThatAProviderAsksForHoldsForAllOfItsCalls) {
  double now = 100;
  const auto shared = std::make_shared<CallsInFlight>(3, [&now] { return now; });
  ScratchDirectory folder = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "pause"));
  struct Asking {
    std::shared_ptr<Script> script = std::make_shared<Script>();
    ScriptedModel model{script};
    std::vector<double> waits;
  } first, second, other;
  auto log = *CallLog::open(folder.path().string(), {});
  const auto options = [&](const std::string &provider, Asking &asking, std::function<void()> meanwhile = {}) {
    return AskOptions{.label = "a model",
                      .retry = [](const ChatError &error, int) { return error.retryAfterSeconds; },
                      .wait =
                          [&asking, &now, meanwhile](double seconds, const std::atomic<bool> *) {
                            asking.waits.push_back(seconds);
                            if (meanwhile)
                              meanwhile();
                            now += seconds;
                            return true;
                          },
                      .progress = {},
                      .note = {},
                      .warn = {},
                      .joules = {},
                      .provider = provider,
                      .inFlight = shared};
  };
  const Spending spending({.budgetUsd = 5}, flatPrices(0, 0));
  Asker othersAsker(other.model, log, spending, options("other.example", other));
  Asker secondAsker(second.model, log, spending, options("host.example", second));
  const ChatRequest request{.messages = {{.role = ChatRole::User, .text = "go"}}, .maxOutputTokens = 10};
  first.script->answers = {
      [](const ChatRequest &) { return std::unexpected(ChatError{ChatErrorKind::Rate, "slower", "", 7.0, false}); },
      says("done")};
  second.script->answers = {says("done")};
  other.script->answers = {says("done")};
  const auto meanwhile = [&] { // the first one waits: 3 s later the others begin
    now += 3;
    EXPECT_TRUE(othersAsker.ask(request, nullptr));
    EXPECT_TRUE(secondAsker.ask(request, nullptr));
    now -= 3 + 4;
  };
  Asker firstAsker(first.model, log, spending, options("host.example", first, meanwhile));
  EXPECT_TRUE(firstAsker.ask(request, nullptr));
  EXPECT_EQ(first.waits, (std::vector<double>{7})) << "its own pause, once";
  EXPECT_EQ(second.waits, (std::vector<double>{4})) << "what was left of the pause";
  EXPECT_EQ(other.waits, (std::vector<double>{}));
}

TEST(CallsInFlight, ARunThatGoesOnGetsTheAnswersInTheirOrderWithTheirQuestions) {
  MeetingRun run(3);
  std::atomic<int> mayGo = 0; // the number of the call that is let go
  run.meeting = meetingOf([](int call, const ChatRequest &) { return numbered(call); },
                          [&](int call, int, int) { return call == mayGo; });
  {
    const auto agent = run.agent();
    for (int i = 1; i <= 3; ++i) {
      EXPECT_EQ(run.begin(*agent, {.strategy = "tree", .draw = i / 10.0}), "");
      run.meeting->waitUntilHere(i);
    }
    mayGo = 3;
    run.waitUntilReady(1);
    mayGo = 1;
    run.waitUntilReady(2);
    // The loop never hears of it: the process ends with the second call in flight.
    run.flights.clear();
  }
  MeetingRun later(3, meetingOf([](int, const ChatRequest &) { return numbered(9); }));
  later.settings.runDirectory = run.settings.runDirectory;
  const auto agent = later.agent();
  EXPECT_EQ(agent->totals().answered, 2);
  const double spent = agent->totals().usd;
  std::vector<int> calls;
  std::vector<double> draws;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(later.begin(*agent, {.strategy = "tree", .draw = 0.9}), "");
    draws.push_back(later.flights.back().ask.draw.value_or(-1));
  }
  EXPECT_EQ(later.meeting->arrived(), 0) << "it has these answers";
  for (ProposalInFlight &flight : later.flights) {
    const auto proposal = flight.take(later.state);
    ASSERT_TRUE(proposal && *proposal && (*proposal)->ask);
    calls.push_back((*proposal)->call);
    draws.push_back((*proposal)->ask->draw.value_or(-1));
    later.state.calls.insert((*proposal)->call);
  }
  EXPECT_EQ(calls, (std::vector<int>{3, 1}));
  EXPECT_EQ(draws, (std::vector<double>{0.3, 0.1, 0.3, 0.1}));
  EXPECT_EQ(agent->totals().usd, spent);
  EXPECT_EQ(later.begin(*agent, {.strategy = "tree", .draw = 0.9}), "");
  later.waitUntilReady(3);
  const auto proposal = later.flights.back().take(later.state);
  ASSERT_TRUE(proposal && *proposal);
  EXPECT_EQ((*proposal)->call, 4);
}

TEST(CallsInFlight, TriesInFlightCountAsFailures) {
  MeetingRun run(8, meetingOf([](int call, const ChatRequest &) { return numbered(call); }));
  run.settings.config.maxFailures = 3;
  const auto agent = run.agent();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run.begin(*agent), "");
  EXPECT_THAT(run.begin(*agent), HasSubstr("as many tries may have failed"));
  run.waitUntilReady(3);
  Candidate last;
  for (ProposalInFlight &flight : run.flights) {
    const auto proposal = flight.take(run.state);
    ASSERT_TRUE(proposal && *proposal);
    run.state.calls.insert((*proposal)->call);
    last = (*proposal)->candidates.front();
    run.state.waiting.push_back(last.id);
  }
  EXPECT_THAT(run.begin(*agent), HasSubstr("as many tries may have failed")) << "no verdict yet";
  run.state.attempts.push_back({last, measured(0.9, false)});
  run.state.waiting.pop_back();
  EXPECT_EQ(run.begin(*agent), "") << "one that works ends the row";
  run.waitUntilReady(4);
}

TEST(CallsInFlight, WhatCallsSayIsHeardInTheLoopsThread) {
  MeetingRun run(2, meetingOf([](int call, const ChatRequest &) -> ChatResult<ChatReply> {
                   if (call <= 2)
                     return std::unexpected(ChatError{ChatErrorKind::Overload, "busy", "wait", std::nullopt, false});
                   return numbered(call);
                 }));
  run.settings.retry = [](const ChatError &, int) { return std::optional(0.0); };
  std::vector<std::thread::id> threads;
  std::vector<std::string> notes;
  int recorded = 0;
  run.settings.note = [&](const std::string &note) {
    threads.push_back(std::this_thread::get_id());
    notes.push_back(note);
  };
  run.settings.record = [&](const ChatRequest &, const ChatResult<ChatReply> &) {
    threads.push_back(std::this_thread::get_id());
    ++recorded;
  };
  const auto agent = run.agent();
  EXPECT_EQ(run.begin(*agent), "");
  EXPECT_EQ(run.begin(*agent), "");
  run.waitUntilReady(2);
  for (ProposalInFlight &flight : run.flights)
    EXPECT_TRUE(flight.take(run.state));
  EXPECT_THAT(notes, testing::ElementsAre(HasSubstr("busy"), HasSubstr("busy")));
  EXPECT_EQ(recorded, 4);
  EXPECT_THAT(threads, testing::Each(std::this_thread::get_id()));
}

TEST(CallsInFlight, AModelOnThisMachineIsNotAskedWhileSomethingWaitsToBeMeasured) {
  MeetingRun run(2, meetingOf([](int call, const ChatRequest &) { return numbered(call); }));
  run.settings.isLocal = true;
  run.settings.energy = {.packages = {}, .gpus = {}};
  const auto agent = run.agent();
  run.state.waiting = {"c1"};
  EXPECT_THAT(run.begin(*agent), HasSubstr("nothing is to be measured"));
  run.state.waiting.clear();
  EXPECT_EQ(run.begin(*agent), "");
  EXPECT_TRUE(run.flights.back().isHere);
  run.waitUntilReady(1);
}

TEST(CallsInFlight, ARefusalOfToolsAsksAgainForText) {
  MeetingRun run(2);
  run.settings.config.protocol = "tools";
  // Refused once both were asked with tools: the agent asks for text as soon as one refusal is in its log.
  run.meeting = meetingOf(
      [](int call, const ChatRequest &request) -> ChatResult<ChatReply> {
        if (!request.tools.empty())
          return std::unexpected(ChatError{ChatErrorKind::Tools, "no tools", "", std::nullopt, false});
        return numbered(call);
      },
      [](int, int arrived, int) { return arrived >= 2; });
  const auto agent = run.agent();
  EXPECT_EQ(run.begin(*agent), "");
  EXPECT_EQ(run.begin(*agent), "");
  run.waitUntilReady(2);
  for (ProposalInFlight &flight : run.flights) {
    const auto proposal = flight.take(run.state);
    ASSERT_TRUE(proposal);
    EXPECT_FALSE(*proposal) << "it may be begun again in another form";
  }
  EXPECT_EQ(run.begin(*agent), "");
  run.waitUntilReady(3);
  const auto proposal = run.flights.back().take(run.state);
  ASSERT_TRUE(proposal && *proposal);
  EXPECT_EQ((*proposal)->candidates.size(), 1u);
}

} // namespace
} // namespace agentic
