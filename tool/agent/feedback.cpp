#include "tool/agent/feedback.h"

#include "tool/agent/bounded_text.h"
#include "tool/agent/leaderboard.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/model/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kMostFindings = 12, kMostNotes = 3, kFindingBytes = 400;

std::string findingLine(const Finding &finding) {
  const std::string where = finding.line ? fmt::format("line {}: ", finding.line) : "";
  return "- " + where + boundedText(oneLine(finding.message), kFindingBytes) + " [" + finding.check + "]\n";
}

std::string findingLines(const std::vector<Finding> &findings, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), most); ++i)
    text += findingLine(findings[i]);
  if (findings.size() > most)
    text += fmt::format("- and {} more\n", findings.size() - most);
  return text;
}

std::string measuredText(const Evaluation &evaluation) {
  if (evaluation.measurement) {
    const Measurement &measurement = *evaluation.measurement;
    std::string text = fmt::format("{} as fast as the baseline: {} instead of {}", ratioText(measurement.speedup),
                                   nanoseconds(measurement.candidateNs), nanoseconds(measurement.referenceNs));
    if (measurement.benchmarks.size() > 1)
      for (const BenchmarkMeasurement &benchmark : measurement.benchmarks)
        text += fmt::format("\n- {}: {}", boundedText(oneLine(benchmark.benchmark), kNameBytes),
                            ratioText(benchmark.speedup));
    return text;
  }
  if (evaluation.againstIncumbent)
    return ratioText(evaluation.againstIncumbent->speedup) + " as fast as the best so far, so not faster";
  return {};
}

/// Returns whether the detail says more than the findings and numbers do.
bool showsDetail(const Evaluation &evaluation) {
  return evaluation.verdict == Verdict::Rejected || !evaluation.measurement ||
         evaluation.verdict == Verdict::NotFaster || !evaluation.sameCodeAs.empty();
}

} // namespace

std::string verdictText(const Attempt &attempt, int number, const std::string &name, std::size_t most) {
  const Evaluation &evaluation = attempt.evaluation;
  const std::string file = name.empty() ? "file" : boundedText(oneLine(name), kNameBytes);
  std::string text = fmt::format("#{} ({}) ", number, file);
  if (evaluation.verdict == Verdict::Rejected)
    text += std::string(rowOf(evaluation.stage).rejected) + ".\n";
  else if (const std::string measured = measuredText(evaluation); !measured.empty())
    text += "is correct and " + measured + ".\n";
  else
    text += evaluation.verdict == Verdict::Accepted ? "is correct; nothing is measured here.\n" : "is correct.\n";
  if (!evaluation.tuning.empty())
    text += "That is " + evaluation.tuning + ".\n";
  text += findingLines(evaluation.findings, kMostFindings);
  if (showsDetail(evaluation) && !trim(evaluation.detail).empty()) {
    // The stages know a candidate by its id.
    const std::string &id = attempt.candidate.id;
    const bool isCxx = evaluation.detail.find(id + ".cpp") != std::string::npos;
    const std::string detail = replaceAll(evaluation.detail, id + (isCxx ? ".cpp" : ".c"), file);
    text += std::string(trim(printableText(detail))) + "\n";
  }
  if (!evaluation.notes.empty())
    text += "Notes for its reviewer:\n" + findingLines(evaluation.notes, kMostNotes);
  if (!evaluation.insight.empty())
    text += "\nOf its object code:\n" + boundedText(printableText(evaluation.insight), kInsightBytes) + "\n";
  text = std::string(trim(text));
  return boundedText(text, most);
}

std::string budgetText(const BudgetLeft &left) {
  std::vector<std::string> parts;
  if (left.tries)
    parts.push_back(fmt::format("{} {}", *left.tries, *left.tries == 1 ? "try" : "tries"));
  if (left.seconds)
    parts.push_back(*left.seconds >= 120 ? fmt::format("{:.0f} minutes", *left.seconds / 60)
                                         : fmt::format("{:.0f} seconds", *left.seconds));
  if (left.usd)
    parts.push_back(fmt::format("${:.2f}", *left.usd));
  return parts.empty() ? "" : "The budget that is left: " + join(parts, ", ") + ".";
}

std::string baselineText(const RunState &state) {
  return state.isTimed && state.baselineNs > 0 ? "The baseline takes " + nanoseconds(state.baselineNs) + "."
                                               : "Nothing is measured here: the first file that is correct is taken.";
}

std::string shapesText(const RunState &state) {
  std::vector<std::string> shapes;
  for (const auto &[name, values] : state.observed) {
    std::vector<std::string> texts;
    for (const std::int64_t value : values)
      texts.push_back(std::to_string(value));
    shapes.push_back(name + " = " + join(texts, " or "));
  }
  return shapes.empty() ? "" : "In the benchmark: " + join(shapes, "; ") + ".";
}

} // namespace agentic
