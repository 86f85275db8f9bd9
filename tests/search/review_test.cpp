// Reviews of winners on a recorded evaluator: what counts, what is confirmed, and a killed run that goes on.
#include "tests/search/loop_fixture.h"

#include "tool/base/text.h"
#include "tool/search/journal_fold.h"

#include <gmock/gmock.h>

#include <fstream>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kWinner = "int f(int n) {\n  int a = n;\n  int b = a;\n  return b;\n}\n";
constexpr const char *kSimple =
    "int f(int n) {\n  // The caller counts from 0, in words that are longer than the winner's "
    "whole file, which does not matter.\n  return n;\n}\n";
constexpr const char *kOther = "int f(int n) {\n  int b = n;\n  return b;\n}\n";
constexpr const char *kBroken = "int f(int n) {\n  return m;\n}\n";
constexpr const char *kLonger = "int f(int numberOfElements) {\n  int numberOfElementsOnceMore = numberOfElements;\n"
                                "  return numberOfElementsOnceMore;\n}\n";

/// What the compiler makes of a text, and how fast that is in comparison with the winner. Without code: nothing.
struct Compiled {
  std::string code;
  double ratio = 1;
};

class ReviewEvaluator : public TableEvaluator {
public:
  ReviewEvaluator()
      : TableEvaluator({{kWinner, 3}}),
        texts{{kWinner, {"code"}}, {kSimple, {"code"}}, {kOther, {"other", 0.992}}, {kBroken, {""}}} {
    confirmsAll = true;
  }

  Result<Evaluation> shortened(const Candidate &candidate, const ShorterRequest &request) override {
    judged.push_back(candidate.text);
    if (onJudge)
      onJudge();
    const Compiled &own = texts.at(candidate.text);
    EXPECT_EQ(request.winner->text, unreviewed);
    EXPECT_EQ(request.notes, candidate.text == unreviewed) << "nobody reads notes on what he wrote himself";
    Evaluation evaluation;
    evaluation.candidate = candidate.id;
    evaluation.stage = Stage::Compile;
    evaluation.objectHash = own.code;
    if (request.notes)
      evaluation.review = {"clang-tidy, line 2: a short name"};
    if (own.code.empty())
      return evaluation;
    const bool isSame = request.sameCode.empty() || request.sameCode.contains(own.code);
    measured += !isSame && request.measures;
    evaluation.stage = isSame ? Stage::Audit : Stage::Benchmark;
    evaluation.verdict = isSame || (request.measures && own.ratio >= 0.99) ? Verdict::Accepted : Verdict::NotFaster;
    return evaluation;
  }

  std::map<std::string, Compiled> texts;
  std::string unreviewed = kWinner;
  std::vector<std::string> judged;
  int measured = 0;
  std::function<void()> onJudge;
};

/// Answers the first question, and the one after a refusal.
class ReviewingAgent : public ListAgent {
public:
  explicit ReviewingAgent(std::vector<std::string> answers, Proposals proposals = {{kWinner}})
      : ListAgent(std::move(proposals)), answers_(std::move(answers)) {}

  Result<std::optional<Review>> review(const RunState &state, const ReviewQuestion &question) override {
    questions.push_back(question);
    seconds.push_back(state.secondsLeft);
    if (onAsk)
      onAsk();
    const std::size_t index = question.refused ? 1 : 0;
    return index < answers_.size() ? std::optional(Review{.text = answers_[index], .by = "some:model"}) : std::nullopt;
  }

  std::vector<ReviewQuestion> questions;
  std::vector<double> seconds;
  std::function<void()> onAsk;

private:
  std::vector<std::string> answers_;
};

class ReviewTest : public LoopTest {
protected:
  void SetUp() override {
    LoopTest::SetUp();
    request_.shortening = {.leavesOut = false, .reviewSeconds = [this] { return seconds_; }};
  }

  /// Runs in a folder of its own.
  RunOutcome reviewed(ReviewEvaluator &evaluator, Agent &agent) {
    runs_ = (scratch_->path() / std::to_string(++count_)).string();
    auto journal = Journal::create(runs_, {"k", "l", "f", "1", "2", "3"}, request_.config);
    EXPECT_TRUE(journal);
    note_.clear();
    auto outcome = runLoop(evaluator, agent, *journal, request_, [&](const RunEvent &event) {
      if (const auto *done = std::get_if<run_event::Reviewed>(&event))
        note_ = done->note;
    });
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(RunOutcome());
  }

  RunOutcome answered(const std::vector<std::string> &answers) {
    ReviewEvaluator evaluator;
    ReviewingAgent agent(answers);
    RunOutcome outcome = reviewed(evaluator, agent);
    asked_ = agent.questions.size();
    return outcome;
  }

  double seconds_ = 100;
  std::string runs_, note_; ///< of the last run
  std::size_t asked_ = 0;
  int count_ = 0;
};

