// Tests what a model is told when a strategy says from which candidate to go on: that one, what came of it, and nothing
// of all others.
#include "tests/agent/scripted_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

/// A run in which each proposal goes on from a candidate that the test chooses.
class AskedConversation : public testing::Test {
protected:
  /// Answers with "x[0] = <n>;" and a verdict; returns the candidate's id.
  std::string goOn(const Ask &ask, int n, const Evaluation &verdict) {
    run_.state.ask = ask;
    run_.script->answers.push_back(says(replyWith("x[0] = " + std::to_string(n) + ";")));
    if (!agent_)
      agent_ = run_.agent();
    const auto proposal = agent_->propose(run_.state);
    EXPECT_TRUE(proposal) << proposal.error().message;
    if (!proposal || proposal->candidates.size() != 1)
      return {};
    run_.take(*proposal, [&](const Candidate &) { return verdict; });
    run_.state.asked.push_back({ask, {proposal->candidates[0].id}});
    return proposal->candidates[0].id;
  }
  const std::vector<ChatMessage> &sent() const { return run_.script->requests.back().messages; }

  ScriptedRun run_;
  std::unique_ptr<LlmAgent> agent_;
};

TEST_F(AskedConversation, GoesOnFromTheParentAndTellsWhatCameOfIt) {
  const std::string first = goOn({.strategy = "beam"}, 1, measured(2, true));
  const std::string second = goOn({.strategy = "beam", .tried = {first}}, 2, measured(3, true));
  const std::string third = goOn({.strategy = "beam", .parent = first}, 3, rejectedBy(Stage::Test, "T.x: failed"));
  goOn({.strategy = "beam", .parent = first, .tried = {third}}, 4, measured(0.9, false));
  ASSERT_EQ(sent().size(), 2u);
  const std::string &text = sent()[1].text;
  EXPECT_THAT(text, HasSubstr("# The file to go on from\n\n#1 (a.cpp) is correct and 2.00x"));
  EXPECT_THAT(text, HasSubstr("```cpp a.cpp\nvoid f(float *x, int n) {\nx[0] = 1;"));
  EXPECT_THAT(text, HasSubstr("# Tried from here\n\n- #3 rejected by test: The idea is x[0] = 3;"));
  EXPECT_THAT(text, HasSubstr("T.x: failed"));
  EXPECT_THAT(text, Not(HasSubstr("x[0] = 2;"))) << "the best so far, from which it does not go on";
}

TEST_F(AskedConversation, ATryFromTheBaselineKnowsOnlyWhatItIsTold) {
  const std::string first = goOn({.strategy = "best-of"}, 1, measured(2, true));
  goOn({.strategy = "best-of", .plan = 1}, 2, failing({}));
  EXPECT_THAT(sent()[1].text, Not(HasSubstr("x[0] = 1;")));
  EXPECT_THAT(sent()[1].text, HasSubstr("The baseline takes 1.50 ms."));
  EXPECT_THAT(sent()[1].text, HasSubstr("begins with the baseline"));
  goOn({.strategy = "beam", .tried = {first}}, 3, failing({}));
  EXPECT_THAT(sent()[1].text, HasSubstr("- #1 2.00x (estimate), the best so far: The idea is x[0] = 1;"));
}

TEST_F(AskedConversation, OtherFilesAndAnIdeaAreShownWhereTheyAreAskedFor) {
  const std::string first = goOn({.strategy = "beam"}, 1, measured(2, true));
  const std::string second = goOn({.strategy = "beam"}, 2, measured(1.5, false));
  goOn({.strategy = "beam", .parent = first, .beside = {second}, .idea = second}, 3, failing({}));
  EXPECT_THAT(sent()[1].text, HasSubstr("# Others that went another way\n\n- #2 about 3.00x: The idea is x[0] = 2;"));
  EXPECT_THAT(sent()[1].text, HasSubstr("{\nx[0] = 2;\n}"));
  EXPECT_THAT(sent()[1].text, HasSubstr("Write this idea once more, in another way: The idea is x[0] = 2;"));
}

