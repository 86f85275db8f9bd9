#include "tool/mcp/tool_row.h"

// One line each, in the order of the list: k<Name>Tool is in the tool's own file.
#define AGENTIC_TOOLS(ROW)                                                                                             \
  ROW(ListKernels)                                                                                                     \
  ROW(DescribeKernel)                                                                                                  \
  ROW(Evaluate)                                                                                                        \
  ROW(Attempts)                                                                                                        \
  ROW(SearchKnowledge)                                                                                                 \
  ROW(Memory)                                                                                                          \
  ROW(Insight)                                                                                                         \
  ROW(Finish)                                                                                                          \
  ROW(Status)                                                                                                          \
  ROW(Cancel)

namespace agentic::mcp {

#define AGENTIC_DECLARE(name) extern const ToolRow k##name##Tool;
AGENTIC_TOOLS(AGENTIC_DECLARE)
#undef AGENTIC_DECLARE

std::span<const ToolRow *const> toolTable() {
#define AGENTIC_ROW(name) &k##name##Tool,
  static constexpr const ToolRow *kRows[] = {AGENTIC_TOOLS(AGENTIC_ROW)};
#undef AGENTIC_ROW
  return kRows;
}

ToolResult failed(const Error &error) {
  return failed(error.message, error.next);
}

ToolResult answerOf(const Job &job, Call &call, double seconds) {
  job.wait(seconds, call);
  Json view = job.view();
  const bool isError = view["state"] == "failed";
  return {std::move(view), isError};
}

std::string textOf(const Call &call, const char *name) {
  return call.arguments().value(name, "");
}

Json kernelArgument() {
  return {{"type", "string"}, {"description", "name of the kernel; may be left out if there is only one"}};
}

Result<std::shared_ptr<Job>> jobOf(Workplace &workplace, const Call &call) {
  const std::string id = textOf(call, "job");
  if (const auto session = workplace.session(id.substr(0, id.find('/'))))
    if (auto job = (*session)->find(id))
      return job;
  return userError("there is no such job", "take the id from the 'job' of the call that began it");
}

Result<KernelSession *> sessionOf(Workplace &workplace, const Call &call) {
  return workplace.session(textOf(call, "kernel"));
}

} // namespace agentic::mcp
