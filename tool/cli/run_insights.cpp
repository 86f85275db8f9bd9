#include "tool/cli/run_insights.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/source/candidate/candidate_unit.h"

#include <vector>

namespace agentic {

std::optional<InsightRequest> feedbackRequest(const RunConfig &config, const std::string &buildDir) {
  if (config.model.feedback.empty() || std::ranges::none_of(namesOf(config), asksModel))
    return std::nullopt;
  InsightRequest request{.parts = {}, .rooflineFile = userCacheFile("roofline.json", buildDir)};
  for (const std::string &part : split(config.model.feedback, ','))
    request.parts.insert(part);
  return request;
}

void writeInsights(Console &console, Evaluator &evaluator, const OptimizedKernel &run, const std::string &buildDir) {
  constexpr double kSeconds = 10; // both of them and, the first time, the machine's roofline
  const double left = run.budget->left();
  if (run.budget->isOver() || interrupted() || (run.budget->isLimited() && left < kSeconds))
    return;
  const InsightRequest request{.parts = {}, .rooflineFile = userCacheFile("roofline.json", buildDir)};
  std::vector<Candidate> candidates = {makeCandidate(baselineCandidate(evaluator.spec()), "baseline")};
  if (run.outcome.best)
    candidates.push_back(*run.outcome.best);
  for (const Candidate &candidate : candidates) {
    const std::string name = candidate.origin == "baseline" ? "baseline" : candidate.id;
    auto insight = evaluator.insight(candidate, request);
    if (!insight) {
      if (insight.error().kind == ErrorKind::Interrupted)
        return;
      console.warn("no insight into " + name + ": " + insight.error().message);
      continue;
    }
    if (auto written =
            writeFileAtomic(fs::path(run.runDirectory) / "insights" / (name + ".json"), insightJson(*insight));
        !written)
      console.warn(written.error().message);
  }
}

} // namespace agentic
