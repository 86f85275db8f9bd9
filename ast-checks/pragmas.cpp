#include "ast-checks/pragmas.h"

#include "ast-checks/context.h"
#include "ast-checks/pragma_rules.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kAllowedPragmas =
    "; allowed are 'clang loop', 'unroll', 'GCC unroll', 'GCC ivdep' and 'omp simd'";

/// Empty if it is legal, or if `threads` reports it.
std::string pragmaComplaint(bool readable, const std::string &text, const Policy &policy) {
  if (!readable)
    return "the operand of '_Pragma' is not a plain string" + std::string(kAllowedPragmas);
  if (isListed(policy.forbid.pragmas, pragmaTitle(text)))
    return "pragma '" + pragmaTitle(text) + "' is forbidden by the project's policy";
  if (text.find("nontemporal") != std::string::npos)
    return "the clause 'nontemporal' makes stores that no fence follows; use _mm*_stream_* and _mm_sfence()";
  if (pragmaKind(text) != PragmaKind::Banned || isListed(policy.allow.pragmas, pragmaTitle(text)))
    return {};
  return "pragma '" + pragmaTitle(text) + "' is not allowed" + std::string(kAllowedPragmas);
}

} // namespace

void Pragmas::text(Context &context) {
  for (const WrittenPragma &pragma : writtenPragmas(context.lexemes()))
    if (std::string message = pragmaComplaint(pragma.readable, pragma.text, context.policy()); !message.empty())
      context.reportAt(*this, pragma.offset, std::move(message));
}

void Pragmas::pragma(const PragmaView &pragma, Context &context) {
  if (std::string message = pragmaComplaint(pragma.readable, pragma.text, context.policy()); !message.empty())
    context.reportAt(*this, pragma.offset, std::move(message));
}

} // namespace agentic::checks
