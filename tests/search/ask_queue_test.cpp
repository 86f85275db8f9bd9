// Tests searches with several proposals in flight: an agent that is a table decides when each becomes ready.
#include "tool/search/ask_queue.h"

#include "tests/search/loop_fixture.h"
#include "tool/search/agent_set.h"
#include "tool/search/stop_reason.h"
#include "tool/source/candidate/tunables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Texts = std::vector<std::string>;

/// Its proposals become ready as the test says, which begin() tells how many there are.
class FlightAgent : public Agent {
public:
  struct Flight {
    Result<std::optional<Proposal>> outcome;
    std::function<void()> isReady;
    bool isDone = false, isTaken = false;
    std::shared_ptr<int> life = std::make_shared<int>(); ///< of whom has it
  };

  Result<Proposal> propose(const RunState &) override { return bugError("it is asked beside others alone"); }

  Result<Begun> begin(const RunState &state, const std::function<void()> &isReady) override {
    states.push_back(state);
    if (stops && !stops(state).empty())
      return Begun{.flight = {}, .stop = stops(state)};
    if (next_ == outcomes.size())
      return Begun();
    const auto flight = std::make_shared<Flight>(Flight{.outcome = outcomes[next_++], .isReady = isReady});
    flights.push_back(flight);
    Begun begun;
    begun.flight = ProposalInFlight{.isHere = isHere, .take = [flight, life = flight->life](const RunState &) {
                                      flight->isTaken = true;
                                      return flight->outcome;
                                    }};
    if (onBegin)
      onBegin(static_cast<int>(flights.size()));
    return begun;
  }

  /// The flight of this number, from 1, becomes ready.
  void finish(int number) {
    Flight &flight = *flights[static_cast<std::size_t>(number - 1)];
    flight.isDone = true;
    flight.isReady();
  }
  int open() const {
    return static_cast<int>(std::ranges::count_if(flights, [](const auto &flight) { return !flight->isDone; }));
  }

  std::vector<Result<std::optional<Proposal>>> outcomes;
  std::function<void(int)> onBegin;
  std::function<std::string(const RunState &)> stops;
  bool isHere = false;
  std::vector<RunState> states;
  std::vector<std::shared_ptr<Flight>> flights;

private:
  std::size_t next_ = 0;
};

Result<std::optional<Proposal>> answer(const std::string &text) {
  return std::optional(Proposal{.candidates = {makeCandidate(text, "flight")}});
}

class AskQueueTest : public LoopTest {
protected:
  void SetUp() override {
    LoopTest::SetUp();
    request_.config.model.parallel = 4;
  }
  TableEvaluator evaluator{{{"a", 2}, {"b", 0}, {"c", 5}, {"d", 0.5}, {"e", 3}, {"f", 0}, {"g", 0}, {"h", 1.5}}};
  FlightAgent agent;
};

TEST_F(AskQueueTest, AnswersAreTakenInTheOrderInWhichTheyCome) {
  for (const char *text : {"a", "b", "c", "d"})
    agent.outcomes.push_back(answer(text));
  agent.onBegin = [&](int count) {
    if (count == 4)
      for (const int number : {3, 1, 4, 2})
        agent.finish(number);
  };
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(evaluator.evaluated, (Texts{"c", "a", "d", "b"}));
  EXPECT_EQ(outcome.reason, StopReason::Exhausted);
  EXPECT_EQ(outcome.iterations, 4);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, "c");
}

TEST_F(AskQueueTest, WhatIsAnsweredIsEvaluatedWhileTheOthersAreInFlight) {
  for (const char *text : {"a", "b", "c", "d", "e"})
    agent.outcomes.push_back(answer(text));
  std::vector<int> open;
  evaluator.onEvaluate = [&] {
    open.push_back(agent.open());
    if (open.size() == 1)
      for (const int number : {1, 3, 4, 5})
        agent.finish(number);
  };
  agent.onBegin = [&](int count) {
    if (count == 4)
      agent.finish(2);
  };
  run(evaluator, agent);
  EXPECT_EQ(evaluator.evaluated, (Texts{"b", "a", "c", "d", "e"}));
  EXPECT_EQ(open.front(), 4) << "the fifth took the place of the answered one";
  ASSERT_GE(agent.states.size(), 5u);
  EXPECT_EQ(agent.states[3].inFlight, 3u);
  EXPECT_EQ(agent.states[4].inFlight, 3u);
  EXPECT_EQ(agent.states[4].waiting, Texts{makeCandidate("b", "").id});
}

