// Shortens padded winners on a recorded evaluator: what was planted goes, nothing else does, and a killed run goes on.
#include "tests/search/loop_fixture.h"

#include "tool/base/text.h"
#include "tool/search/journal_fold.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;

/// A part of a padded winner, and what the compiler makes of the winner without it.
struct Planted {
  std::string with, without = {};
  double ratio = 0; ///< 0: the same object code; else other code, so fast in comparison with the winner
};

struct Padded {
  const char *name;
  std::string text; ///< with "@" and a number where something is planted
  std::vector<Planted> planted;
  std::vector<Planted> kept = {};                              ///< lines of the text that only look useless
  std::vector<std::pair<std::string, std::string>> needs = {}; ///< planted lines that mean something without others

  std::string filled(bool isPadded) const {
    std::string whole = text;
    for (std::size_t i = 0; i < planted.size(); ++i)
      whole = replaceAll(whole, "@" + std::to_string(i), isPadded ? planted[i].with : planted[i].without);
    return whole;
  }
};

const Padded kPadded[] = {
    {"a dead array and a pragma",
     "void f(float *a, int n) {\n@0@1  for (int i = 0; i < n; ++i)\n    a[i] = 2 * a[i];\n}\n",
     {{"  float unused[4] = {0}; // never read\n"}, {"#pragma clang loop unroll(full)\n"}}},
    {"a helper that nobody calls, and a branch that is never taken",
     "namespace demo {\n@0static int one(int x) { return x + 1; }\nint f(int n) {\n@1  int total = one(n);\n@2"
     "  return total;\n}\n} // namespace demo\n",
     {{"// Two.\nstatic int two(int x) {\n  if (x > 0)\n    return 2;\n  return x + 2;\n}\n"},
      {"  if (n != n) {\n    return -1;\n  }\n"},
      {"  total += 0;\n"}},
     {},
     {{"return-1;", "if(n!=n){"},
      {"return2;", "staticinttwo(intx){"},
      {"returnx+2;", "staticinttwo(intx){"},
      {"if(x>0)", "staticinttwo(intx){"}}},
    {"redundant intrinsics",
     "__m256i f(__m256i a, __m256i b) {\n  __m256i sum = @0;\n@1  return @2;\n}\n",
     {{"_mm256_castps_si256(_mm256_castsi256_ps(a))", "a"},
      {"  _mm256_zeroupper();\n", "", 1.0},
      {"_mm256_xor_si256(sum, b)", "sum ^ b"}}},
    {"hints that bring nothing, and two that do",
     "int f(const int *@0p, int n) {\n  int total = 0;\n@1#pragma GCC unroll 8\n  for (int i = 0; i < n; ++i) {\n"
     "@2    __builtin_prefetch(p + 64);\n    total += p[i];\n  }\n  return total;\n}\n",
     {{"__restrict "}, {"#pragma GCC ivdep\n", "", 1.01}, {"    __builtin_assume(i < 4096);\n", "", 0.995}},
     {{"#pragma GCC unroll 8\n", "", 0.9}, {"    __builtin_prefetch(p + 64);\n", "", 0.97}}},
    {"useless lines between useless lines",
     "void f(int *p) {\n@0  p[0] = 1;\n@1@2  p[1] = 2;\n@3}\n",
     {{"  int a = 1;\n  int b = a + 1;\n  int c = a + b;\n"},
      {"  for (int i = 0; i < 3; ++i) {\n    int d = i;\n  }\n"},
      {"  {\n    p[2] = 3;\n  }\n", "  p[2] = 3;\n"},
      {"  do {\n    // nothing\n  } while (false);\n"}},
     {},
     {{"intb=a+1;", "inta=1;"}, {"intc=a+b;", "intb=a+1;"}, {"intd=i;", "for(inti=0;i<3;++i){"}}},
};

std::string squeezed(const std::string &text) {
  std::string result;
  for (const char c : text)
    if (c != ' ' && c != '\n')
      result += c;
  return result;
}

/// Its compiler makes the same code of texts that differ in what was planted. Other code computes something else,
/// unless only hints are missing.
class PaddedEvaluator : public TableEvaluator {
public:
  explicit PaddedEvaluator(const Padded &padded)
      : TableEvaluator({{padded.filled(true), 3}, {padded.filled(false), 3}}), padded_(padded) {
    for (const Planted &planted : padded.planted)
      for (const std::string &line : split(planted.with, '\n'))
        if (planted.with.ends_with('\n') && squeezed(planted.without).find(squeezed(line)) == std::string::npos)
          useless_.insert(squeezed(line.substr(0, line.find("//"))));
    clean_ = compiled(padded.filled(false)).computed;
  }

