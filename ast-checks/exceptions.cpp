#include "ast-checks/exceptions.h"

#include "ast-checks/context.h"

namespace agentic::checks {

void Exceptions::token(const clang::Token &token, Context &context) {
  if (!token.isOneOf(clang::tok::kw_try, clang::tok::kw_throw))
    return;
  context.report(*this, token.getLocation(),
                 "'" + std::string(clang::tok::getKeywordSpelling(token.getKind())) +
                     "' is not allowed; compute every case without exceptions");
}

} // namespace agentic::checks
