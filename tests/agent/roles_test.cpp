// An agent with roles, over scripted models: who is asked what and when, what it costs, and what is not asked again.
#include "tests/agent/roles_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char *kPlans = "PLAN: keep sums in registers\nGAIN: 1.5\nWHY: no chain\n"
                               "PLAN: block for the caches\nGAIN: 1.2\nWHY: less traffic\n";

TEST_F(RolesTest, WithoutRolesNothingOfThemIsInTheLog) {
  coder("x[0] = 1;");
  const auto agent = run_.agent();
  propose(*agent);
  const std::string log = readFile(fs::path(run_.settings.runDirectory) / "calls.jsonl").value();
  EXPECT_THAT(log, Not(HasSubstr("role")));
  EXPECT_EQ(totalsByRole(calls()).size(), 0u);
}

TEST_F(RolesTest, APlannerIsAskedOncePerParentAndItsPlansReachTheCoder) {
  const auto planner = seat(Role::Planner);
  planner->answers = {says(kPlans)};
  const auto agent = run_.agent();
  for (int plan = 0; plan < 3; ++plan) {
    coder("x[0] = " + std::to_string(plan) + ";");
    run_.state.ask = {.strategy = "beam", .parent = "", .plan = plan, .plans = 3};
    take(propose(*agent), failing);
    const std::string text = lastText(*run_.script);
    EXPECT_EQ(text.find("keep sums in registers") != std::string::npos, plan == 0);
    EXPECT_EQ(text.find("block for the caches") != std::string::npos, plan == 1);
    EXPECT_EQ(text.find("# The plan for this file") != std::string::npos, plan < 2) << "it named two of three";
  }
  ASSERT_EQ(planner->requests.size(), 1u);
  EXPECT_THAT(lastText(*planner), HasSubstr("name the 3 best next steps"));
  EXPECT_THAT(planner->requests[0].messages[0].text, StartsWith("You are the planner of a group"));
  EXPECT_LE(planner->requests[0].maxOutputTokens, 8192);
  run_.state.ask = {.strategy = "beam", .parent = "", .round = 1, .plan = 0, .plans = 2};
  planner->answers = {says("I do not know.")};
  coder("x[0] = 9;");
  take(propose(*agent), failing);
  EXPECT_EQ(planner->requests.size(), 2u) << "another round";
  EXPECT_THAT(lastText(*run_.script), Not(HasSubstr("# The plan for this file")));
}

TEST_F(RolesTest, WithoutCountedPlansEachQuestionHasAPlanOfItsOwn) {
  const auto planner = seat(Role::Planner);
  planner->answers = {says(kPlans), says(kPlans)};
  const auto agent = run_.agent();
  for (int i = 0; i < 2; ++i) {
    coder("x[0] = " + std::to_string(i) + ";");
    take(propose(*agent), [&](const Candidate &) { return measured(2, true); });
  }
  EXPECT_EQ(planner->requests.size(), 2u);
  EXPECT_THAT(lastText(*planner), HasSubstr("x[0] = 0;")) << "the best so far is gone on from";
  EXPECT_THAT(lastText(*planner), HasSubstr("name the 1 best next steps"));
}

TEST_F(RolesTest, AFixerMendsARefusedFileTwiceAtMost) {
  const auto fixer = seat(Role::Fixer);
  for (int i = 1; i <= 3; ++i)
    fixer->answers.push_back(says(replyWith("x[0] = 1; // mended " + std::to_string(i))));
  coder("x[0] = 1;");
  const auto agent = run_.agent();
  run_.state.ask = {.strategy = "beam", .parent = "", .round = 2, .plan = 1, .plans = 3};
  Proposal proposal = propose(*agent);
  proposal.ask = run_.state.ask; // as StrategyAgent does
  std::string broken = proposal.candidates[0].id;
  const auto refuse = [](const Candidate &) { return rejectedBy(Stage::Compile, "a.cpp:2: error: no such thing"); };
  take(proposal, refuse);
  for (int fix = 1; fix <= 2; ++fix) {
    run_.state.ask = {.strategy = "beam", .parent = "", .round = 2, .plan = 2, .plans = 3};
    proposal = propose(*agent);
    ASSERT_EQ(proposal.candidates.size(), 1u);
    EXPECT_EQ(proposal.candidates[0].parent, broken);
    EXPECT_EQ(proposal.candidates[0].origin, "fixer:model fixer call " + std::to_string(fix + 1));
    ASSERT_TRUE(proposal.ask);
    EXPECT_EQ(proposal.ask->plan, 1) << "a further answer to the same question";
    EXPECT_EQ(proposal.ask->fixes, broken);
    EXPECT_THAT(lastText(*fixer), HasSubstr("error: no such thing"));
    broken = proposal.candidates[0].id;
    take(proposal, refuse);
  }
  coder("x[0] = 2;");
  proposal = propose(*agent);
  EXPECT_EQ(fixer->requests.size(), 2u);
  EXPECT_FALSE(proposal.ask) << "the strategy's next question";
}

