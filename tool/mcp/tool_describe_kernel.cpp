// describe_kernel: what a model has to know before its first candidate.
#include "tool/mcp/kernel_facts.h"
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

ToolInfo describeKernelInfo() {
  return {.name = "describe_kernel",
          .title = "Describe a kernel",
          .description = "Tells a kernel's code with what it refers to, its contract, the rules for candidates, the "
                         "machine, the sizes that are measured, and what bounds it now. Read it before you write a "
                         "candidate. Prepares the kernel the first time, which takes from seconds to minutes.",
          .input = objectSchema({{"kernel", kernelArgument()}}, {}),
          .output = jobSchema(factsSchema())};
}

ToolResult runDescribeKernel(Workplace &workplace, Call &call) {
  const auto session = sessionOf(workplace, call);
  return session ? answerOf(*(*session)->describe(), call) : failed(session.error());
}

} // namespace

extern const ToolRow kDescribeKernelTool = {describeKernelInfo, runDescribeKernel};

} // namespace agentic::mcp
