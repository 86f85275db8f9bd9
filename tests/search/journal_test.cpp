#include "tool/search/journal.h"

#include "tool/base/files.h"
#include "tool/search/rejections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace agentic {
namespace {

using testing::HasSubstr;

const RunIdentity kIdentity{"gemm", "x86-64-v3", "clang", "kernel-1", "flags-1", "clang 19"};

class JournalTest : public testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "journal");
    ASSERT_TRUE(scratch);
    scratch_.emplace(std::move(*scratch));
    runs_ = (scratch_->path() / "runs").string();
  }

  static Evaluation accepted(const Candidate &candidate, double ratio) {
    Evaluation evaluation;
    evaluation.kernel = "gemm";
    evaluation.candidate = candidate.id;
    evaluation.verdict = Verdict::Accepted;
    evaluation.stage = Stage::Benchmark;
    evaluation.measurement.emplace();
    evaluation.measurement->speedup.ratio = ratio;
    return evaluation;
  }

  void appendRaw(const std::string &run, const std::string &text) {
    std::ofstream(run + "/journal.jsonl", std::ios::app) << text;
  }

  std::optional<ScratchDirectory> scratch_;
  std::string runs_;
};

TEST_F(JournalTest, FoldGivesBackWhatWasRecorded) {
  const Candidate first = makeCandidate("void a();", "builtin: x"), second = makeCandidate("void b();", "builtin: y");
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{.maxSeconds = 42, .seed = 7});
    ASSERT_TRUE(journal) << journal.error().message;
    directory = journal->directory();
    ASSERT_TRUE(journal->proposed({.candidates = {first, second}, .note = "two"}, 0));
    ASSERT_TRUE(journal->evaluated(first, accepted(first, 3.5), true, 1.25));
  }
  auto record = readRun(directory);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->identity, kIdentity);
  EXPECT_EQ(record->config.seed, 7u);
  EXPECT_EQ(record->config.maxSeconds, 42);
  ASSERT_EQ(record->attempts.size(), 1u);
  EXPECT_EQ(record->attempts[0].candidate.text, "void a();");
  EXPECT_EQ(record->attempts[0].evaluation.measurement->speedup.ratio, 3.5);
  EXPECT_EQ(record->incumbent, 0);
  EXPECT_EQ(record->secondsUsed, 1.25);
  ASSERT_EQ(record->pending.size(), 1u);
  EXPECT_EQ(record->pending[0].id, second.id);
  EXPECT_FALSE(record->finished);
}

TEST_F(JournalTest, WhatRolesSayIsKept) {
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    Proposal proposal{.candidates = {makeCandidate("void a();", "x call 1")}, .call = 1};
    proposal.ask = Ask{.strategy = "beam", .plan = 1, .plans = 3, .fixes = "c9"};
    proposal.judged = {{.candidate = "c9", .objection = "wrong", .why = "n = 0", .isDropped = true, .seconds = 2.5}};
    proposal.summaries = {{.candidate = "c1", .parent = "c0", .title = "t", .what = "w", .why = "y", .ratio = 2}};
    ASSERT_TRUE(journal->proposed(proposal, 0));
    ASSERT_TRUE(journal->proposed({.call = 2, .isUnusable = true}, 0));
    EXPECT_EQ(journal->record().judged.size(), 1u);
  }
  const auto record = readRun(directory);
  ASSERT_TRUE(record) << record.error().message;
  ASSERT_EQ(record->judged.size(), 1u);
  EXPECT_EQ(record->judged[0].candidate + record->judged[0].objection + record->judged[0].why, "c9wrongn = 0");
  EXPECT_TRUE(record->judged[0].isDropped);
  EXPECT_EQ(record->judged[0].seconds, 2.5);
  ASSERT_EQ(record->summaries.size(), 1u);
  const Summary &summary = record->summaries[0];
  EXPECT_EQ(summary.candidate + summary.parent + summary.title + summary.what + summary.why, "c1c0twy");
  EXPECT_EQ(summary.ratio, 2);
  ASSERT_EQ(record->asked.size(), 1u);
  EXPECT_EQ(record->asked[0].ask.plans, 3);
  EXPECT_EQ(record->asked[0].ask.fixes, "c9");
  const std::string text = readFile(directory + "/journal.jsonl").value();
  EXPECT_EQ(text.find("judged", text.find("judged") + 1), std::string::npos) << "not where nobody was asked";
}

