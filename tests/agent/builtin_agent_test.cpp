#include "tests/source/transform_fixture.h"
#include "tool/agent/agent.h"
#include "tool/agent/builtin_agent.h"
#include "tool/base/text.h"

#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;

RunState stateFor(const std::string &kernel, const std::string &family = "clang") {
  RunState state;
  state.spec = kernelSpec(kernel);
  state.level = "x86-64-v4";
  state.family = family;
  return state;
}

Attempt attemptOf(const Candidate &candidate, double ratio) {
  Attempt attempt{candidate, {}};
  attempt.evaluation.candidate = candidate.id;
  attempt.evaluation.verdict = ratio > 1 ? Verdict::Accepted : ratio > 0 ? Verdict::NotFaster : Verdict::Rejected;
  if (ratio > 0)
    attempt.evaluation.measurement.emplace().speedup.ratio = ratio;
  return attempt;
}

/// Runs a search to its end with a made-up speed per recipe.
template <class Speed> std::vector<Attempt> searchWith(RunState state, Speed speed) {
  const auto agent = makeAgent({.name = "builtin"});
  EXPECT_TRUE(agent);
  for (int round = 0; round < 500; ++round) {
    const auto proposal = (*agent)->propose(state);
    EXPECT_TRUE(proposal) << proposal.error().message;
    if (!proposal || proposal->candidates.empty())
      return state.attempts;
    EXPECT_LE(proposal->candidates.size(), 4u);
    for (const Candidate &candidate : proposal->candidates) {
      state.attempts.push_back(attemptOf(candidate, speed(candidate.origin)));
      if (const double ratio = speed(candidate.origin); ratio > state.bestRatio) {
        state.bestRatio = ratio;
        state.incumbent = state.attempts.size() - 1;
      }
    }
  }
  ADD_FAILURE() << "the search did not end";
  return state.attempts;
}

TEST(BuiltinAgent, TriesTheCombinationsThatUsuallyWinFirst) {
  const RunState state = stateFor(kBinaryGemm);
  const auto proposal = BuiltinAgent().propose(state);
  ASSERT_TRUE(proposal);
  ASSERT_EQ(proposal->candidates.size(), 4u);
  std::set<std::string> first;
  for (const Attempt &attempt : searchWith(state, [](const std::string &) { return 0.5; }))
    if (first.size() < 12)
      first.insert(attempt.candidate.origin);
  EXPECT_TRUE(first.contains("builtin: strip-mine(j, block=32); unroll-and-jam(i, rows=8)"));
  EXPECT_TRUE(first.contains("builtin: strip-mine(j, block=32); unroll-and-jam(i, rows=8); fission(j)"));
  EXPECT_TRUE(first.contains("builtin: strip-mine(j, block=32)"));
  EXPECT_TRUE(first.contains("builtin: interchange(j)"));
  EXPECT_THAT(proposal->note, HasSubstr("strip-mine(p): 'sum' carries a value"));
  for (const Candidate &candidate : proposal->candidates)
    EXPECT_EQ(candidate.id, makeCandidate(candidate.text, "").id);
}

TEST(BuiltinAgent, ClimbsToTheBestParametersAndEnds) {
  // It is fastest at 6 rows and 16 columns, with a hint: neighbours of the best find that, one change at a time.
  const auto speed = [](const std::string &origin) {
    double ratio = 1;
    for (const auto &[part, gain] : {std::pair{"jam(i, rows=8", 4.0},
                                     {"jam(i, rows=6", 5.0},
                                     {"jam(i, rows=4", 3.0},
                                     {"mine(j, block=16", 3.0},
                                     {"mine(j, block=32", 2.5},
                                     {"loop-pragma(p", 1.2},
                                     {"fission", 0.5}})
      if (origin.find(part) != std::string::npos)
        ratio *= gain;
    return ratio;
  };
  const std::vector<Attempt> attempts = searchWith(stateFor(kBinaryGemm), speed);
  const auto best = std::ranges::max_element(
      attempts, {}, [](const Attempt &attempt) { return attempt.evaluation.measurement->speedup.ratio; });
  EXPECT_THAT(best->candidate.origin, HasSubstr("block=16"));
  EXPECT_THAT(best->candidate.origin, HasSubstr("jam(i, rows=6"));
  EXPECT_THAT(best->candidate.origin, HasSubstr("loop-pragma(p"));
  EXPECT_LT(best - attempts.begin(), 120);
  EXPECT_FALSE(best->candidate.parent.empty());
  std::set<std::string> ids, origins;
  for (const Attempt &attempt : attempts) {
    EXPECT_TRUE(ids.insert(attempt.candidate.id).second) << attempt.candidate.origin;
    EXPECT_TRUE(origins.insert(attempt.candidate.origin).second) << attempt.candidate.origin;
  }
}

