// attempts: what was tried so far.
#include "tool/mcp/answers.h"
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

ToolInfo attemptsInfo() {
  return {
      .name = "attempts",
      .title = "List attempts",
      .description = "Ranks what was tried in the newest run of a kernel, the fastest first. With a candidate's id: "
                     "that one, with its source and the feedback on it.",
      .input = objectSchema({{"kernel", kernelArgument()},
                             {"candidate", {{"type", "string"}, {"description", "id of one, such as c0123456789"}}}},
                            {}),
      .output = attemptsSchema()};
}

ToolResult runAttempts(Workplace &workplace, Call &call) {
  const auto session = sessionOf(workplace, call);
  if (!session)
    return failed(session.error());
  const std::string directory = (*session)->newestRun();
  if (directory.empty())
    return failed("nothing was tried yet", "call evaluate with a candidate");
  const auto record = readRun(directory);
  if (!record)
    return failed(record.error());
  Json answer = attemptsAnswer(*record, textOf(call, "candidate"));
  if (answer.is_null())
    return failed("the newest run has no such candidate", "call attempts without one: it lists them");
  answer["kernel"] = record->identity.kernel;
  return {std::move(answer)};
}

} // namespace

extern const ToolRow kAttemptsTool = {attemptsInfo, runAttempts};

} // namespace agentic::mcp
