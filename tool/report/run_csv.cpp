#include "tool/report/run_report.h"
#include "tool/report/run_words.h"
#include "tool/report/table.h"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace agentic {
namespace {

constexpr const char *kCsvHeader = "kernel,agent,iteration,candidate,verdict,stage,time_ns,speedup,low,high,tokens_in,"
                                   "tokens_out,cost_usd,wall_seconds,run,origin,against_best,estimated_speedup,"
                                   "refused_by,host\r\n";

std::string row(const RunReport &run, const ReportAttempt &attempt) {
  const Evaluation &evaluation = attempt.evaluation;
  std::string figures = ",,,";
  if (evaluation.measurement) {
    const Speedup &speedup = evaluation.measurement->speedup;
    figures = fmt::format("{:.6g},{:.6g},{:.6g},{:.6g}", evaluation.measurement->candidateNs, speedup.ratio,
                          speedup.low, speedup.high);
  }
  std::optional<double> againstBest;
  if (evaluation.againstIncumbent)
    againstBest = evaluation.againstIncumbent->speedup.ratio;
  return fmt::format("{},{},{},{},{},{},{},{},{},{:.9g},{:.3f},{},{},{},{},{},{}\r\n", csvCell(run.kernel),
                     csvCell(attempt.agent), attempt.iteration, csvCell(attempt.candidate), verdictOf(attempt),
                     attempt.isReply() ? "" : stageName(evaluation.stage), figures, attempt.tokensIn, attempt.tokensOut,
                     attempt.usd, attempt.wallSeconds, csvCell(run.name), csvCell(attempt.origin),
                     csvNumber(againstBest), csvNumber(attempt.estimate),
                     attempt.refusal ? stageName(attempt.refusal->stage) : "", csvCell(evaluation.host));
}

} // namespace

std::string reportCsv(std::span<const RunReport> runs) {
  std::string text = kCsvHeader;
  for (const RunReport &run : runs)
    for (const ReportAttempt &attempt : run.attempts)
      text += row(run, attempt);
  return text;
}

} // namespace agentic
