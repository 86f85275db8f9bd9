// status: what has become of work that outlasted its call.
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

ToolInfo statusInfo() {
  return {.name = "status",
          .title = "Wait for a job",
          .description = "Waits up to 25 seconds for a job that another call named, and tells its state or its result. "
                         "Jobs survive a restart of this server.",
          .input = objectSchema({{"job", {{"type", "string"}, {"maxLength", 300}}},
                                 {"wait",
                                  {{"type", "number"},
                                   {"minimum", 0},
                                   {"maximum", kMostWaitSeconds},
                                   {"description", "seconds; 20 if it is left out"}}}},
                                {"job"}),
          .output = jobSchema({{"type", "object"}})};
}

ToolResult runStatus(Workplace &workplace, Call &call) {
  const auto job = jobOf(workplace, call);
  return job ? answerOf(**job, call, call.arguments().value("wait", kCallSeconds)) : failed(job.error());
}

} // namespace

extern const ToolRow kStatusTool = {statusInfo, runStatus};

} // namespace agentic::mcp
