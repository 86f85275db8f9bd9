// The loop of a run, with an evaluator and an agent that are tables.
#pragma once

#include "tool/base/files.h"
#include "tool/search/optimize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// Speed by candidate text: 0 = rejected by test, else the ratio to the baseline.
class TableEvaluator : public Evaluator {
public:
  explicit TableEvaluator(std::map<std::string, double> ratios) : ratios_(std::move(ratios)) {
    compiler_.family = Family::Clang;
    spec_.kernel = "k";
    calibration_.baselineNs = 1000;
  }

  const Manifest &manifest() const override { return manifest_; }
  const KernelSpec &spec() const override { return spec_; }
  const Level &level() const override { return levels().back(); }
  const Compiler &compiler() const override { return compiler_; }
  const Calibration &calibration() const override { return calibration_; }
  const std::vector<std::string> &compileFlags() const override { return flags_; }
  const std::vector<StageTime> &preparationTimes() const override { return times_; }
  std::string costEstimate() const override { return {}; }
  Result<void> recheckInputs() override { return {}; }
  Result<Adequacy> adequacy(const AdequacyRequest &) override { return Adequacy{}; }
  StageFacts stageFacts() const override { return {}; }

  void recall(const Evaluation &evaluation) override { recalled.push_back(evaluation.candidate); }
  Result<Evaluation> evaluate(const Candidate &candidate, const Candidate *incumbent, double seconds) override {
    limits.push_back(seconds);
    const bool isAgain = std::ranges::find(evaluated, candidate.text) != evaluated.end();
    evaluated.push_back(candidate.text);
    Evaluation evaluation = verdict(candidate, Stage::Test, Stage::Benchmark);
    if (incumbent && evaluation.measurement) {
      Measurement duel;
      duel.comparison =
          ratios_.at(candidate.text) > ratios_.at(incumbent->text) && !(losesAgain == candidate.text && isAgain)
              ? Comparison::Faster
              : Comparison::Same;
      evaluation.againstIncumbent = duel;
    }
    if (onEvaluate)
      onEvaluate();
    if (outOfTime == candidate.text)
      return interruptedError();
    return evaluation;
  }

  Result<Evaluation> duel(const Candidate &candidate, const Candidate &rival) override {
    duels.push_back(candidate.text + " " + rival.text);
    return evaluate(candidate, &rival, 0);
  }
  Result<std::string> replayShipped(const std::string &, const CompileCommand &) override { return std::string(); }
  Result<Evaluation> inspect(const Candidate &) override { return Evaluation{}; }
  Result<Evaluation> examine(const Candidate &candidate) override {
    return verdict(candidate, Stage::Test, Stage::Confirm);
  }

  Result<Evaluation> confirm(const Candidate &candidate, int attempt) override {
    confirmed.push_back(candidate.text);
    confirmAttempts.push_back(attempt);
    if (onConfirm)
      onConfirm();
    Evaluation evaluation = verdict(candidate, Stage::Confirm, Stage::Confirm);
    if (failsConfirm == candidate.text)
      evaluation.verdict = Verdict::NotFaster;
    return evaluation;
  }

  bool isTimed() const override { return timed; }

  bool timed = true;
  std::vector<std::string> evaluated, confirmed;
  std::vector<std::string> duels;    ///< texts of both
  std::vector<std::string> recalled; ///< ids
  std::vector<double> limits;        ///< limits of evaluate()
  std::string outOfTime;             ///< the candidate with this text exceeds its time
  std::vector<int> confirmAttempts;
  std::string failsConfirm, losesAgain; ///< losesAgain: the second comparison with another
  std::function<void()> onEvaluate, onConfirm;
  std::string hash;         ///< of every candidate's object code
  bool confirmsAll = false; ///< unknown texts are confirmed, too
  void setRatio(const std::string &text, double ratio) { ratios_[text] = ratio; }

private:
  Evaluation verdict(const Candidate &candidate, Stage whenRejected, Stage whenMeasured) const {
    Evaluation evaluation;
    evaluation.candidate = candidate.id;
    const double ratio = confirmsAll && !ratios_.contains(candidate.text) ? 2 : ratios_.at(candidate.text);
    evaluation.objectHash = hash;
    evaluation.stage = ratio == 0 ? whenRejected : whenMeasured;
    evaluation.verdict = ratio == 0 ? Verdict::Rejected : ratio > 1 ? Verdict::Accepted : Verdict::NotFaster;
    if (ratio > 0) {
      evaluation.measurement.emplace();
      evaluation.measurement->speedup.ratio = ratio;
    }
    return evaluation;
  }

  std::map<std::string, double> ratios_;
  Manifest manifest_;
  KernelSpec spec_;
  Compiler compiler_;
  Calibration calibration_;
  std::vector<std::string> flags_;
  std::vector<StageTime> times_;
};

using Proposals = std::vector<std::vector<std::string>>;
class ListAgent : public Agent {
public:
  explicit ListAgent(Proposals proposals) : proposals_(std::move(proposals)) {}
  Result<Proposal> propose(const RunState &state) override {
    states.push_back(state);
    Proposal proposal;
    if (next_ < proposals_.size())
      for (const std::string &text : proposals_[next_++])
        proposal.candidates.push_back(makeCandidate(text, "list"));
    return proposal;
  }
  std::vector<RunState> states;

private:
  std::vector<std::vector<std::string>> proposals_;
  std::size_t next_ = 0;
};

class LoopTest : public testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "loop");
    ASSERT_TRUE(scratch);
    scratch_.emplace(std::move(*scratch));
    request_.config.maxSeconds = 0;
    request_.clock = [this] { return now_; };
  }

  RunOutcome run(TableEvaluator &evaluator, Agent &agent) {
    auto journal = Journal::create(scratch_->path().string(), {"k", "l", "f", "1", "2", "3"}, request_.config);
    EXPECT_TRUE(journal);
    auto outcome = runLoop(evaluator, agent, *journal, request_, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    return *outcome;
  }

  std::optional<ScratchDirectory> scratch_;
  RunRequest request_;
  double now_ = 0; ///< time of the loop's clock
};

} // namespace agentic
