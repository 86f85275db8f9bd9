// Tests whose turn it is among several agents: a fold over the run's state, the same for a resumed run.
#include "tool/search/agent_set.h"
#include "tool/search/journal.h"

#include "tool/base/append.h"
#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <optional>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kLabels = {"a", "b", "c"};

RunState stateOf(std::map<std::string, AgentStanding> standings, std::string last = {}) {
  RunState state;
  state.standings = std::move(standings);
  state.lastAgent = std::move(last);
  return state;
}

std::size_t inTurn(const std::vector<bool> &active, const std::string &last) {
  return nextAgent(kLabels, active, stateOf({}, last), AgentChoice::Turn);
}

TEST(NextAgent, InTurnIsTheNextOneThatIsStillThere) {
  EXPECT_EQ(inTurn({true, true, true}, ""), 0u);
  EXPECT_EQ(inTurn({true, true, true}, "a"), 1u);
  EXPECT_EQ(inTurn({true, true, true}, "c"), 0u);
  EXPECT_EQ(inTurn({true, false, true}, "a"), 2u);
  EXPECT_EQ(inTurn({false, true, false}, "b"), 1u);
  EXPECT_EQ(inTurn({true, true, true}, "of another run"), 0u);
}

std::size_t byGain(std::map<std::string, AgentStanding> standings,
                   const std::vector<bool> &active = {true, true, true}) {
  return nextAgent(kLabels, active, stateOf(std::move(standings)), AgentChoice::Gain);
}

TEST(NextAgent, ByGainEachHasTwoTurnsFirst) {
  EXPECT_EQ(byGain({}), 0u);
  EXPECT_EQ(byGain({{"a", {.turns = 1, .usd = 0, .gain = 5, .calls = {}}}}), 1u);
  EXPECT_EQ(byGain({{"a", {.turns = 2, .gain = 5, .calls = {}}}, {"b", {.turns = 1, .calls = {}}}}), 2u);
  EXPECT_EQ(byGain({{"a", {.turns = 2, .gain = 5, .calls = {}}},
                    {"b", {.turns = 1, .calls = {}}},
                    {"c", {.turns = 2, .calls = {}}}}),
            1u);
}

TEST(NextAgent, ByGainTheOneThatGainsMostPerDollar) {
  const AgentStanding dear{.turns = 2, .usd = 1, .gain = 1, .calls = {}}, cheap{.turns = 2, .usd = 0.1, .gain = 0.5},
      useless{.turns = 2, .usd = 0.1, .gain = 0};
  EXPECT_EQ(byGain({{"a", dear}, {"b", cheap}, {"c", useless}}), 1u);
  EXPECT_EQ(byGain({{"a", dear}, {"b", cheap}, {"c", useless}}, {true, false, true}), 0u);
  EXPECT_EQ(byGain({{"a", useless}, {"b", useless}, {"c", useless}}), 0u) << "equal ones: their order";
}

/// An agent without a gain is asked rarely, but is asked; turns follow gain per dollar.
TEST(NextAgent, ByGainTurnsAreSharedOut) {
  std::map<std::string, AgentStanding> standings;
  for (int i = 0; i < 300; ++i) {
    AgentStanding &standing = standings[kLabels[byGain(standings)]];
    ++standing.turns;
    standing.usd += 0.01;
    standings["a"].gain = 0.2; // once
    standings["b"].gain = 0.1;
  }
  EXPECT_GT(standings["a"].turns, standings["b"].turns);
  EXPECT_GT(standings["b"].turns, standings["c"].turns);
  EXPECT_GE(standings["c"].turns, 5);
}

/// Proposes what it is given; an error or a stop if there is one.
class Scripted : public Agent {
public:
  explicit Scripted(std::deque<Result<Proposal>> proposals) : proposals_(std::move(proposals)) {}
  Result<Proposal> propose(const RunState &state) override {
    seen.push_back(state.calls);
    if (proposals_.empty())
      return Proposal{};
    auto next = std::move(proposals_.front());
    proposals_.pop_front();
    return next;
  }
  std::vector<std::set<int>> seen;

private:
  std::deque<Result<Proposal>> proposals_;
};

Proposal proposalOf(const std::string &text) {
  Proposal proposal;
  proposal.candidates = {makeCandidate(text, "o")};
  return proposal;
}

