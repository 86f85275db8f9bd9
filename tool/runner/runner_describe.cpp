#include "tool/runner/runner_describe.h"

#include "tool/runner/glue_abi.h"
#include "tool/runner/runner_fail.h"

#include <cstdio>
#include <dlfcn.h>
#include <string>

namespace agentic::runner {
namespace {

/// Makes a row. Names are identifiers: no character in them needs an escape.
std::string row(const agentic_parameter &parameter) {
  std::string text = std::string("{\"name\":\"") + parameter.name + '"';
  const auto add = [&](const char *name, unsigned long value) {
    text += std::string(",\"") + name + "\":" + std::to_string(value);
  };
  add("kind", static_cast<unsigned long>(parameter.kind));
  add("element", static_cast<unsigned long>(parameter.element));
  add("direction", static_cast<unsigned long>(parameter.direction));
  add("declared", parameter.isDeclared != 0);
  add("reference", parameter.isReference != 0);
  add("extent", parameter.extent != nullptr);
  add("size", parameter.size);
  add("alignment", parameter.alignment);
  add("elementSize", parameter.elementSize);
  add("elementAlignment", parameter.elementAlignment);
  return text + '}';
}

} // namespace

int describe(const char *library, const char *kernel) {
  void *object = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *symbol = object ? ::dlsym(object, (std::string("agentic_kernel_glue_") + kernel).c_str()) : nullptr;
  if (!symbol)
    fail(kNotLoadable, "the glue cannot be loaded: %s", ::dlerror());
  const agentic_glue *glue = reinterpret_cast<const agentic_glue *(*)()>(symbol)();
  if (!glue || glue->version != AGENTIC_GLUE_VERSION)
    fail(kNotLoadable, "the glue %s is not of this version of the tool", library);
  std::string text = "{\"parameters\":[";
  for (unsigned i = 0; i < glue->parameterCount; ++i)
    text += (i ? "," : "") + row(glue->parameters[i]);
  text += "],\"result\":" + row(glue->result) + ",\"requirements\":" + (glue->fulfils ? "1" : "0") + "}\n";
  return std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? kNoResources : kDone;
}

} // namespace agentic::runner