  struct Compiled {
    std::string computed, hints; ///< what it does, and what of the winner it lacks that changes its code
    double ratio = 1;            ///< to the winner
  };

  Compiled compiled(const std::string &text) const {
    Compiled result;
    std::set<std::string> present;
    std::vector<std::string> lines;
    for (const std::string &line : split(text, '\n')) {
      std::string own = squeezed(line.substr(0, line.find("//")));
      for (const Planted &planted : padded_.planted)
        if (!planted.with.ends_with('\n'))
          own = replaceAll(own, squeezed(planted.with), squeezed(planted.without));
      if (own.find_first_not_of("{}") == std::string::npos)
        continue;
      present.insert(own);
      lines.push_back(own);
    }
    for (const std::vector<Planted> *all : {&padded_.planted, &padded_.kept})
      for (const Planted &planted : *all)
        if (const std::string line = squeezed(planted.with); planted.ratio > 0 && !present.contains(line)) {
          result.hints += line;
          result.ratio *= planted.ratio;
        }
    for (const std::string &line : lines)
      if (!isUseless(line, present))
        result.computed += line + "\n";
    return result;
  }

  Result<Evaluation> shortened(const Candidate &candidate, const ShorterRequest &request) override {
    ++judged;
    if (onJudge)
      onJudge();
    const Compiled own = compiled(candidate.text);
    Evaluation evaluation;
    evaluation.candidate = candidate.id;
    evaluation.objectHash = own.computed + own.hints;
    EXPECT_EQ(request.winner->text, padded_.filled(true)); // never the last step
    const bool isSame = request.sameCode.empty() || request.sameCode.contains(evaluation.objectHash);
    const bool keepsUp = request.measures && own.computed == clean_ && own.ratio >= 0.99;
    evaluation.verdict = isSame || keepsUp ? Verdict::Accepted : Verdict::NotFaster;
    measured += !isSame && request.measures;
    if (evaluation.verdict == Verdict::Accepted)
      kept.push_back(own);
    return evaluation;
  }

  bool isRight(const Compiled &text) const { return text.computed == clean_ && text.ratio >= 0.99; }

  int judged = 0, measured = 0;
  std::vector<Compiled> kept;
  std::function<void()> onJudge;

private:
  bool isUseless(const std::string &line, const std::set<std::string> &present) const {
    for (const Planted &hint : padded_.kept)
      if (line == squeezed(hint.with))
        return true; // counted by hints
    const bool isAlone = std::ranges::any_of(
        padded_.needs, [&](const auto &need) { return need.first == line && !present.contains(need.second); });
    return useless_.contains(line) && !isAlone;
  }

  const Padded &padded_;
  std::set<std::string> useless_;
  std::string clean_;
};

class ShorteningTest : public LoopTest {
protected:
  void SetUp() override {
    LoopTest::SetUp();
    request_.shortening = {.leavesOut = true, .secondsLeft = [this] { return secondsLeft_; }, .format = {}};
  }

  RunOutcome winnerOf(PaddedEvaluator &evaluator, const std::string &winner) {
    ListAgent agent(Proposals{{winner}});
    return run(evaluator, agent);
  }

  double secondsLeft_ = 1000;
};

TEST_F(ShorteningTest, WhatWasPlantedGoesAndNothingElse) {
  for (const Padded &padded : kPadded) {
    SCOPED_TRACE(padded.name);
    PaddedEvaluator evaluator(padded);
    const RunOutcome outcome = winnerOf(evaluator, padded.filled(true));
    ASSERT_TRUE(outcome.best);
    EXPECT_EQ(outcome.best->text, padded.filled(false));
    EXPECT_EQ(outcome.best->origin, "list");
    EXPECT_EQ(outcome.best->parent, makeCandidate(padded.filled(true), "").id);
    EXPECT_EQ(evaluator.confirmed, std::vector<std::string>{padded.filled(false)}); // what ships is what was evaluated
    EXPECT_THAT(outcome.shortening, HasSubstr("without "));
    for (const PaddedEvaluator::Compiled &kept : evaluator.kept)
      EXPECT_TRUE(evaluator.isRight(kept)) << kept.computed << kept.hints << kept.ratio;
    const bool changes = std::ranges::any_of(padded.planted, [](const Planted &one) { return one.ratio > 0; });
    EXPECT_EQ(evaluator.measured > 0, changes); // the same code costs no measurement
    EXPECT_THAT(outcome.shortening, HasSubstr(changes ? "at least 0.99" : "the object code is the same"));
  }
}