AgentSet setOf(std::vector<std::deque<Result<Proposal>>> scripts, std::vector<std::string> *stopped = nullptr) {
  std::vector<AgentMember> members;
  for (std::size_t i = 0; i < scripts.size(); ++i)
    members.push_back({kLabels[i], std::make_unique<Scripted>(std::move(scripts[i])), {}});
  return AgentSet(std::move(members), AgentChoice::Turn, [stopped](const std::string &why) {
    if (stopped)
      stopped->push_back(why);
  });
}

TEST(AgentSet, OneThatStopsLeavesAndTheLastEndsTheRun) {
  std::vector<std::string> stopped;
  Proposal broke;
  broke.stop = "the dollar budget is spent";
  AgentSet set = setOf({{proposalOf("1")}, {broke}, {userError("c: no server", "start it")}}, &stopped);
  auto first = set.propose(stateOf({}));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->agent, "a");
  const auto last = set.propose(stateOf({{"a", {.turns = 1, .calls = {}}}}, "a"));
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->candidates.empty());
  EXPECT_THAT(last->stop, HasSubstr("all agents have stopped"));
  EXPECT_THAT(stopped, ElementsAre("b: the dollar budget is spent", "c: no server", "a: nothing more to try"));
}

TEST(AgentSet, AnErrorOfAllIsTheRunsErrorAndABugEndsItAtOnce) {
  AgentSet none = setOf({{userError("a: no key", "set it")}, {userError("b: no server", "start it")}});
  const auto failed = none.propose(stateOf({}));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "b: no server");
  AgentSet bug = setOf({{bugError("broken")}, {proposalOf("1")}});
  ASSERT_FALSE(bug.propose(stateOf({})));
}

TEST(AgentSet, TheAuthorOfAWinnerReviewsItElseTheFirstWhoDoes) {
  struct Reviewer : Scripted {
    explicit Reviewer(std::string name) : Scripted({}), name_(std::move(name)) {}
    Result<std::optional<Review>> review(const RunState &, const ReviewQuestion &) override {
      return name_.empty() ? std::optional<Review>() : Review{.text = "text", .by = name_};
    }
    std::string name_;
  };
  std::vector<AgentMember> members;
  for (const char *name : {"", "b", "c"}) // the first one has no reviewer
    members.push_back({kLabels[members.size()], std::make_unique<Reviewer>(name), {}});
  AgentSet set(std::move(members), AgentChoice::Turn);
  RunState state = stateOf({});
  for (const char *author : {"a", "b", "c", ""})
    state.attempts.push_back({.candidate = makeCandidate(author, "o"), .evaluation = {}, .agent = author});
  const auto reviewerOf = [&](const Candidate &winner) { return (*set.review(state, {.winner = winner}))->by; };
  EXPECT_EQ(reviewerOf(state.attempts[0].candidate), "b");
  EXPECT_EQ(reviewerOf(state.attempts[1].candidate), "b");
  EXPECT_EQ(reviewerOf(state.attempts[2].candidate), "c");
  EXPECT_EQ(reviewerOf(state.attempts[3].candidate), "b") << "a variant that was checked in";
  EXPECT_EQ(reviewerOf(makeCandidate("shortened", "o", state.attempts[2].candidate.id)), "c");
}

class AgentsJournal : public testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agents-");
    ASSERT_TRUE(scratch);
    scratch_.emplace(std::move(*scratch));
  }
  std::string runs() const { return scratch_->path().string(); }
  std::optional<ScratchDirectory> scratch_;
};

Evaluation accepted(double ratio) {
  Evaluation evaluation;
  evaluation.verdict = Verdict::Accepted;
  evaluation.measurement.emplace().speedup.ratio = ratio;
  return evaluation;
}