TEST_F(RolesTest, AFixerMendsOnlyWhatCheckCompilerAndTestsRefused) {
  const auto fixer = seat(Role::Fixer);
  for (int i = 0; i < 9; ++i)
    fixer->answers.push_back(says(replyWith("x[0] = 1; // mended " + std::to_string(i))));
  const auto agent = run_.agent();
  int number = 0;
  const auto isMended = [&](const Evaluation &evaluation) {
    coder("x[0] = 100" + std::to_string(++number) + ";");
    take(propose(*agent), [&](const Candidate &) { return evaluation; });
    const std::size_t before = fixer->requests.size();
    coder("x[0] = 200" + std::to_string(++number) + ";");
    const Proposal next = propose(*agent);
    take(next, [](const Candidate &) { return measured(0.9, false); });
    run_.script->answers.clear();
    return fixer->requests.size() > before;
  };
  for (const Stage stage : {Stage::Check, Stage::Compile, Stage::Test})
    EXPECT_TRUE(isMended(rejectedBy(stage))) << stageName(stage);
  for (const Stage stage : {Stage::Audit, Stage::Differential})
    EXPECT_FALSE(isMended(rejectedBy(stage))) << stageName(stage);
  EXPECT_FALSE(isMended(measured(0.5, false)));
}

TEST_F(RolesTest, AJudgeIsWatchedThenDropsAndIsTurnedOff) {
  const auto judge = seat(Role::Judge);
  const auto agent = run_.agent();
  std::vector<std::size_t> kept;
  for (int i = 0; i < 10; ++i) {
    coder("x[0] = " + std::to_string(i) + ";");
    judge->answers.push_back(says("VERDICT: wrong\nWHY: n = " + std::to_string(i)));
    const Proposal proposal = propose(*agent);
    kept.push_back(proposal.candidates.size());
    EXPECT_EQ(proposal.isUnusable, proposal.candidates.empty());
    if (proposal.isUnusable) {
      EXPECT_THAT(proposal.note, HasSubstr("the judge dropped c"));
    }
    take(proposal, [&](const Candidate &) { return i < 4 ? rejectedBy(Stage::Test) : measured(1.5, false); });
  }
  EXPECT_EQ(kept, (std::vector<std::size_t>{1, 1, 1, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_THAT(run_.script->requests.back().messages.back().text, HasSubstr("a reader objected to it: n = 8"));
  for (int i = 10; i < 13; ++i) {
    coder("x[0] = " + std::to_string(i) + ";");
    judge->answers.push_back(says("VERDICT: wrong\nWHY: again"));
    take(propose(*agent), [&](const Candidate &) { return measured(1.5, false); });
  }
  const JudgeStanding standing = judgeStanding(run_.state.judged, run_.state.attempts);
  EXPECT_EQ(standing.mode, JudgeMode::Off) << judgeText(standing);
  const std::size_t asked = judge->requests.size();
  coder("x[0] = 99;");
  EXPECT_EQ(propose(*agent).candidates.size(), 1u);
  EXPECT_EQ(judge->requests.size(), asked) << "it is asked no more";
}

TEST_F(RolesTest, NothingThatAJudgeSaysAcceptsACandidate) {
  const auto judge = seat(Role::Judge);
  judge->answers = {says("VERDICT: accept\nWHY: it is ten times as fast\n")};
  coder("x[0] = 1;");
  const auto agent = run_.agent();
  const Proposal proposal = propose(*agent);
  ASSERT_EQ(proposal.candidates.size(), 1u) << "it is proposed like any other";
  ASSERT_EQ(proposal.judged.size(), 1u);
  EXPECT_EQ(proposal.judged[0].objection, "");
}

TEST_F(RolesTest, ASummarizerIsAskedOnceOfEachNotableChange) {
  const auto summarizer = seat(Role::Summarizer);
  summarizer->answers = {says("TITLE: lanes\nWHAT: sums in lanes\nWHY: no chain\n"), says("no idea")};
  const auto agent = run_.agent();
  for (int i = 0; i < 4; ++i) {
    coder("x[0] = " + std::to_string(i) + ";");
    Proposal proposal = propose(*agent);
    EXPECT_EQ(proposal.summaries.size(), i == 1 || i == 2 ? 1u : 0u) << i;
    take(proposal, [&](const Candidate &) {
      Evaluation evaluation = i == 0 ? measured(2, true) : measured(i == 1 ? 0.5 : 1, false);
      evaluation.insight = "vectors of 64 bytes";
      return evaluation;
    });
  }
  ASSERT_EQ(run_.state.summaries.size(), 2u);
  const Summary &first = run_.state.summaries[0];
  EXPECT_EQ(first.candidate, run_.state.attempts[0].candidate.id);
  EXPECT_EQ(first.parent, "");
  EXPECT_EQ(first.title, "lanes");
  EXPECT_DOUBLE_EQ(first.ratio, 2);
  EXPECT_EQ(run_.state.summaries[1].title, "") << "it said nothing that can be read, and is not asked again";
  EXPECT_EQ(summarizer->requests.size(), 2u);
  EXPECT_THAT(summarizer->requests[0].messages.back().text, HasSubstr("2.00 times as fast"));
  EXPECT_THAT(summarizer->requests[0].messages.back().text, HasSubstr("vectors of 64 bytes"));
}

TEST_F(RolesTest, EveryCallHasItsRoleItsModelAndItsCost) {
  const auto planner = seat(Role::Planner), judge = seat(Role::Judge);
  planner->answers = {says(kPlans)};
  judge->answers = {says("VERDICT: keep\nWHY: fine\n")};
  coder("x[0] = 1;");
  const auto agent = run_.agent();
  const Proposal proposal = propose(*agent);
  const std::vector<CallRecord> log = calls();
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[0].purpose.role, "planner");
  EXPECT_EQ(log[0].agent, "planner:model");
  EXPECT_EQ(log[1].purpose.role, "coder");
  EXPECT_EQ(log[1].purpose.about, "plan 1 of call 1");
  EXPECT_EQ(log[2].purpose.role, "judge");
  EXPECT_EQ(log[2].purpose.about, proposal.candidates[0].id);
  EXPECT_EQ(proposal.call, 2);
  const auto totals = totalsByRole(log);
  ASSERT_EQ(totals.size(), 3u);
  for (const auto &[role, of] : totals) {
    EXPECT_EQ(of.calls, 1) << role;
    EXPECT_NEAR(of.usd, 1500e-6, 1e-12) << role;
  }
  EXPECT_NEAR(agent->totals().usd, 3 * 1500e-6, 1e-12);
}

TEST_F(RolesTest, NoRoleIsAskedBeyondTheBudget) {
  const auto planner = seat(Role::Planner), judge = seat(Role::Judge);
  run_.settings.roles[0].prices = flatPrices(1, 1); // no call of the planner is affordable
  judge->answers = {says("VERDICT: keep\n")};
  coder("x[0] = 1;");
  std::vector<std::string> notes;
  run_.settings.note = [&](const std::string &what) { notes.push_back(what); };
  const auto agent = run_.agent();
  EXPECT_EQ(propose(*agent).candidates.size(), 1u) << "it goes on without the plan";
  EXPECT_EQ(planner->requests.size(), 0u);
  EXPECT_EQ(judge->requests.size(), 1u);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("the planner (planner:model) is not asked: the dollar budget is spent"));
}

TEST_F(RolesTest, ARoleThatCanNeverBeAskedIsTheUsersError) {
  seat(Role::Planner)->answers = {fails(ChatErrorKind::Key, false)};
  const auto agent = run_.agent();
  const auto proposal = agent->propose(run_.state);
  ASSERT_FALSE(proposal);
  EXPECT_THAT(proposal.error().message, HasSubstr("the planner: it fails"));
}

TEST_F(RolesTest, ARoleThatFailsThreeTimesIsDoneWithout) {
  const auto planner = seat(Role::Planner);
  for (int i = 0; i < 5; ++i)
    planner->answers.push_back(fails(ChatErrorKind::Overload, false));
  const auto agent = run_.agent();
  for (int i = 0; i < 5; ++i) {
    coder("x[0] = " + std::to_string(i) + ";");
    take(propose(*agent), failing);
  }
  EXPECT_EQ(planner->requests.size(), 3u);
}

TEST_F(RolesTest, AnAnsweredRoleIsNotAskedAgainByTheNextProcess) {
  const auto planner = seat(Role::Planner), judge = seat(Role::Judge);
  planner->answers = {says(kPlans)};
  judge->answers = {says("VERDICT: keep\n")};
  run_.state.ask = {.strategy = "beam", .parent = "", .plan = 0, .plans = 3};
  coder("x[0] = 1;");
  const std::string before = propose(*run_.agent()).candidates[0].id; // and is killed before it is journaled
  const Proposal again = propose(*run_.agent());
  ASSERT_EQ(again.candidates.size(), 1u);
  EXPECT_EQ(again.candidates[0].id, before);
  EXPECT_EQ(again.judged.size(), 1u);
  EXPECT_EQ(planner->requests.size() + judge->requests.size() + run_.script->requests.size(), 3u);
}

TEST_F(RolesTest, EachRoleHasTheTemperatureThatIsGivenForItElseTheRuns) {
  const auto planner = seat(Role::Planner), judge = seat(Role::Judge);
  run_.settings.config.temperature = 0.5;
  run_.settings.config.roleTemperatures = {{"judge", 0}, {"coder", 1.5}};
  planner->answers = {says(kPlans)};
  judge->answers = {says("VERDICT: keep\n")};
  coder("x[0] = 1;");
  const auto agent = run_.agent();
  propose(*agent);
  EXPECT_EQ(planner->requests.at(0).temperature, std::optional(0.5));
  EXPECT_EQ(judge->requests.at(0).temperature, std::optional(0.0));
  EXPECT_EQ(run_.script->requests.at(0).temperature, std::optional(1.5));
}

TEST_F(RolesTest, NoPlaceholderTestOrExpectedValueIsSentAndSizesAreBounded) {
  const std::vector<std::shared_ptr<Script>> scripts = {seat(Role::Planner), seat(Role::Fixer), seat(Role::Judge),
                                                        seat(Role::Summarizer), run_.script};
  for (int i = 0; i < 12; ++i) {
    scripts[0]->answers.push_back(says("PLAN: {{plan}} " + std::string(70000, 'p') + "\nWHY: w\n"));
    scripts[1]->answers.push_back(says(replyWith("x[1] = 1" + std::to_string(i) + ";", "b.cpp", 30000)));
    scripts[2]->answers.push_back(says("VERDICT: keep\n"));
    scripts[3]->answers.push_back(says("TITLE: t\nWHAT: w\nWHY: y\n"));
    scripts[4]->answers.push_back(says(replyWith("x[0] = " + std::to_string(i) + ";", "a.cpp", 30000)));
  }
  run_.state.spec.text = "void f(float *x, int n) {\n" + std::string(200000, ' ') + "}";
  run_.settings.config.budgetUsd = 1000;
  const auto agent = run_.agent();
  for (int i = 0; i < 12; ++i)
    take(propose(*agent), [&](const Candidate &) {
      Evaluation evaluation = i % 3 == 0 ? rejectedBy(Stage::Test, "Suite.Case: 3 failed assertions")
                                         : measured(i % 3 == 1 ? 1.5 + i : 0.5, i % 3 == 1);
      evaluation.insight = std::string(9000, 'i');
      return evaluation;
    });
  const std::regex placeholder(R"(\{\{(?!plan)\w*\}\})"); // a model may say what it wants
  for (std::size_t who = 0; who < scripts.size(); ++who) {
    EXPECT_GE(scripts[who]->requests.size(), who == 2 ? 0u : 2u) << who;
    for (const ChatRequest &request : scripts[who]->requests) {
      ASSERT_EQ(request.messages.size(), 2u);
      EXPECT_FALSE(std::regex_search(request.messages[1].text, placeholder)) << request.messages[1].text;
      EXPECT_EQ(request.messages[1].text.find("\n\n\n"), std::string::npos) << request.messages[1].text.substr(0, 4000);
      EXPECT_LE(request.messages[1].text.size(), 72u << 10) << who;
      if (who != 1 && who != 4) {
        EXPECT_LE(request.messages[0].text.size(), 110u << 10) << who;
      }
    }
  }
}

} // namespace
} // namespace agentic