TEST_F(ShorteningTest, WhatHasNothingUselessStaysAsItIs) {
  for (const Padded &padded : kPadded) {
    const Padded clean{padded.name, padded.filled(false), {}, padded.kept};
    PaddedEvaluator evaluator(clean);
    const RunOutcome outcome = winnerOf(evaluator, clean.text);
    ASSERT_TRUE(outcome.best);
    EXPECT_EQ(outcome.best->text, clean.text);
    EXPECT_EQ(outcome.best->parent, "");
    EXPECT_EQ(outcome.shortening, "");
  }
}

TEST_F(ShorteningTest, SmallLossesDoNotAddUp) {
  Padded padded{"", "void f(int *p) {\n@0@1@2@3  p[0] = 1;\n}\n", {}};
  for (int i = 0; i < 4; ++i)
    padded.planted.push_back({"  __builtin_prefetch(p + " + std::to_string(i) + ");\n", "", 0.996});
  PaddedEvaluator evaluator(padded);
  TableEvaluator &table = evaluator;
  table.setRatio("void f(int *p) {\n  __builtin_prefetch(p + 2);\n  __builtin_prefetch(p + 3);\n  p[0] = 1;\n}\n", 3);
  const RunOutcome outcome = winnerOf(evaluator, padded.filled(true));
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(std::ranges::count(outcome.best->text, '\n'), 5); // two of four: 0.992 of the unreduced winner
}

/// "a" and "d" are needed, "b" is worth nothing; "c" is not legal without "b", and of the same code as "b" and "c"
/// both.
TEST_F(ShorteningTest, StepsThatContributeNothingAreDropped) {
  const std::string names = "abcd";
  const auto textOf = [&](const std::vector<std::size_t> &kept) {
    std::string text = "void f() {\n";
    for (const std::size_t i : kept)
      text += std::string("  ") + names[i] + "();\n";
    return text + "}\n";
  };
  const Padded padded{"", textOf({0, 3}), {}};
  const std::string winner = textOf({0, 1, 2, 3});
  struct StepsEvaluator : TableEvaluator {
    using TableEvaluator::TableEvaluator;
    Result<Evaluation> shortened(const Candidate &candidate, const ShorterRequest &request) override {
      Evaluation evaluation;
      const bool isRight =
          candidate.text.find("a();") != std::string::npos && candidate.text.find("d();") != std::string::npos;
      evaluation.objectHash = !isRight                                           ? candidate.text
                              : candidate.text.find("c();") != std::string::npos ? "long"
                                                                                 : "short";
      evaluation.verdict =
          request.sameCode.empty() || (isRight && request.measures) ? Verdict::Accepted : Verdict::NotFaster;
      return evaluation;
    }
  } evaluator({{winner, 3}, {padded.text, 3}});
  request_.shortening.stepsOf = [&](const Candidate &of) {
    EXPECT_EQ(of.text, winner);
    return WinnerSteps{.names = {"a", "b", "c", "d"},
                       .make = [&](const std::vector<std::size_t> &kept) -> std::optional<Candidate> {
                         const auto has = [&](std::size_t i) { return std::ranges::find(kept, i) != kept.end(); };
                         if (has(2) && !has(1))
                           return std::nullopt;
                         std::string origin;
                         for (const std::size_t i : kept)
                           origin += names[i];
                         return makeCandidate(textOf(kept), origin, of.id);
                       }};
  };
  ListAgent agent(Proposals{{winner}});
  const RunOutcome outcome = run(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, padded.text);
  EXPECT_EQ(outcome.best->origin, "ad");
  EXPECT_THAT(outcome.shortening, HasSubstr("without b | c; the lower bound"));
}

TEST_F(ShorteningTest, ItIsOffWithoutTimeAndWhereItIsSwitchedOff) {
  const Padded &padded = kPadded[0];
  for (const bool leavesOut : {false, true}) {
    PaddedEvaluator evaluator(padded);
    request_.shortening.leavesOut = leavesOut;
    secondsLeft_ = leavesOut ? 0 : 1000;
    EXPECT_EQ(winnerOf(evaluator, padded.filled(true)).best->text, padded.filled(true));
    EXPECT_EQ(evaluator.judged, 0);
  }
}