TEST_F(AgentsJournal, TheFoldKnowsWhoProposedWhatAndWhatItGained) {
  RunConfig config;
  config.agent = "a,b", config.agents = {"a", "b"};
  auto journal = Journal::create(runs(), {.kernel = "k"}, config);
  ASSERT_TRUE(journal);
  Proposal first = proposalOf("1"), second = proposalOf("2"), same = proposalOf("1"), unusable;
  first.agent = "a", first.usd = 0.25, first.call = 1;
  second.agent = "b", second.usd = 0.5, second.call = 1;
  same.agent = "b", same.usd = 0.75, same.call = 2;
  unusable.agent = "a", unusable.usd = 0.5, unusable.call = 2, unusable.isUnusable = true;
  ASSERT_TRUE(journal->proposed(first, 0));
  ASSERT_TRUE(journal->evaluated(first.candidates[0], accepted(2), true, 1));
  ASSERT_TRUE(journal->proposed(second, 0));
  ASSERT_TRUE(journal->evaluated(second.candidates[0], accepted(8), true, 2.5));
  ASSERT_TRUE(journal->proposed(same, 0));
  ASSERT_TRUE(journal->proposed(unusable, 0));
  for (const auto &record : {Result<RunRecord>(journal->record()), readRun(journal->directory())}) {
    ASSERT_TRUE(record);
    EXPECT_EQ(record->attempts[0].agent, "a");
    EXPECT_EQ(record->attempts[1].agent, "b");
    EXPECT_EQ(record->proposers.at(first.candidates[0].id), "a") << "the first who proposed it";
    EXPECT_EQ(record->lastAgent, "a");
    EXPECT_EQ(record->standings.at("a").turns, 2);
    EXPECT_EQ(record->standings.at("b").turns, 2);
    EXPECT_DOUBLE_EQ(record->standings.at("a").usd, 0.5);
    EXPECT_DOUBLE_EQ(record->standings.at("b").usd, 0.75);
    EXPECT_NEAR(record->standings.at("a").gain, std::log(2), 1e-12);
    EXPECT_NEAR(record->standings.at("b").gain, std::log(4), 1e-12);
    EXPECT_THAT(record->standings.at("a").calls, ElementsAre(1, 2));
    ASSERT_EQ(record->iterations.size(), 3u);
    EXPECT_EQ(record->iterations[1].agent, "b");
    EXPECT_DOUBLE_EQ(record->iterations[1].seconds, 2.5);
    EXPECT_EQ(record->iterations[2].agent, "a");
  }
}

TEST_F(AgentsJournal, AJournalThatNamesNoAgentIsOfTheOne) {
  RunConfig config;
  config.agent = "openai:m";
  auto journal = Journal::create(runs(), {.kernel = "k"}, config);
  ASSERT_TRUE(journal);
  const Proposal only = proposalOf("1");
  ASSERT_TRUE(journal->proposed(only, 0));
  ASSERT_TRUE(journal->evaluated(only.candidates[0], accepted(2), true, 1));
  ASSERT_TRUE(journal->evaluated(makeCandidate("checked in", "o"), accepted(1), false, 2));
  const auto record = readRun(journal->directory());
  ASSERT_TRUE(record);
  EXPECT_EQ(record->attempts[0].agent, "openai:m");
  EXPECT_EQ(record->attempts[1].agent, "");
}

TEST_F(AgentsJournal, HostileAgentsAreAnErrorAndNoCrash) {
  for (const std::string agents : {"42", "[1,2]", "\"a\"", "{}", "null", "[]", "[[]]", "[\"\"]"}) {
    const std::string run = runs() + "/k-1";
    ASSERT_TRUE(createDirectories(run));
    ASSERT_TRUE(writeFileAtomic(run + "/journal.jsonl",
                                R"({"v":1,"event":"run-started","identity":{"kernel":"k"},"config":{"agents":)" +
                                    agents + "}}\n" +
                                    R"({"v":1,"event":"proposed","candidates":[],"agent":"\u001b[2J","usd":1e999})"
                                    "\n"));
    (void)readRun(run);
    for (const char *line : {"42\n",
                             R"({"v":"1"})"
                             "\n",
                             R"({"v":1,"event":"proposed","candidates":[],"agent":7})"
                             "\n",
                             R"({"v":1,"event":"proposed","candidates":[],"agent":"a","usd":"much"})"
                             "\n"}) {
      ASSERT_TRUE(appendSynced(run + "/journal.jsonl", line));
      EXPECT_FALSE(readRun(run)) << line;
      ASSERT_TRUE(writeFileAtomic(run + "/journal.jsonl",
                                  R"({"v":1,"event":"run-started","identity":{"kernel":"k"},"config":{}})"
                                  "\n"));
    }
  }
}

} // namespace
} // namespace agentic