TEST_F(JournalTest, TheTextOfAVariantThatWasThereBeforeIsKept) {
  const Candidate variant = makeCandidate("void a();", "variant: x");
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    ASSERT_TRUE(journal->evaluated(variant, accepted(variant, 3.5), true, 1));
  }
  const auto record = readRun(directory);
  ASSERT_TRUE(record && record->attempts.size() == 1);
  EXPECT_EQ(record->attempts.front().candidate.text, variant.text);
}

// A power cut may keep the line of a proposal that cost nothing, and lose its text.
TEST_F(JournalTest, AProposalWithoutItsTextIsNotPending) {
  const Candidate lost = makeCandidate("void a();", "x"), kept = makeCandidate("void b();", "y");
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    ASSERT_TRUE(journal->proposed({.candidates = {lost, kept}}, 0));
  }
  std::ofstream(directory + "/candidates/" + lost.id + ".cpp", std::ios::trunc);
  const auto journal = Journal::resume(runs_, kIdentity);
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_EQ(journal->record().pending.size(), 1u);
  EXPECT_EQ(journal->record().pending[0].id, kept.id);
}

TEST_F(JournalTest, APausedRunMaySearchAgain) {
  const Candidate candidate = makeCandidate("void a();", "x");
  for (const bool searchesAgain : {false, true}) {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->confirming(candidate, 1));
    ASSERT_TRUE(journal->paused(2, searchesAgain));
    EXPECT_EQ(journal->record().confirming.empty(), searchesAgain);
    const auto record = readRun(journal->directory());
    ASSERT_TRUE(record);
    EXPECT_EQ(record->confirming.empty(), searchesAgain);
  }
}

TEST_F(JournalTest, TornLastLineIsIgnoredAndResumeContinuesAfterIt) {
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    ASSERT_TRUE(journal->proposed({.candidates = {makeCandidate("void a();", "x")}}, 0));
  }
  appendRaw(directory, R"({"v":1,"event":"evaluated","candida)"); // killed while writing
  auto journal = Journal::resume(runs_, kIdentity);
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_EQ(journal->directory(), directory);
  ASSERT_EQ(journal->record().pending.size(), 1u);
  const Candidate pending = journal->record().pending[0];
  ASSERT_TRUE(journal->evaluated(pending, accepted(pending, 2), true, 3));
  auto record = readRun(directory);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->attempts.size(), 1u);
  EXPECT_TRUE(record->pending.empty());
}

TEST_F(JournalTest, ResumeNamesWhatChanged) {
  ASSERT_TRUE(Journal::create(runs_, kIdentity, RunConfig{}));
  for (const auto &[change, word] : std::vector<std::pair<RunIdentity, std::string>>{
           {{"gemm", "x86-64-v3", "clang", "kernel-2", "flags-1", "clang 19"}, "the kernel"},
           {{"gemm", "x86-64-v3", "clang", "kernel-1", "flags-2", "clang 19"}, "the compile flags"},
           {{"gemm", "x86-64-v3", "clang", "kernel-1", "flags-1", "clang 20"}, "the compiler"}}) {
    auto journal = Journal::resume(runs_, change);
    ASSERT_FALSE(journal);
    EXPECT_THAT(journal.error().message, HasSubstr(word));
    EXPECT_THAT(journal.error().next, HasSubstr("without --resume"));
  }
}