TEST_F(AskQueueTest, QuestionsRunAheadOfASlowVerdictAndNoFurther) {
  request_.config.model.parallel = 2;
  for (const char *text : {"a", "b", "c", "d", "e", "f", "g", "h"})
    agent.outcomes.push_back(answer(text));
  int begun = 0, atFirst = 0;
  agent.onBegin = [&](int count) {
    begun = count;
    agent.finish(count);
  };
  evaluator.onEvaluate = [&] {
    if (atFirst == 0)
      atFirst = begun;
  };
  run(evaluator, agent);
  EXPECT_EQ(atFirst, 4) << "nothing is evaluated while questions may be asked, and none while 2 N wait";
  EXPECT_EQ(evaluator.evaluated.size(), 8u);
}

TEST_F(AskQueueTest, AllCallsAreInFlightWhileTheFirstAnswersAreEvaluated) {
  for (const char *text : {"a", "b", "c", "d", "e", "f", "g", "h"})
    agent.outcomes.push_back(answer(text));
  std::vector<int> open;
  agent.onBegin = [&](int count) {
    if (count == 4)
      for (const int number : {1, 2, 3, 4})
        agent.finish(number);
  };
  evaluator.onEvaluate = [&] {
    open.push_back(agent.open());
    if (open.size() == 1)
      for (const int number : {5, 6, 7, 8})
        agent.finish(number);
  };
  run(evaluator, agent);
  ASSERT_FALSE(open.empty());
  EXPECT_EQ(open.front(), 4);
  EXPECT_EQ(evaluator.evaluated.size(), 8u);
}

TEST_F(AskQueueTest, EachInFlightMayBeAnIteration) {
  request_.config.model.parallel = 8;
  request_.config.maxIterations = 5;
  agent.outcomes = {answer("a"), std::optional(Proposal{.note = "prose", .isUnusable = true}),
                    answer("b"), answer("c"),
                    answer("d"), answer("e")};
  agent.onBegin = [&](int count) { agent.finish(count); };
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Iterations);
  EXPECT_EQ(outcome.iterations, 5);
  EXPECT_EQ(agent.flights.size(), 5u);
  EXPECT_TRUE(std::ranges::all_of(agent.flights, [](const auto &flight) { return flight->isTaken; }));
}

TEST_F(AskQueueTest, AReasonNotToBeginIsNoneOnceWhatIsAheadIsThere) {
  for (const char *text : {"a", "b", "c"})
    agent.outcomes.push_back(answer(text));
  agent.stops = [](const RunState &state) { return state.isAhead() ? "first the others" : ""; };
  agent.onBegin = [&](int count) { agent.finish(count); };
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(evaluator.evaluated, (Texts{"a", "b", "c"}));
  EXPECT_EQ(outcome.reason, StopReason::Exhausted);
  for (const RunState &state : agent.states)
    EXPECT_EQ(state.attempts.size(), static_cast<std::size_t>(state.iterations));
}

TEST_F(AskQueueTest, WhenACallEndsTheSearchTheOthersAreStillUsed) {
  agent.outcomes = {answer("a"), std::optional(Proposal{.stop = "the dollar budget is spent"}), answer("c"),
                    answer("d"), answer("e")};
  agent.onBegin = [&](int count) {
    if (count == 4)
      for (const int number : {2, 1, 3, 4})
        agent.finish(number);
  };
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(evaluator.evaluated, (Texts{"a", "c", "d"}));
  EXPECT_EQ(outcome.reason, StopReason::Agent);
  EXPECT_EQ(stopReasonText(outcome), "the dollar budget is spent");
  EXPECT_EQ(agent.flights.size(), 4u) << "nothing more is begun";
}

TEST_F(AskQueueTest, TheEvaluatorHearsWhatComesNextAsItWillBeEvaluated) {
  struct Ahead : TableEvaluator {
    using TableEvaluator::TableEvaluator;
    void ahead(const std::vector<Candidate> &candidates, const Candidate *best) override {
      expected.emplace_back();
      incumbents.push_back(best ? best->text : "");
      for (const Candidate &candidate : candidates)
        expected.back().push_back(candidate.text);
    }
    void endAhead() override { ++ended; }
    int ended = 0;
    std::vector<Texts> expected;
    Texts incumbents;
  };
  const std::string open = "AGENTIC_TUNE(kTile, 4, 8);\nint f() { return kTile; }\n";
  const auto tunable = TunableText::read(open);
  ASSERT_TRUE(tunable);
  const std::string four = tunable->settled({0});
  Ahead ahead({{"a", 2}, {"b", 0}, {"c", 5}, {four, 0}});
  for (const std::string &text : {std::string("a"), open, std::string("b"), std::string("c")})
    agent.outcomes.push_back(answer(text));
  agent.onBegin = [&](int count) {
    if (count == 4)
      for (const int number : {1, 2, 3, 4})
        agent.finish(number);
  };
  run(ahead, agent);
  EXPECT_EQ(ahead.evaluated, (Texts{"a", four, "b", "c"}));
  EXPECT_THAT(ahead.expected, ElementsAre(Texts{"b", "c"}, Texts{"b", "c"}, Texts{"c"}, Texts{}));
  EXPECT_EQ(ahead.incumbents, (Texts{"", "a", "a", "a"})) << "what they will be compared with";
  EXPECT_EQ(ahead.ended, 1);
}

