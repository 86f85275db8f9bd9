// finish: the client is done; the best is confirmed and written back.
#include "tool/mcp/answers.h"
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

ToolInfo finishInfo() {
  return {.name = "finish",
          .title = "Confirm and write the best",
          .description =
              "Ends the run: confirms the best candidate with fresh measurements and every check, and writes it "
              "into the project as a generated variant. Says which files were written and what a person should "
              "review. Takes from seconds to minutes.",
          .input = objectSchema({{"kernel", kernelArgument()}}, {}),
          .output = jobSchema(finishSchema()),
          .isReadOnly = false};
}

ToolResult runFinish(Workplace &workplace, Call &call) {
  const auto session = sessionOf(workplace, call);
  if (!session)
    return failed(session.error());
  const auto job = (*session)->finish();
  ToolResult result = answerOf(*job, call);
  if (call.isCancelled())
    (*session)->cancel(job->id());
  return result;
}

} // namespace

extern const ToolRow kFinishTool = {finishInfo, runFinish};

} // namespace agentic::mcp
