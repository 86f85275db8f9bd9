#include "tool/evaluate/candidate/check_request.h"

namespace agentic {

std::vector<std::string> allowedFunctions(const KernelSpec &spec) {
  std::vector<std::string> names;
  for (const ExternalFunction &function : spec.externals)
    names.push_back(function.name);
  for (const Fragment &fragment : spec.closure)
    if (fragment.kind == Fragment::Kind::Function)
      names.push_back(fragment.name);
  return names;
}

} // namespace agentic
