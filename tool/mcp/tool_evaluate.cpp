// evaluate: judges one candidate, as an attempt of this client's run.
#include "tool/mcp/answers.h"
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

constexpr std::size_t kMostSourceBytes = std::size_t{256} << 10;

ToolInfo evaluateInfo() {
  const Json text = {{"type", "string"}};
  return {.name = "evaluate",
          .title = "Evaluate a candidate",
          .description =
              "Checks, compiles, tests, compares and measures a complete replacement of the kernel, and says "
              "what is true of it: the verdict, what is wrong, the speedup over the original with its "
              "interval, and where it stands. Each new source counts as one try of the budget. If the state "
              "is 'running', ask status for the job.",
          .input = objectSchema(
              {{"kernel", kernelArgument()},
               {"name", {{"type", "string"}, {"maxLength", 200}, {"description", "a short name, such as blocked-4x8"}}},
               {"source",
                {{"type", "string"},
                 {"maxLength", kMostSourceBytes},
                 {"description", "the complete file: includes, helper functions, the kernel function"}}},
               {"hypothesis",
                {{"type", "string"}, {"maxLength", 4000}, {"description", "why it should be faster, in a sentence"}}}},
              {"name", "source", "hypothesis"}),
          .output = jobSchema(attemptSchema()),
          .isReadOnly = false};
}

ToolResult runEvaluate(Workplace &workplace, Call &call) {
  const auto session = sessionOf(workplace, call);
  if (!session)
    return failed(session.error());
  const auto job = (*session)->evaluate(textOf(call, "name"), textOf(call, "source"), textOf(call, "hypothesis"));
  ToolResult result = answerOf(*job, call);
  if (call.isCancelled())
    (*session)->cancel(job->id());
  return result;
}

} // namespace

extern const ToolRow kEvaluateTool = {evaluateInfo, runEvaluate};

} // namespace agentic::mcp
