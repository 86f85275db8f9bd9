#include "ast-checks/includes.h"

#include "ast-checks/context.h"
#include "tool/model/allowed_headers.h"

namespace agentic::checks {
void Includes::text(Context &context) {
  if (!context.isCandidate())
    return;
  for (const Directive &directive : context.lexemes().directives)
    if (directive.name == "include" && !isAllowedHeader(directive.argumentText, context.policy()))
      context.reportAt(*this, directive.offset,
                       "header " + directive.argumentText +
                           " is not allowed; allowed are <cstddef>, <cstdint>, <cstring>, <cmath>, <algorithm>, "
                           "<numeric>, <array>, <bit>, <limits>, <type_traits>, <utility>, <span>, <cassert> and the "
                           "intrinsics' headers (headers of the kernel's own file are there already)");
}

} // namespace agentic::checks