TEST_F(ReviewTest, TheSameCodeNeedsNoMeasurement) {
  ReviewEvaluator evaluator;
  ReviewingAgent agent({kSimple});
  const RunOutcome outcome = reviewed(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, kSimple);
  EXPECT_EQ(outcome.best->origin, "list");
  EXPECT_EQ(outcome.best->parent, makeCandidate(kWinner, "").id);
  EXPECT_EQ(outcome.reviewed, "by some:model: 5 lines became 4; the object code is the same");
  EXPECT_EQ(outcome.shortening, "");
  EXPECT_EQ(evaluator.measured, 0);
  EXPECT_THAT(evaluator.confirmed, ElementsAre(kSimple)) << "what ships is what was evaluated";
  ASSERT_EQ(agent.questions.size(), 1u);
  EXPECT_EQ(agent.questions[0].winner.text, kWinner);
  EXPECT_THAT(agent.questions[0].notes, ElementsAre("clang-tidy, line 2: a short name"));
  EXPECT_FALSE(agent.questions[0].refused);
  EXPECT_THAT(agent.seconds, ElementsAre(100));
  const auto record = readRun(listRuns(runs_, "k").front());
  ASSERT_TRUE(record && record->winner);
  EXPECT_EQ(changesOf(*record, record->winner->candidate.id).review, outcome.reviewed);
  EXPECT_EQ(originalOf(*record, record->winner->candidate.id), makeCandidate(kWinner, "").id);
}

TEST_F(ReviewTest, OtherCodeKeepsUpWithTheUnreviewedWinner) {
  for (const double ratio : {0.992, 0.98}) {
    ReviewEvaluator evaluator;
    evaluator.texts[kOther].ratio = ratio;
    ReviewingAgent agent({kOther});
    const RunOutcome outcome = reviewed(evaluator, agent);
    ASSERT_TRUE(outcome.best);
    EXPECT_EQ(outcome.best->text, ratio >= 0.99 ? kOther : kWinner);
    EXPECT_EQ(evaluator.measured, 1);
    if (ratio >= 0.99)
      EXPECT_THAT(outcome.reviewed, HasSubstr("at least 0.99"));
    else
      EXPECT_EQ(note_, "it may be slower");
  }
}

TEST_F(ReviewTest, WhatIsRefusedIsAskedAboutOnceMore) {
  ReviewEvaluator evaluator;
  ReviewingAgent agent({kBroken, kSimple});
  EXPECT_EQ(reviewed(evaluator, agent).best->text, kSimple);
  ASSERT_EQ(agent.questions.size(), 2u);
  ASSERT_TRUE(agent.questions[1].refused);
  EXPECT_EQ(agent.questions[1].refused->candidate.text, kBroken);
  EXPECT_EQ(agent.questions[1].refused->evaluation.stage, Stage::Compile);

  EXPECT_EQ(answered({kBroken, kBroken}).best->text, kWinner);
  EXPECT_EQ(asked_, 2u) << "and never a third time";
  EXPECT_EQ(note_, "it does not compile");
}

TEST_F(ReviewTest, WhatIsLongerWithoutCommentsIsNotEvenJudged) {
  ReviewEvaluator evaluator; // which knows nothing of that text
  ReviewingAgent agent({kLonger});
  EXPECT_EQ(reviewed(evaluator, agent).best->text, kWinner);
  EXPECT_THAT(note_, HasSubstr("it is longer: "));
  EXPECT_EQ(agent.questions.size(), 1u);
}

TEST_F(ReviewTest, WhoSaysNothingCostsNothing) {
  const std::vector<std::vector<std::string>> all = {{}, {""}, {kWinner}};
  for (const std::vector<std::string> &answers : all) {
    const RunOutcome outcome = answered(answers);
    EXPECT_EQ(outcome.best->text, kWinner);
    EXPECT_EQ(outcome.reviewed, "");
    EXPECT_EQ(asked_, 1u);
  }
  EXPECT_EQ(note_, "it leaves the winner as it is");
}

TEST_F(ReviewTest, ACandidateOfTheSearchHasItsOwnVerdict) {
  ReviewEvaluator evaluator;
  evaluator.setRatio(kOther, 0);
  ReviewingAgent agent({kOther}, {{kOther, kWinner}});
  EXPECT_EQ(reviewed(evaluator, agent).best->text, kWinner);
  EXPECT_EQ(note_, "it was tried in the search");
}

TEST_F(ReviewTest, NobodyIsAskedWithoutTimeOrAReviewer) {
  for (const bool isOn : {false, true}) {
    if (!isOn)
      request_.shortening.reviewSeconds = {};
    else
      request_.shortening.reviewSeconds = [] { return 0; };
    EXPECT_EQ(answered({kSimple}).best->text, kWinner);
    EXPECT_EQ(asked_, 0u);
    EXPECT_THAT(readFile(fs::path(listRuns(runs_, "k").front()) / "journal.jsonl").value(),
                Not(HasSubstr("\"event\":\"review")));
  }
}

TEST_F(ReviewTest, AnAnswerThatComesTooLateIsNotJudged) {
  ReviewEvaluator evaluator;
  ReviewingAgent agent({kSimple});
  agent.onAsk = [this] { now_ += 101; };
  EXPECT_EQ(reviewed(evaluator, agent).best->text, kWinner);
  EXPECT_EQ(note_, "the time for it is up");
  EXPECT_THAT(evaluator.judged, ElementsAre(kWinner));
}

