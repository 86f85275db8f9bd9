// cancel: ends work that nobody wants any more.
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

constexpr double kSeconds = 10; ///< for what runs to be ended

ToolInfo cancelInfo() {
  return {.name = "cancel",
          .title = "Cancel a job",
          .description =
              "Ends a job without a result. A candidate that is cancelled has no verdict and does not count; a "
              "finish that is cancelled writes nothing, and the run goes on.",
          .input = objectSchema({{"job", {{"type", "string"}, {"maxLength", 300}}}}, {"job"}),
          .output = jobSchema({{"type", "object"}}),
          .isReadOnly = false};
}

ToolResult runCancel(Workplace &workplace, Call &call) {
  const auto job = jobOf(workplace, call);
  if (!job)
    return failed(job.error());
  const std::string id = (*job)->id();
  if (const auto session = workplace.session(id.substr(0, id.find('/'))))
    (*session)->cancel(id);
  return answerOf(**job, call, kSeconds);
}

} // namespace

extern const ToolRow kCancelTool = {cancelInfo, runCancel};

} // namespace agentic::mcp