TEST_F(AskQueueTest, AnInterruptionCancelsWhatIsInFlight) {
  agent.outcomes = {answer("a"), interruptedError(), answer("c"), answer("d")};
  agent.onBegin = [&](int count) {
    if (count == 4)
      agent.finish(2);
  };
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Interrupted);
  EXPECT_TRUE(evaluator.evaluated.empty());
  for (const auto &flight : agent.flights)
    EXPECT_EQ(flight->life.use_count(), 1) << "the search holds none of them any more";
}

TEST_F(AskQueueTest, AnAnswerThatCameToNothingMayBeBegunAgain) {
  agent.outcomes = {std::optional<Proposal>(), answer("a")};
  agent.onBegin = [&](int count) { agent.finish(count); };
  EXPECT_EQ(run(evaluator, agent).iterations, 1);
  EXPECT_EQ(evaluator.evaluated, Texts{"a"});
}

TEST_F(AskQueueTest, NothingIsEvaluatedWhileAModelOnThisMachineIsAsked) {
  for (const char *text : {"a", "b", "c", "d"})
    agent.outcomes.push_back(answer(text));
  agent.isHere = true;
  agent.onBegin = [&](int count) {
    if (count == 4)
      agent.finish(1);
  };
  evaluator.onEvaluate = [&] { EXPECT_EQ(agent.open(), 0); };
  auto journal = Journal::create(scratch_->path().string(), {"k", "l", "f", "1", "2", "3"}, request_.config);
  ASSERT_TRUE(journal);
  const auto waits = [&](const RunEvent &event) {
    if (std::holds_alternative<run_event::Asking>(event))
      for (const int number : {2, 3, 4})
        agent.finish(number);
  };
  EXPECT_TRUE(runLoop(evaluator, agent, *journal, request_, waits));
  EXPECT_EQ(evaluator.evaluated.size(), 4u);
}

/// An agent that knows nothing of calls in flight.
TEST_F(AskQueueTest, AnAgentThatNeedsEveryOutcomeGetsIt) {
  ListAgent list(Proposals{{"a", "b"}, {"c"}, {"d"}});
  const RunOutcome outcome = run(evaluator, list);
  EXPECT_EQ(evaluator.evaluated, (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(outcome.reason, StopReason::Exhausted);
  ASSERT_EQ(list.states.size(), 4u);
  EXPECT_EQ(list.states[1].attempts.size(), 2u);
  EXPECT_EQ(list.states[2].attempts.size(), 3u);
}

TEST_F(AskQueueTest, SeveralAgentsTakeTurnsInFlight) {
  auto first = std::make_unique<FlightAgent>(), second = std::make_unique<FlightAgent>();
  FlightAgent *flying[] = {first.get(), second.get()};
  first->outcomes = {answer("a"), answer("b")};
  second->outcomes = {answer("c"), std::optional(Proposal{.stop = "it fails"})};
  second->onBegin = [&](int count) {
    if (count == 2)
      for (const auto &[who, number] : std::initializer_list<std::pair<int, int>>{{1, 2}, {0, 2}, {1, 1}, {0, 1}})
        flying[who]->finish(number);
  };
  std::vector<AgentMember> members;
  members.push_back({.label = "first", .agent = std::move(first), .usd = {}});
  members.push_back({.label = "second", .agent = std::move(second), .usd = {}});
  std::vector<std::string> stopped;
  AgentSet set(std::move(members), AgentChoice::Turn, [&](const std::string &why) { stopped.push_back(why); });
  const RunOutcome outcome = run(evaluator, set);
  EXPECT_EQ(evaluator.evaluated, (Texts{"b", "c", "a"}));
  EXPECT_THAT(stopped, ElementsAre("second: it fails", "first: nothing more to try"));
  EXPECT_THAT(outcome.agentStop, HasSubstr("all agents have stopped"));
}

} // namespace
} // namespace agentic
