// Tests when the built-in search begins for other agents, and when it polishes their results: a fold over the run.
#include "tool/search/seeding.h"

#include "tool/model/agent.h"
#include "tool/search/agent_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;

const std::string kModel = "openai:m";

/// A run of so many candidates, without a time limit.
struct Tries {
  RunState state;
  explicit Tries(std::optional<int> most = std::nullopt) {
    state.iterationsLeft = most;
    state.secondsLeft = 1e9;
  }
  Tries &tried(const std::string &origin, bool isBest = false) {
    Attempt attempt;
    attempt.candidate = makeCandidate("text " + std::to_string(state.attempts.size()), origin);
    attempt.agent = origin.starts_with(kModel) ? kModel : std::string(kBuiltinAgent);
    attempt.becameBest = isBest;
    if (isBest)
      state.incumbent = state.attempts.size();
    state.attempts.push_back(attempt);
    ++state.standings[attempt.agent].turns;
    ++state.iterations;
    if (state.iterationsLeft && *state.iterationsLeft > 0)
      --*state.iterationsLeft;
    return *this;
  }
  Tries &tried(int times, const std::string &origin) {
    for (int i = 0; i < times; ++i)
      tried(origin);
    return *this;
  }
};

TEST(Seeding, IsAQuarterOfTheRunAndAtLeastFour) {
  EXPECT_TRUE(isSeeding(Tries(40).state));
  EXPECT_TRUE(isSeeding(Tries(40).tried(4, "builtin: a").tried("builtin: b", true).tried(4, "builtin: c").state));
  EXPECT_FALSE(isSeeding(Tries(40).tried(5, "builtin: a").tried("builtin: b", true).tried(4, "builtin: c").state));
  EXPECT_TRUE(isSeeding(Tries(6).tried(3, "builtin: a").state));
  EXPECT_FALSE(isSeeding(Tries(6).tried(4, "builtin: a").state));
}

TEST(Seeding, EndsWhenItGainsNothingOrAnotherWasAsked) {
  EXPECT_TRUE(isSeeding(Tries().tried(7, "builtin: a").state));
  EXPECT_FALSE(isSeeding(Tries().tried(8, "builtin: a").state));
  EXPECT_TRUE(isSeeding(Tries().tried(7, "builtin: a").tried("builtin: b", true).tried(7, "builtin: c").state));
  EXPECT_FALSE(isSeeding(Tries().tried("builtin: a", true).tried(kModel + " call 1").state));
}

TEST(Seeding, LeavesThreeQuartersOfTheTime) {
  Tries run;
  run.state.secondsUsed = 50, run.state.secondsLeft = 100; // a slow preparation still leaves one round
  EXPECT_TRUE(isSeeding(run.state));
  EXPECT_FALSE(isSeeding(run.tried("builtin: a").state));
  run.state.secondsUsed = 20;
  EXPECT_TRUE(isSeeding(run.state));
}

TEST(Polishing, IsOfAnothersBestAtTheEnd) {
  Tries run(40);
  run.tried("builtin: a", true).tried(30, kModel + " call 1");
  EXPECT_FALSE(isPolishing(run.state, true)) << "its own best was searched around already";
  run.tried(kModel + " call 2", true);
  EXPECT_FALSE(isPolishing(run.state, false)) << "eight left";
  EXPECT_TRUE(isPolishing(run.state, true));
  run.tried(3, kModel + " call 3");
  EXPECT_TRUE(isPolishing(run.state, false)) << "five left";
  run.tried("polish of x: r", true).tried(3, "polish of x: s");
  EXPECT_TRUE(isPolishing(run.state, false)) << "it goes on with its own best";
  EXPECT_FALSE(isPolishing(run.tried("polish of x: t").state, true)) << "an eighth of forty";
}

TEST(Polishing, OfALongRunIsTwelveAtMostAndEndsWithoutGain) {
  Tries run;
  run.tried(kModel + " call 1", true);
  EXPECT_FALSE(isPolishing(run.state, false));
  EXPECT_TRUE(isPolishing(run.tried(7, "polish of x: r").state, true));
  EXPECT_FALSE(isPolishing(Tries(run).tried("polish of x: r").state, true));
  run.tried("polish of x: r", true).tried(3, "polish of x: s");
  EXPECT_TRUE(isPolishing(run.state, true));
  EXPECT_FALSE(isPolishing(run.tried("polish of x: s").state, true)) << "twelve";
}

class Named : public Agent {
public:
  explicit Named(std::string name, int turns) : name_(std::move(name)), turns_(turns) {}
  Result<Proposal> propose(const RunState &state) override {
    Proposal proposal;
    if (turns_-- > 0)
      proposal.candidates = {makeCandidate(name_ + std::to_string(state.attempts.size()), name_)};
    return proposal;
  }

private:
  std::string name_;
  int turns_;
};

TEST(AgentSet, AsksSeedOthersAndPolishInTheirTurns) {
  std::vector<AgentMember> members;
  auto add = [&](const std::string &label, const std::string &origin, int turns, AgentPart part) {
    members.push_back({label, std::make_unique<Named>(origin, turns), {}, part});
  };
  add("builtin", "builtin: r", 100, AgentPart::Seed);
  add("builtin", "polish of x: r", 2, AgentPart::Polish);
  add(kModel, kModel + " call", 3, AgentPart::Turn);
  AgentSet set(std::move(members), AgentChoice::Turn);
  Tries run(20);
  std::vector<std::string> order;
  for (;;) {
    auto proposal = set.propose(run.state);
    ASSERT_TRUE(proposal);
    if (proposal->candidates.empty())
      break;
    order.push_back(proposal->candidates[0].origin.substr(0, 6));
    run.tried(proposal->candidates[0].origin, proposal->agent == kModel);
  }
  EXPECT_THAT(order, ElementsAre("builti", "builti", "builti", "builti", "builti", "openai", "openai", "openai",
                                 "polish", "polish"));
}

} // namespace
} // namespace agentic