TEST_F(JournalTest, FinishedRunsAndOtherKernelsAreNotResumed) {
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->finished("done", 12.5));
  }
  EXPECT_THAT(Journal::resume(runs_, kIdentity).error().message, HasSubstr("no unfinished run"));
  RunIdentity other = kIdentity;
  other.kernel = "gemm2";
  EXPECT_THAT(Journal::resume(runs_, other).error().message, HasSubstr("no unfinished run of kernel 'gemm2'"));
}

TEST_F(JournalTest, TheTimeOfARunIsKeptToItsEndAndByStage) {
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    const Candidate candidate = makeCandidate("void a();", "x");
    Evaluation evaluation = accepted(candidate, 2);
    evaluation.times = {{"check", 0.5}, {"test", 1}};
    ASSERT_TRUE(journal->described({}, "void f();", 3));
    ASSERT_TRUE(journal->proposed({.call = 1, .isUnusable = true}, 4));
    ASSERT_TRUE(journal->evaluated(candidate, evaluation, true, 5));
    ASSERT_TRUE(journal->confirming(candidate, 6));
    EndToEnd endToEnd{.outcome = EndToEndOutcome::NoChange, .application = "app", .metric = "MB/s", .pairs = 8};
    endToEnd.speedup = {.ratio = 1.01, .low = 0.98, .high = 1.04, .isInterval = true, .isConfirmed = true};
    ASSERT_TRUE(journal->confirmed(candidate, evaluation, 16)); // its steps are parts of those ten seconds
    ASSERT_TRUE(journal->written({"f.cpp"}, {}, endToEnd, 18));
    ASSERT_TRUE(journal->finished("done", 20));
    EXPECT_EQ(journal->record().stageSeconds.at("confirm"), 10);
  }
  const auto record = readRun(directory);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->secondsUsed, 20);
  ASSERT_TRUE(record->endToEnd);
  EXPECT_EQ(record->endToEnd->outcome, EndToEndOutcome::NoChange);
  EXPECT_EQ(record->endToEnd->application, "app");
  EXPECT_EQ(record->endToEnd->speedup.high, 1.04);
  EXPECT_EQ(record->iterations.front().seconds, 4);
  EXPECT_EQ(record->stageSeconds,
            (std::map<std::string, double>{
                {"check", 0.5}, {"confirm", 10}, {"preparing", 3}, {"test", 1}, {"write-back", 2}}));
}

TEST_F(JournalTest, TheTimeOfTheSearchIsThatOfAllProcessesWithoutTheirPreparation) {
  const Candidate candidate = makeCandidate("void a();", "x");
  std::string directory;
  {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    directory = journal->directory();
    ASSERT_TRUE(journal->described({}, "void f();", 30));
    ASSERT_TRUE(journal->searching(31));
    ASSERT_TRUE(journal->proposed({.candidates = {candidate}}, 33));
    ASSERT_TRUE(journal->paused(40));
    EXPECT_EQ(journal->record().searchSeconds, 9);
  }
  {
    auto journal = Journal::resume(runs_, kIdentity);
    ASSERT_TRUE(journal) << journal.error().message;
    EXPECT_EQ(journal->record().searchSeconds, 9);
    ASSERT_TRUE(journal->searching(42));
    ASSERT_TRUE(journal->triedSetting(candidate.id, {{0}, accepted(candidate, 2)}, 44));
    ASSERT_TRUE(journal->evaluated(candidate, accepted(candidate, 2), true, 45));
    ASSERT_TRUE(journal->confirming(candidate, 47));
    ASSERT_TRUE(journal->paused(60)); // while it confirmed
  }
  const auto record = readRun(directory);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->searchSeconds, 9 + 5);
  EXPECT_EQ(record->secondsUsed, 60);
  EXPECT_EQ(record->stageSeconds.at("preparing"), 31 + 2);
}

