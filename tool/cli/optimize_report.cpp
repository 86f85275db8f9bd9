#include "tool/cli/optimize_report.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/report/run_words.h"
#include "tool/report/speedup_json.h"
#include "tool/search/stop_reason.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

std::string rejectedText(const RunOutcome &outcome) {
  std::string text;
  for (const auto &[stage, count] : outcome.rejected)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage, count);
  return text.empty() ? "" : "; not taken: " + text;
}

std::string writtenText(const OptimizedKernel &run) {
  if (run.outcome.bestIsExisting)
    return "nothing: the checked-in variant stays the best";
  if (!run.config.optimization.empty())
    return "nothing: what is found at -" + run.config.optimization + " is an experiment";
  return !run.config.write && run.outcome.best ? "nothing (--no-write)" : "";
}

/// The calls of a model, those of earlier processes of the run included.
nlohmann::json callsJson(const CallTotals &calls) {
  return {{"calls", calls.calls},
          {"answered", calls.answered},
          {"cost_usd", calls.usd},
          {"input_tokens", calls.inputTokens},
          {"cached_input_tokens", calls.cachedInputTokens},
          {"output_tokens", calls.outputTokens},
          {"watt_hours", calls.wattHours},
          {"seconds", calls.seconds}};
}

/// The agents of a run that has several, in their order.
nlohmann::json agentsJson(const OptimizedKernel &run) {
  nlohmann::json list = nlohmann::json::array();
  for (const AgentResult &agent : run.agents) {
    nlohmann::json one = {{"agent", agent.totals.label}, {"turns", agent.turns}, {"candidates", agent.attempts}};
    one["model"] = agent.totals.calls ? callsJson(*agent.totals.calls) : nlohmann::json();
    list.push_back(std::move(one));
  }
  return list;
}

std::string agentText(const AgentResult &agent) {
  return fmt::format("{}: {} turns, {} candidates{}", agent.totals.label, agent.turns, agent.attempts,
                     agent.totals.calls ? "; calls " + callsText(*agent.totals.calls) : "");
}

/// Returns the notes on the claim that a person should know, as in the variant's header.
std::vector<std::string> reviewOf(const OptimizedKernel &run) {
  std::vector<std::string> review = run.outcome.review;
  review.insert(review.end(), run.written.review.begin(), run.written.review.end());
  return review;
}

/// Says how near the search came, what bounds the kernel, and what could be done.
template <class Row> void printWithoutGain(const OptimizedKernel &run, const Row &row) {
  if (!run.nearest.empty())
    row("nearest", run.nearest);
  for (const std::string &limit : run.limits)
    row(&limit == &run.limits.front() ? "bounded by" : "", limit);
  if (!run.limits.empty())
    row("next",
        "'agentic-kernel insight -k " + run.kernel +
            "' shows the grounds; with them a model (--agent) or you ('agentic-kernel evaluate FILE') may find more");
}

} // namespace

nlohmann::json emptyOptimizeResult(const std::string &kernel) {
  return {{"kernel", kernel},  {"level", nullptr},  {"baseline_ns", nullptr},
          {"best", nullptr},   {"iterations", 0},   {"rejected", nlohmann::json::object()},
          {"wall_seconds", 0}, {"run_dir", nullptr}};
}

