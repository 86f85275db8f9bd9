// insight: what compiler, object code and machine say of the kernel or of a candidate.
#include "tool/mcp/kernel_facts.h"
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

ToolInfo insightInfo() {
  return {.name = "insight",
          .title = "Look into the machine code",
          .description =
              "Shows the hot loop, the compiler's remarks, the mix of instructions, a model of the "
              "processor's pipeline, counters and the roofline, and what bounds the code: of the kernel as it "
              "is, or of a candidate that was evaluated.",
          .input = objectSchema(
              {{"kernel", kernelArgument()},
               {"candidate", {{"type", "string"}, {"description", "id of an attempt; left out: the kernel as it is"}}}},
              {}),
          .output = jobSchema(insightSchema())};
}

ToolResult runInsight(Workplace &workplace, Call &call) {
  const auto session = sessionOf(workplace, call);
  if (!session)
    return failed(session.error());
  const auto job = (*session)->insight(textOf(call, "candidate"));
  ToolResult result = answerOf(*job, call);
  if (call.isCancelled())
    (*session)->cancel(job->id());
  return result;
}

} // namespace

extern const ToolRow kInsightTool = {insightInfo, runInsight};

} // namespace agentic::mcp