TEST_F(JournalTest, CandidatesAreCountedByWhatDidNotTakeThem) {
  RunRecord record;
  const auto add = [&](Verdict verdict, Stage stage) {
    Attempt attempt;
    attempt.evaluation.verdict = verdict;
    attempt.evaluation.stage = stage;
    record.iterations.push_back({.attempt = record.attempts.size()});
    record.attempts.push_back(attempt);
  };
  add(Verdict::Rejected, Stage::Compile);
  add(Verdict::NotFaster, Stage::Audit); // the same code as the baseline
  add(Verdict::NotFaster, Stage::Test);  // journals have this from the time when a time limit was a verdict
  add(Verdict::NotFaster, Stage::Benchmark);
  add(Verdict::Accepted, Stage::Benchmark);
  record.iterations.push_back({.call = 7});
  record.refused["c1"] = {.verdict = Verdict::NotFaster, .stage = Stage::Confirm};
  record.refused["c2"] = {.verdict = Verdict::Rejected, .stage = Stage::Sanitize};
  EXPECT_EQ(rejectedBy(record), (std::map<std::string, int>{
                                    {"benchmark", 3}, {"compile", 1}, {"confirm", 1}, {"reply", 1}, {"sanitize", 1}}));
}

TEST_F(JournalTest, ARunInUseIsNotResumed) {
  auto journal = Journal::create(runs_, kIdentity, RunConfig{});
  ASSERT_TRUE(journal);
  EXPECT_THAT(Journal::resume(runs_, kIdentity).error().message, HasSubstr("still being worked on"));
  EXPECT_TRUE(isBeingWritten(journal->directory()));
}

TEST_F(JournalTest, RunsOfTheSameSecondGetTheirOwnFolders) {
  auto first = Journal::create(runs_, kIdentity, RunConfig{}), second = Journal::create(runs_, kIdentity, RunConfig{});
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->directory(), second->directory());
  EXPECT_EQ(listRuns(runs_, "gemm").size(), 2u);
  EXPECT_TRUE(listRuns(runs_, "other").empty());
}

TEST_F(JournalTest, DamageAndOtherVersionsAreErrorsWithANextStep) {
  auto journal = Journal::create(runs_, kIdentity, RunConfig{});
  ASSERT_TRUE(journal);
  appendRaw(journal->directory(), "{\"v\":99,\"event\":\"future\"}\n");
  auto record = readRun(journal->directory());
  ASSERT_FALSE(record);
  EXPECT_THAT(record.error().message, HasSubstr("another version"));
}

TEST_F(JournalTest, WhateverALineHoldsIsAnErrorThatNamesIt) {
  for (const char *line :
       {"42", "[]", "null", "\"text\"", "{}", R"({"v":"1"})", R"({"v":1,"event":7})", R"({"v":1,"event":"evaluated"})",
        R"({"v":1,"event":"proposed","candidates":[7]})",
        R"({"v":1,"event":"proposed","candidates":[{"id":"../../x"}]})",
        R"({"v":1,"event":"proposed","candidates":[{}]})", R"({"v":1,"event":"proposed","candidates":7})",
        R"({"v":1,"event":"tried","setting":["x"],"evaluation":{}})", R"({"v":1,"event":"evaluated","seconds":"x"})"}) {
    auto journal = Journal::create(runs_, kIdentity, RunConfig{});
    ASSERT_TRUE(journal);
    appendRaw(journal->directory(), std::string(line) + "\n");
    auto record = readRun(journal->directory());
    ASSERT_FALSE(record) << line;
    EXPECT_THAT(record.error().message, testing::AnyOf(HasSubstr("line 2 is damaged"), HasSubstr("another version")))
        << line;
  }
}

TEST_F(JournalTest, FoldersThatAreNoRunsAreNotListed) {
  auto journal = Journal::create(runs_, kIdentity, RunConfig{});
  ASSERT_TRUE(journal);
  ASSERT_TRUE(createDirectories(runs_ + "/notes"));
  ASSERT_TRUE(createDirectories(runs_ + "/k"));
  EXPECT_THAT(listRuns(runs_, ""), testing::ElementsAre(journal->directory()));
}

} // namespace
} // namespace agentic
