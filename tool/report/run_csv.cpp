#include "tool/report/run_report.h"
#include "tool/report/table.h"

#include <fmt/format.h>

namespace agentic {
namespace {

constexpr const char *kHeader = "kernel,agent,iteration,candidate,verdict,stage,time_ns,speedup,low,high,tokens_in,"
                                "tokens_out,cost_usd,wall_seconds,run,origin\r\n";

std::string row(const RunReport &run, const ReportAttempt &attempt) {
  const Evaluation &evaluation = attempt.evaluation;
  std::string figures = ",,,";
  if (evaluation.measurement) {
    const Speedup &speedup = evaluation.measurement->speedup;
    figures = fmt::format("{:.6g},{:.6g},{:.6g},{:.6g}", evaluation.measurement->candidateNs, speedup.ratio,
                          speedup.low, speedup.high);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{},{:.9g},{:.3f},{},{}\r\n", csvCell(run.kernel), csvCell(attempt.agent),
                     attempt.iteration, csvCell(attempt.candidate),
                     attempt.isReply() ? "reply" : verdictName(evaluation.verdict),
                     attempt.isReply() ? "" : stageName(evaluation.stage), figures, attempt.tokensIn, attempt.tokensOut,
                     attempt.usd, attempt.wallSeconds, csvCell(run.name), csvCell(attempt.origin));
}

} // namespace

std::string reportCsv(std::span<const RunReport> runs) {
  std::string text = kHeader;
  for (const RunReport &run : runs)
    for (const ReportAttempt &attempt : run.attempts)
      text += row(run, attempt);
  return text;
}

} // namespace agentic