TEST_F(ReviewTest, WhatIsNotConfirmedIsTriedAsItWasUnlessItsCodeIsTheSame) {
  for (const char *text : {kSimple, kOther}) {
    ReviewEvaluator evaluator;
    evaluator.failsConfirm = text;
    ReviewingAgent agent({text});
    const RunOutcome outcome = reviewed(evaluator, agent);
    EXPECT_EQ(outcome.best.has_value(), text == kOther);
    EXPECT_EQ(outcome.reviewed, "");
    EXPECT_EQ(evaluator.confirmed.size(), text == kOther ? 2u : 1u);
  }
}

TEST_F(ReviewTest, WhatShorteningLeftIsReviewedAndTheAnswerIsFormatted) {
  const std::string formatted = replaceAll(kWinner, "  ", "    ");
  struct StyledEvaluator : ReviewEvaluator {
    Result<Evaluation> shortened(const Candidate &candidate, const ShorterRequest &request) override {
      unreviewed = request.winner->text;
      if (unreviewed != kWinner)
        return ReviewEvaluator::shortened(candidate, request);
      Evaluation evaluation;
      evaluation.objectHash = "code";
      evaluation.verdict = Verdict::Accepted;
      return evaluation;
    }
  } evaluator;
  evaluator.texts[formatted] = {"code"};
  evaluator.texts[replaceAll(kSimple, "  ", "    ")] = {"code"};
  request_.shortening.format = [](const std::string &text) {
    return text.contains("    ") ? text : replaceAll(text, "  ", "    ");
  };
  ReviewingAgent agent({kSimple});
  const RunOutcome outcome = reviewed(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, replaceAll(kSimple, "  ", "    "));
  EXPECT_EQ(outcome.shortening, "formatted in the project's style");
  EXPECT_THAT(outcome.reviewed, HasSubstr("by some:model"));
  ASSERT_EQ(agent.questions.size(), 1u);
  EXPECT_EQ(agent.questions[0].winner.text, formatted);
  const auto record = readRun(listRuns(runs_, "k").front());
  ASSERT_TRUE(record);
  const ChangedText changes = changesOf(*record, outcome.best->id);
  EXPECT_EQ(changes.original, makeCandidate(kWinner, "").id);
  EXPECT_EQ(changes.shortening, outcome.shortening);
  EXPECT_EQ(changes.review, outcome.reviewed);
}

TEST_F(ReviewTest, AKilledRunGoesOnWithTheNextStep) {
  ReviewEvaluator first;
  ReviewingAgent asked({kBroken, kOther});
  const RunOutcome whole = reviewed(first, asked);
  ASSERT_EQ(whole.best->text, kOther);
  const fs::path run = listRuns(runs_, "k").front();
  const std::string text = readFile(run / "journal.jsonl").value();
  EXPECT_THAT(text, HasSubstr("\"reviewing\""));
  const auto lines = std::size_t(std::ranges::count(text, '\n'));
  ASSERT_GT(lines, 10u);
  std::size_t end = 0;
  for (std::size_t line = 1; line <= lines; ++line) {
    SCOPED_TRACE(line);
    end = text.find('\n', end) + 1;
    const fs::path root = scratch_->path() / ("killed-" + std::to_string(line));
    fs::create_directories(root);
    fs::copy(run, root / run.filename(), fs::copy_options::recursive);
    std::ofstream(root / run.filename() / "journal.jsonl") << text.substr(0, end) << text.substr(end, 9); // torn
    const auto before = readRun((root / run.filename()).string());
    ASSERT_TRUE(before);
    std::size_t steps = 0;
    for (const auto &[winner, tried] : before->shorter)
      steps += tried.size();
    ReviewEvaluator evaluator;
    auto journal = Journal::resume(root.string(), {"k", "l", "f", "1", "2", "3"});
    ASSERT_TRUE(journal) << journal.error().message;
    ReviewingAgent agent({kBroken, kOther});
    const auto outcome = runLoop(evaluator, agent, *journal, request_, {});
    ASSERT_TRUE(outcome && outcome->best) << outcome.error().message;
    EXPECT_EQ(outcome->best->text, kOther);
    EXPECT_EQ(outcome->reviewed, whole.reviewed);
    EXPECT_EQ(evaluator.judged.size(), before->reviewed.empty() ? first.judged.size() - steps : 0u);
    if (before->reviewed.empty())
      EXPECT_THAT(agent.questions.back().refused->evaluation.stage, Stage::Compile);
    else
      EXPECT_EQ(agent.questions.size(), 0u);
    for (const ReviewQuestion &question : agent.questions)
      EXPECT_THAT(question.notes, ElementsAre("clang-tidy, line 2: a short name"));
    const auto after = readRun(journal->directory());
    ASSERT_TRUE(after && after->winner);
    EXPECT_EQ(after->winner->candidate.text, kOther);
    EXPECT_EQ(originalOf(*after, after->winner->candidate.id), makeCandidate(kWinner, "").id);
  }
}

} // namespace
} // namespace agentic