TEST_F(AskedConversation, WithTheWholeHistoryItIsTheConversationThatLedThere) {
  run_.settings.config.history = "full";
  const std::string first = goOn({.strategy = "tree"}, 1, measured(2, true));
  goOn({.strategy = "tree"}, 2, measured(3, true));
  const std::string third = goOn({.strategy = "tree", .parent = first}, 3, measured(0.9, false));
  goOn({.strategy = "tree", .parent = third}, 4, failing({}));
  ASSERT_EQ(sent().size(), 6u); // system, question, first, verdict, third, question
  EXPECT_EQ(sent()[2].role, ChatRole::Assistant);
  EXPECT_THAT(sent()[2].text, HasSubstr("x[0] = 1;"));
  EXPECT_THAT(sent()[4].text, HasSubstr("x[0] = 3;"));
  EXPECT_THAT(sent()[5].text, HasSubstr("The file to go on from\n\n#3"));
  for (const ChatMessage &message : sent())
    EXPECT_THAT(message.text, Not(HasSubstr("x[0] = 2;")));
}

TEST_F(AskedConversation, WhatAnotherAgentMadeIsShownWithoutAConversation) {
  run_.settings.config.history = "full";
  run_.state.attempts.push_back({makeCandidate("void f(float *x, int n) { x[0] = 9; }", "other"), measured(2, true)});
  run_.state.incumbent = 0;
  goOn({.strategy = "tree", .parent = run_.state.attempts[0].candidate.id}, 1, failing({}));
  ASSERT_EQ(sent().size(), 2u);
  EXPECT_THAT(sent()[1].text, HasSubstr("x[0] = 9;"));
}

TEST_F(AskedConversation, AReplyWithoutAFileIsToldInTheNextQuestion) {
  run_.script->answers = {says("Blocks would help.")};
  run_.state.ask = {.strategy = "tree"};
  agent_ = run_.agent();
  const auto useless = agent_->propose(run_.state);
  ASSERT_TRUE(useless && useless->isUnusable);
  run_.take(*useless, failing);
  goOn({.strategy = "tree"}, 1, failing({}));
  EXPECT_THAT(sent()[1].text, HasSubstr("The last reply held no candidate. "));
}

TEST_F(AskedConversation, NoPlaceholderAndNoHoleIsSent) {
  const std::regex placeholder(R"(\{\{\w*\}\})");
  for (const char *history : {"full", "compact", "best"})
    for (const char *protocol : {"text", "tools"}) {
      ScriptedRun run;
      std::swap(run_, run);
      agent_.reset();
      run_.settings.config.history = history;
      run_.settings.config.protocol = protocol;
      const std::string first = goOn({.strategy = "beam"}, 1, measured(2, true));
      const std::string second = goOn({.strategy = "beam", .tried = {first}}, 2, failing({}));
      goOn({.strategy = "beam", .parent = first}, 3, failing({}));
      goOn({.strategy = "beam", .parent = first, .tried = {second}, .beside = {first}, .idea = first}, 4, failing({}));
      EXPECT_EQ(run_.script->requests.size(), 4u);
      for (const ChatRequest &request : run_.script->requests)
        for (const ChatMessage &message : request.messages) {
          EXPECT_FALSE(std::regex_search(message.text, placeholder)) << message.text;
          EXPECT_EQ(message.text.find("\n\n\n"), std::string::npos) << message.text;
        }
    }
}

TEST_F(AskedConversation, ItsSizeIsBounded) {
  run_.script->answers = {};
  std::vector<std::string> tried;
  const std::string big = "void f(float *x, int n) { }\n// " + std::string(100'000, 'y') + "\n";
  run_.state.attempts.push_back({makeCandidate(big, "seed"), measured(2, true)});
  const std::string parent = run_.state.attempts[0].candidate.id;
  for (int i = 0; i < 8; ++i)
    tried.push_back(
        goOn({.strategy = "tree", .parent = parent}, i, rejectedBy(Stage::Compile, std::string(9000, 'd'))));
  goOn({.strategy = "tree", .parent = parent, .tried = tried, .beside = {parent, tried[0], tried[1]}}, 9, failing({}));
  EXPECT_LT(sent()[1].text.size(), (32u + 2 * 16 + 6) << 10);
  EXPECT_THAT(sent()[1].text, Not(HasSubstr("{\nx[0] = 1;\n}"))) << "two others at most";
}

} // namespace
} // namespace agentic
