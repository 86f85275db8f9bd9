#include "tool/report/run_report.h"

#include <fmt/format.h>

namespace agentic {
namespace {

constexpr const char *kHeader = "kernel,agent,iteration,candidate,verdict,stage,time_ns,speedup,low,high,tokens_in,"
                                "tokens_out,cost_usd,wall_seconds,run,origin\r\n";

/// A text cell: quoted where it must be, and never a formula. Line ends and control characters become blanks.
std::string cell(std::string_view text) {
  std::string plain;
  for (const char c : text)
    plain += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c;
  const bool isFormula = !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
  if (isFormula)
    plain.insert(0, "'");
  if (plain.find_first_of(",\"'") == std::string::npos)
    return plain;
  std::string quoted = "\"";
  for (const char c : plain)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string row(const RunReport &run, const ReportAttempt &attempt) {
  const Evaluation &evaluation = attempt.evaluation;
  std::string figures = ",,,";
  if (evaluation.measurement) {
    const Speedup &speedup = evaluation.measurement->speedup;
    figures = fmt::format("{:.6g},{:.6g},{:.6g},{:.6g}", evaluation.measurement->candidateNs, speedup.ratio,
                          speedup.low, speedup.high);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{},{:.9g},{:.3f},{},{}\r\n", cell(run.kernel), cell(attempt.agent),
                     attempt.iteration, cell(attempt.candidate),
                     attempt.isReply() ? "reply" : verdictName(evaluation.verdict),
                     attempt.isReply() ? "" : stageName(evaluation.stage), figures, attempt.tokensIn, attempt.tokensOut,
                     attempt.usd, attempt.wallSeconds, cell(run.name), cell(attempt.origin));
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
