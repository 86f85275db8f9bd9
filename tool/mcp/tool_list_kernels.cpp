// list_kernels: what can be made faster here.
#include "tool/base/files.h"
#include "tool/mcp/schema.h"
#include "tool/mcp/tool_row.h"

namespace agentic::mcp {
namespace {

ToolInfo listKernelsInfo() {
  const Json text = {{"type", "string"}};
  const Json kernel = objectSchema({{"kernel", text},
                                    {"source", text},
                                    {"language", text},
                                    {"variant", text},
                                    {"session", text},
                                    {"max_iterations", {{"type", "number"}}}},
                                   {"kernel", "source", "session"});
  return {.name = "list_kernels",
          .title = "List kernels",
          .description = "Lists the kernels of this project: functions that may be replaced by faster ones.",
          .input = objectSchema(Json::object(), {}),
          .output = objectSchema({{"kernels", {{"type", "array"}, {"items", kernel}}}}, {"kernels"})};
}

ToolResult runListKernels(Workplace &workplace, Call &) {
  const auto manifests = workplace.manifests();
  if (!manifests)
    return failed(manifests.error());
  Json kernels = Json::array();
  for (const Manifest &manifest : *manifests) {
    const KernelSession *session = workplace.known(manifest.kernel);
    kernels.push_back(
        {{"kernel", manifest.kernel},
         {"source", fs::path(manifest.source).lexically_relative(manifest.sourceDir).generic_string()},
         {"language", manifest.language == "C" ? "C" : "C++"},
         {"variant", manifest.state},
         {"session", session ? session->state() : "idle"},
         {"max_iterations", workplace.options().session.options.maxIterations.value_or(manifest.maxIterations)}});
  }
  return {{{"kernels", std::move(kernels)}}};
}

} // namespace

extern const ToolRow kListKernelsTool = {listKernelsInfo, runListKernels};

} // namespace agentic::mcp
