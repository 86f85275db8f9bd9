#include "tool/cli/run_console.h"

#include "tool/base/text.h"
#include "tool/model/figures.h"

#include <fmt/format.h>

#include <variant>

namespace agentic {

void RunConsole::begins(const RunHeading &heading, const RunBudget &budget) {
  live_ = std::make_unique<LiveRun>(console_, budget, heading);
}

void RunConsole::prepared(const Evaluator &evaluator) {
  isTimed_ = evaluator.isTimed();
  live_->prepared(evaluator);
}

void RunConsole::happened(const RunEvent &event) {
  std::visit([this](const auto &happened) { on(happened); }, event);
}

/// Prints one line per attempt, but none for code that was measured before: a search makes dozens of those.
void RunConsole::noteAttempt(const run_event::Evaluated &event) {
  const Evaluation &evaluation = event.attempt.evaluation;
  if (!evaluation.sameCodeAs.empty())
    return;
  std::string verdict = isTimed_ ? "not faster than the best" : "passes";
  if (evaluation.verdict == Verdict::Rejected)
    verdict = std::string("rejected by ") + stageName(evaluation.stage);
  else if (event.becameIncumbent && evaluation.measurement)
    verdict = "new best " + ratioText(evaluation.measurement->speedup);
  console_.note(fmt::format("  [{:>3}] {:<26} best {:.2f}x  {:>6}  {}", event.iteration, verdict, event.bestRatio,
                            seconds(evaluation.seconds), event.attempt.candidate.origin));
}

void RunConsole::on(const run_event::Asking &event) {
  live_->asks(event.iteration);
}

void RunConsole::on(const run_event::Started &event) {
  live_->started(event.iteration, event.candidate);
}

void RunConsole::on(const run_event::Evaluated &event) {
  noteAttempt(event);
  live_->evaluated(event.attempt, event.becameIncumbent, event.bestRatio);
}

void RunConsole::on(const run_event::OutOfTime &event) {
  console_.note(fmt::format("        {:<26} {}", "out of time", event.candidate.origin));
}

void RunConsole::on(const run_event::Withdrawn &event) {
  console_.note(fmt::format("        {:<26} {}", "withdrawn", event.candidate.origin));
}

void RunConsole::on(const run_event::Unusable &event) {
  live_->unusable();
  console_.note(fmt::format("  [{:>3}] no candidate: {}", event.iteration, event.note));
}

void RunConsole::on(const run_event::Shortening &event) {
  live_->does("shortening " + event.candidate.id);
}

void RunConsole::on(const run_event::Shortened &event) {
  if (!event.summary.empty())
    console_.note("  shortened " + event.candidate.id + ": " + event.summary);
}

void RunConsole::on(const run_event::Reviewing &event) {
  live_->does("having " + event.candidate.id + " reviewed");
}

void RunConsole::on(const run_event::Reviewed &event) {
  if (!event.summary.empty())
    console_.note("  reviewed " + event.candidate.id + " " + event.summary);
  else if (!event.note.empty())
    console_.note("  the review of " + event.candidate.id + " does not count: " + event.note);
}

void RunConsole::on(const run_event::Confirming &event) {
  live_->confirming(event.candidate);
  console_.note("  confirming " + event.candidate.id + " (" + event.candidate.origin +
                ") with fresh pairs against the baseline");
}

void RunConsole::on(const run_event::Confirmed &event) {
  const Evaluation &evaluation = event.evaluation;
  live_->confirmed(evaluation);
  if (evaluation.verdict == Verdict::Accepted)
    return;
  const std::string why = evaluation.verdict == Verdict::Rejected
                              ? std::string("rejected by ") + stageName(evaluation.stage)
                              : std::string("not faster");
  console_.note("  not confirmed: " + why +
                (evaluation.detail.empty() ? "" : "\n    " + replaceAll(evaluation.detail, "\n", "\n    ")));
}

} // namespace agentic
