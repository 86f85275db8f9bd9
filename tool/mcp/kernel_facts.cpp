#include "tool/mcp/kernel_facts.h"

#include "tool/agent/feedback.h"
#include "tool/agent/system_prompt.h"
#include "tool/base/text.h"
#include "tool/mcp/schema.h"
#include "tool/run/model_setup.h"
#include "tool/source/candidate/candidate_unit.h"

namespace agentic::mcp {
namespace {

Candidate baselineOf(const Evaluator &evaluator) {
  return makeCandidate(baselineCandidate(evaluator.spec()), "baseline");
}

Result<std::vector<std::string>> limitsOf(Evaluator &evaluator, const std::string &rooflineFile) {
  std::vector<std::string> limits;
  if (!evaluator.isTimed())
    return limits;
  auto insight = evaluator.insight(baselineOf(evaluator), {.parts = {"limits"}, .rooflineFile = rooflineFile});
  if (!insight && insight.error().kind == ErrorKind::Interrupted)
    return std::unexpected(insight.error());
  if (insight) // without it the rest is still worth telling
    limits = limitsIn(*insight);
  return limits;
}

} // namespace

Result<Json> kernelFacts(Evaluator &evaluator, const RunState &state, const std::string &rooflineFile) {
  auto prompts = TRY(Prompts::load({}));
  auto limits = TRY(limitsOf(evaluator, rooflineFile));
  SystemPromptOptions options;
  options.machine = machineFacts(evaluator);
  options.answer = "answer-mcp.md";
  const KernelSpec &spec = evaluator.spec();
  Json facts = {{"kernel", spec.kernel},
                {"function", spec.function},
                {"signature", std::string(trim(spec.signature))},
                {"language", spec.language == Language::C ? "C" : "C++"},
                {"level", state.level},
                {"compiler_family", state.family},
                {"baseline_ns", state.baselineNs},
                {"sizes", state.observed},
                {"limits", limits}};
  facts["text"] = systemPrompt(prompts, state, options) + "\n" + baselineText(state) + " " + shapesText(state) +
                  (limits.empty() ? "" : "\nWhat bounds the baseline: " + join(limits, "; ") + ".") + "\n";
  return facts;
}

Json factsSchema() {
  const Json text = {{"type", "string"}};
  return objectSchema({{"kernel", text},
                       {"function", text},
                       {"signature", text},
                       {"language", text},
                       {"level", text},
                       {"compiler_family", text},
                       {"baseline_ns", {{"type", "number"}}},
                       {"sizes", {{"type", "object"}}},
                       {"limits", {{"type", "array"}, {"items", text}}},
                       {"budget", {{"type", "object"}}},
                       {"text", text}},
                      {"kernel", "function", "signature", "text"});
}

Result<Json> insightInto(Evaluator &evaluator, const std::optional<Candidate> &candidate,
                         const std::string &rooflineFile) {
  if (candidate) { // its benchmark runs, so the rules must accept it
    auto inspected = TRY(evaluator.inspect(*candidate));
    if (inspected.verdict == Verdict::Rejected)
      return userError("candidate " + candidate->id + " is rejected by " + stageName(inspected.stage),
                       "the feedback of its evaluation says why");
  }
  auto insight = TRY(
      evaluator.insight(candidate ? *candidate : baselineOf(evaluator), {.parts = {}, .rooflineFile = rooflineFile}));
  Json result = Json::parse(insightJson(insight));
  result["kernel"] = evaluator.spec().kernel;
  result["candidate"] = candidate ? candidate->id : "baseline";
  return result;
}

Json insightSchema() {
  const Json text = {{"type", "string"}};
  return objectSchema({{"kernel", text},
                       {"candidate", text},
                       {"title", text},
                       {"sections", {{"type", "array"}, {"items", {{"type", "object"}}}}}},
                      {"kernel", "candidate", "sections"});
}

} // namespace agentic::mcp
