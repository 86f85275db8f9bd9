#include "tool/run/run_insights.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/evaluate/insight/why_faster.h"
#include "tool/source/candidate/candidate_unit.h"

#include <vector>

namespace agentic {

std::optional<InsightRequest> feedbackRequest(const RunConfig &config, const std::string &rooflineFile) {
  if (config.model.feedback.empty() || std::ranges::none_of(namesOf(config), asksModel))
    return std::nullopt;
  InsightRequest request{.parts = {}, .rooflineFile = rooflineFile};
  for (const std::string &part : split(config.model.feedback, ','))
    request.parts.insert(part);
  return request;
}

void writeInsights(Messages &messages, const Surroundings &surroundings, OptimizedKernel &run) {
  constexpr double kSeconds = 10; // for both insights and, the first time, the machine's roofline
  const std::optional<double> left = run.budget->left();
  if (run.budget->isOver() || surroundings.isInterrupted() || (left && *left < kSeconds))
    return;
  Evaluator &evaluator = *run.evaluator;
  const InsightRequest request{.parts = {},
                               .rooflineFile = surroundings.cacheFile("roofline.json", evaluator.manifest().buildDir)};
  std::vector<Candidate> candidates = {makeCandidate(baselineCandidate(evaluator.spec()), "baseline")};
  if (run.outcome.best)
    candidates.push_back(*run.outcome.best);
  std::optional<CodeFigures> before;
  for (const Candidate &candidate : candidates) {
    const std::string name = candidate.origin == "baseline" ? "baseline" : candidate.id;
    auto insight = evaluator.insight(candidate, request);
    if (!insight) {
      if (insight.error().kind == ErrorKind::Interrupted)
        return;
      messages.warn("no insight into " + name + ": " + insight.error().message);
      continue;
    }
    if (name == "baseline")
      if (auto limits = limitsIn(*insight); !limits.empty())
        run.limits = std::move(limits);
    if (name == "baseline")
      before = insight->figures;
    else if (const std::string why = before ? whyFaster(*before, insight->figures) : ""; !why.empty())
      insight->sections.insert(insight->sections.begin(), {kWhyTitle, why, "read from both object codes"});
    if (auto written =
            writeFileAtomic(fs::path(run.runDirectory) / "insights" / (name + ".json"), insightJson(*insight));
        !written)
      messages.warn(written.error().message);
  }
}

} // namespace agentic