nlohmann::json optimizeResult(const OptimizedKernel &run, bool ended) {
  nlohmann::json result = emptyOptimizeResult(run.kernel);
  result["wall_seconds"] = run.wallSeconds;
  if (run.evaluator)
    result["level"] = run.evaluator->level().name;
  if (!run.runDirectory.empty())
    result["run_dir"] = run.runDirectory;
  if (run.calls)
    result["model"] = callsJson(*run.calls);
  if (!run.roles.empty())
    result["roles"] = rolesJson(run.roles);
  if (!run.config.optimization.empty())
    result["optimization"] = run.config.optimization;
  if (run.agents.size() > 1)
    result["agents"] = agentsJson(run);
  if (!ended)
    return result;
  result["baseline_ns"] = run.baselineNs();
  if (const Measurement *measurement = run.measurement()) {
    result["best"] = speedupJson(measurement->speedup);
    result["best"]["candidate"] = run.outcome.best->id;
    result["best"]["origin"] = run.outcome.best->origin;
  }
  result["tuned"] = run.evaluator->isTimed();
  if (!run.evaluator->isTimed() && run.outcome.best)
    result["best"] = {{"candidate", run.outcome.best->id}, {"origin", run.outcome.best->origin}};
  result["iterations"] = run.outcome.iterations;
  result["rejected"] = run.outcome.rejected;
  result["shortening"] = known(run.outcome.shortening);
  result["reviewed"] = known(run.outcome.reviewed);
  result["end_to_end"] = known(run.written.endToEnd);
  result["files"] = run.written.files;
  result["review"] = reviewOf(run);
  result["limits"] = run.limits;
  result["reason"] = reasonAndRemedy(run.outcome, run.budget->moreTime());
  return result;
}

void printOptimized(Console &console, const OptimizedKernel &run) {
  const RunOutcome &outcome = run.outcome;
  const Measurement *measurement = run.measurement();
  const auto row = [&](const char *name, const std::string &value) {
    console.out(fmt::format("  {:<12} {}", name, value));
  };
  console.out(console.bold(run.kernel) +
              fmt::format("  {} / {} {}", run.evaluator->level().name, familyName(run.evaluator->compiler().family),
                          run.evaluator->compiler().version) +
              (run.config.optimization.empty() ? "" : "  at -" + run.config.optimization));
  if (run.evaluator->isTimed())
    row("baseline", nanoseconds(run.baselineNs()));
  if (!run.evaluator->isTimed() && outcome.best) {
    row("best", fmt::format("{} ({})", outcome.best->id, outcome.best->origin));
    row("speedup", "untuned: this level is only emulated here, and nothing was measured");
  } else if (!run.evaluator->isTimed()) {
    row("best",
        "none: " + (outcome.iterations > 0 ? "no candidate passed" : noWinnerText(outcome, run.budget->moreTime())));
  } else if (measurement) {
    row("best",
        fmt::format("{}  {} ({})", nanoseconds(measurement->candidateNs), outcome.best->id, outcome.best->origin));
    row("speedup",
        console.bold(ratioText(measurement->speedup)) +
            (run.isClaimed() ? "  built as it ships, against the original build" : "  against the baseline"));
  } else if (outcome.reason == StopReason::Interrupted) {
    row("best", "none confirmed yet");
  } else {
    row("best", "none: " + noWinnerText(outcome, run.budget->moreTime()));
  }
  if (!outcome.shortening.empty())
    row("shortened", outcome.shortening);
  if (!outcome.reviewed.empty())
    row("reviewed", outcome.reviewed);
  if (run.written.endToEnd)
    row("end to end", endToEndText(*run.written.endToEnd));
  row("candidates", fmt::format("{} tried{}", outcome.iterations, rejectedText(outcome)));
  if (run.calls)
    row("calls", callsText(*run.calls));
  const std::vector<std::string> roles = roleCosts(run.roles);
  for (const std::string &role : roles)
    row(&role == &roles.front() ? "roles" : "", role);
  for (const AgentResult &agent : run.agents)
    if (run.agents.size() > 1)
      row(&agent == &run.agents.front() ? "agents" : "", agentText(agent));
  row("time", fmt::format("{} ({})", seconds(run.wallSeconds), stopReasonText(outcome)));
  for (const std::string &file : run.written.files)
    row(file == run.written.files.front() ? (run.config.patchFile.empty() ? "written" : "patched") : "", file);
  if (const std::string nothing = writtenText(run); !nothing.empty())
    row("written", nothing);
  if (!outcome.best && outcome.reason != StopReason::Interrupted)
    printWithoutGain(run, row);
  if (!outcome.best && !outcome.agentNote.empty())
    row("note", outcome.agentNote);
  row("run", run.runDirectory);
}

} // namespace agentic
