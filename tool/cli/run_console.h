// Shows a run on the console: a line for each event, and on a terminal the live area below them.
#pragma once

#include "tool/cli/live_run.h"
#include "tool/run/run_view.h"

#include <memory>
#include <string>

namespace agentic {

class RunConsole : public RunView {
public:
  explicit RunConsole(Console &console) : console_(console) {}

  Messages &messages() override { return console_; }
  void begins(const RunHeading &heading, const RunBudget &budget) override;
  void prepared(const Evaluator &evaluator) override;
  void searches(const RunRecord &record) override { live_->begins(record); }
  void enters(Stage stage) override { live_->enters(stage); }
  void does(const std::string &what) override { live_->does(what); }
  void spent(const CallTotals &totals, double budgetUsd, bool isBilled) override {
    live_->spent(totals, budgetUsd, isBilled);
  }
  void happened(const RunEvent &event) override;
  void branches(const std::vector<SearchBranch> &branches) override { live_->branches(branches); }
  void ends() override { live_.reset(); }

private:
  void on(const run_event::Asking &event);
  void on(const run_event::Started &event);
  void on(const run_event::Evaluated &event);
  void on(const run_event::OutOfTime &event);
  void on(const run_event::Withdrawn &event);
  void on(const run_event::Unusable &event);
  void on(const run_event::Shortening &event);
  void on(const run_event::Shortened &event);
  void on(const run_event::Reviewing &event);
  void on(const run_event::Reviewed &event);
  void on(const run_event::Confirming &event);
  void on(const run_event::Confirmed &event);
  void noteAttempt(const run_event::Evaluated &event);

  Console &console_;
  std::unique_ptr<LiveRun> live_; ///< between begins() and ends()
  bool isTimed_ = true;
};

} // namespace agentic
