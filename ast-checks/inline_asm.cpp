#include "ast-checks/inline_asm.h"

#include "ast-checks/context.h"

namespace agentic::checks {

void InlineAsm::token(const clang::Token &token, Context &context) {
  if (token.is(clang::tok::kw_asm))
    context.report(*this, token.getLocation(), "assembly ('asm') is not allowed; use intrinsics of <immintrin.h>");
}

} // namespace agentic::checks