TEST_F(ShorteningTest, WhatIsFoundUntilTheTimeIsUpCounts) {
  const Padded &padded = kPadded[4];
  for (int steps = 1; steps < 12; ++steps) {
    PaddedEvaluator evaluator(padded);
    secondsLeft_ = steps;
    evaluator.onJudge = [&] { secondsLeft_ -= evaluator.judged > 1 ? 1 : 0; };
    evaluator.confirmsAll = true;
    const RunOutcome outcome = winnerOf(evaluator, padded.filled(true));
    EXPECT_EQ(evaluator.judged, steps + 1); // the winner's own code is read in any case
    ASSERT_TRUE(outcome.best);
    EXPECT_TRUE(evaluator.isRight(evaluator.compiled(outcome.best->text)));
  }
}

TEST_F(ShorteningTest, WhatIsLeftIsFormattedIfThatIsTheSameCode) {
  const Padded padded{"", "void f(int *p) {\n  p[0]=1;\n}\n", {}};
  PaddedEvaluator evaluator(padded);
  evaluator.confirmsAll = true;
  secondsLeft_ = 0;
  request_.shortening.format = [](const std::string &text) { return replaceAll(text, "[0]=1", "[0] = 1"); };
  const RunOutcome outcome = winnerOf(evaluator, padded.text);
  EXPECT_EQ(outcome.best->text, "void f(int *p) {\n  p[0] = 1;\n}\n");
  EXPECT_EQ(outcome.shortening, "formatted in the project's style");
  request_.shortening.format = [](const std::string &text) { return replaceAll(text, "[0]=1", "[1] = 1"); };
  PaddedEvaluator other(padded);
  EXPECT_EQ(winnerOf(other, padded.text).best->text, padded.text);
}

TEST_F(ShorteningTest, TheShorterOfEqualCandidatesWins) {
  const Padded padded{"", "void f(int *p) {\n  p[0] = 1;\n}\n", {}};
  PaddedEvaluator evaluator(padded);
  evaluator.hash = "same";
  evaluator.setRatio("void f(int *p) {\n  // a comment that is long\n  p[ 0 ] = 1;\n}\n", 3);
  evaluator.setRatio("void f(int *p) {\n  int a = 1;\n  p[0] = a;\n}\n", 4);
  request_.shortening = {};
  ListAgent agent(Proposals{{"void f(int *p) {\n  int a = 1;\n  p[0] = a;\n}\n", padded.text}});
  EXPECT_EQ(run(evaluator, agent).best->text, padded.text);
}

TEST_F(ShorteningTest, WhatIsNotConfirmedIsTriedAsItWasUnlessItsCodeIsTheSame) {
  for (const std::size_t index : {std::size_t{0}, std::size_t{2}}) { // without and with measured steps
    const Padded &padded = kPadded[index];
    PaddedEvaluator evaluator(padded);
    evaluator.failsConfirm = padded.filled(false);
    const RunOutcome outcome = winnerOf(evaluator, padded.filled(true));
    EXPECT_EQ(outcome.best.has_value(), index == 2);
    EXPECT_EQ(evaluator.confirmed.size(), index == 2 ? 2u : 1u);
  }
}

TEST_F(ShorteningTest, AKilledRunGoesOnWithTheNextStep) {
  const Padded &padded = kPadded[3];
  const RunIdentity identity{"k", "l", "f", "1", "2", "3"};
  const fs::path whole = scratch_->path() / "whole";
  PaddedEvaluator first(padded);
  {
    ListAgent agent(Proposals{{padded.filled(true)}});
    auto journal = Journal::create(whole.string(), identity, request_.config);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(runLoop(first, agent, *journal, request_, {}));
  }
  const fs::path run = listRuns(whole.string(), "k").front();
  const std::string text = readFile(run / "journal.jsonl").value();
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
    PaddedEvaluator evaluator(padded);
    auto journal = Journal::resume(root.string(), identity);
    ASSERT_TRUE(journal) << journal.error().message;
    ListAgent agent(Proposals{{padded.filled(true)}});
    const auto outcome = runLoop(evaluator, agent, *journal, request_, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    ASSERT_TRUE(outcome->best);
    EXPECT_EQ(outcome->best->text, padded.filled(false));
    if (before->shortened.empty())
      EXPECT_EQ(std::size_t(evaluator.judged), std::size_t(first.judged) - steps);
    else
      EXPECT_EQ(evaluator.judged, 0);
    const auto after = readRun(journal->directory());
    ASSERT_TRUE(after && after->winner);
    EXPECT_EQ(after->winner->candidate.text, padded.filled(false));
    EXPECT_EQ(originalOf(*after, after->winner->candidate.id), makeCandidate(padded.filled(true), "").id);
  }
}

} // namespace
} // namespace agentic
