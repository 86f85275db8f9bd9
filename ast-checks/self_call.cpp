#include "ast-checks/self_call.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"

namespace agentic::checks {

void SelfCall::statement(const clang::Stmt &statement, Context &context) {
  if (auto use = functionUse(statement, context); use && use->use == Use::Self)
    context.report(*this, useLocation(statement),
                   "use of the kernel itself ('" + use->name +
                       "'); write its work out, or move it to a helper function");
}

} // namespace agentic::checks