TEST(BuiltinAgent, IsDeterministicForASeedAndKeepsNoStateButTheJournal) {
  const auto origins = [](std::uint64_t seed) {
    RunState state = stateFor(kBinaryGemm, "gcc");
    state.seed = seed;
    std::vector<std::string> result;
    for (const Attempt &attempt : searchWith(state, [](const std::string &) { return 0.5; }))
      result.push_back(attempt.candidate.origin);
    return result;
  };
  const auto first = origins(1);
  EXPECT_EQ(first, origins(1));
  EXPECT_NE(first, origins(2));

  RunState resumed = stateFor(kBinaryGemm, "gcc");
  BuiltinAgent lived;
  for (int round = 0; round < 5; ++round) {
    const auto proposal = lived.propose(resumed), fresh = BuiltinAgent().propose(resumed);
    ASSERT_TRUE(proposal && fresh);
    ASSERT_EQ(proposal->candidates.size(), fresh->candidates.size());
    for (std::size_t i = 0; i < proposal->candidates.size(); ++i) {
      EXPECT_EQ(proposal->candidates[i].origin, fresh->candidates[i].origin);
      resumed.attempts.push_back(attemptOf(proposal->candidates[i], 1.0 + static_cast<double>(i)));
    }
  }
}

TEST(BuiltinAgent, EverythingRejectedStillEnds) {
  EXPECT_LT(searchWith(stateFor(kBinaryGemm), [](const std::string &) { return 0.0; }).size(), 200u);
}

TEST(BuiltinAgent, CandidatesOfOthersAreLeftAlone) {
  RunState state = stateFor(kBinaryGemm);
  state.attempts.push_back(attemptOf(makeCandidate("void f() {}", "file: fast.cpp"), 50));
  state.attempts.push_back(attemptOf(makeCandidate("void f() { }", "builtin: nonsense"), 60));
  const auto proposal = BuiltinAgent().propose(state);
  ASSERT_TRUE(proposal);
  EXPECT_EQ(proposal->candidates.size(), 4u);
}

TEST(BuiltinAgent, PolishesTheBestOfAnotherAgentAndStaysWithIt) {
  RunState state = stateFor(kBinaryGemm);
  state.attempts.push_back(attemptOf(makeCandidate(state.spec.text, "builtin: x"), 1));
  const std::string theirs = replaceAll(state.spec.text, "  ", "   ");
  state.attempts.push_back(attemptOf(makeCandidate(theirs, "openai:m call 1"), 3));
  BuiltinAgent polish(BuiltinAgent::From::Best);
  EXPECT_TRUE(polish.propose(state)->candidates.empty()) << "there is no best yet";
  state.incumbent = 1;
  const auto first = polish.propose(state);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_FALSE(first->candidates.empty());
  const std::string origin = "polish of " + state.attempts[1].candidate.id + ": ";
  for (const Candidate &candidate : first->candidates) {
    EXPECT_TRUE(candidate.origin.starts_with(origin)) << candidate.origin;
    state.attempts.push_back(attemptOf(candidate, 4));
  }
  state.incumbent = state.attempts.size() - 1; // one of its own leads now
  const auto next = BuiltinAgent(BuiltinAgent::From::Best).propose(state);
  ASSERT_TRUE(next);
  ASSERT_FALSE(next->candidates.empty());
  std::set<std::string> ids;
  for (const Attempt &attempt : state.attempts)
    ids.insert(attempt.candidate.id);
  for (const Candidate &candidate : next->candidates) {
    EXPECT_TRUE(candidate.origin.starts_with(origin)) << candidate.origin;
    EXPECT_TRUE(ids.insert(candidate.id).second) << "proposed twice";
  }
}

TEST(BuiltinAgent, ReasonsAreNotedOnce) {
  RunState state = stateFor("int f(int n) { for (int i = 0; i < n; n /= 2) n -= 1; return n; }", "gcc");
  auto proposal = BuiltinAgent().propose(state);
  ASSERT_TRUE(proposal);
  EXPECT_EQ(proposal->candidates.size(), 2u); // only wider and narrower vectors are left to try
  EXPECT_THAT(proposal->note, HasSubstr("the loop 'i' does not step by one"));
  for (const Candidate &candidate : proposal->candidates)
    state.attempts.push_back(attemptOf(candidate, 1));
  proposal = BuiltinAgent().propose(state);
  ASSERT_TRUE(proposal);
  EXPECT_TRUE(proposal->candidates.empty());
  EXPECT_EQ(proposal->note, "");
}

TEST(BuiltinAgent, AKernelThatDoesNotParseIsAnError) {
  const auto proposal = BuiltinAgent().propose(stateFor("void f() { nothing(); }"));
  ASSERT_FALSE(proposal);
  EXPECT_THAT(proposal.error().message, HasSubstr("nothing"));
}

TEST(MakeAgent, NamesAreChecked) {
  EXPECT_TRUE(makeAgent({.name = "builtin"}));
  const auto typo = makeAgent({.name = "bultin"});
  ASSERT_FALSE(typo);
  EXPECT_THAT(typo.error().message, HasSubstr("did you mean 'builtin'"));
  EXPECT_THAT(typo.error().next, HasSubstr("builtin"));
}

} // namespace
} // namespace agentic
