#include "ast-checks/directives.h"

#include "ast-checks/context.h"
#include "ast-checks/known_macros.h"
#include "tool/model/contract_clauses.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

constexpr auto kConditionals =
    std::to_array<std::string_view>({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"});

/// Returns a condition's first identifier that is neither `defined` nor a level-feature macro; null if there is none.
const RawToken *foreignMacro(const Directive &directive) {
  for (const RawToken &token : directive.arguments)
    if (token.kind == RawToken::Kind::Identifier && token.spelling != "defined" && !isFeatureMacro(token.spelling))
      return &token;
  return nullptr;
}

/// Checks `#define NAME …` or `#undef NAME`.
std::string macroComplaint(const Directive &directive) {
  if (directive.arguments.empty() || directive.arguments[0].kind != RawToken::Kind::Identifier)
    return "'#" + directive.name + "' without a name";
  const std::string &name = directive.arguments[0].spelling;
  if (isReservedMacro(name))
    return "'#" + directive.name + " " + name + "' changes a name that is not yours; use a constexpr variable";
  bool takesArguments = directive.name == "define" && directive.arguments.size() > 1 &&
                        directive.arguments[1].spelling == "(" &&
                        directive.arguments[1].begin == directive.arguments[0].end;
  // Harmless ones are expanded before (candidate/own_macros.h); nested calls of others grow without bound.
  if (takesArguments)
    return "macro '" + name + "' takes arguments and cannot be expanded; use a lambda or a helper function";
  return {};
}

std::string directiveComplaint(const Directive &directive) {
  const std::string &name = directive.name;
  if (name.empty() || name == "include" || name == "pragma" || name == "else" || name == "endif")
    return {}; // includes and pragmas have their own checks
  if (name == "define" || name == "undef")
    return macroComplaint(directive);
  if (std::ranges::find(kConditionals, name) != kConditionals.end()) {
    const RawToken *foreign = foreignMacro(directive);
    return foreign ? "condition on '" + foreign->spelling +
                         "'; conditionals may test level-feature macros only, such as __AVX2__"
                   : "";
  }
  std::string title = name == "line marker" ? "a line marker ('# 1 \"file\"')" : "'#" + name + "'";
  return title + " is not allowed; allowed are #include of listed headers, #if on level-feature macros, loop pragmas "
                 "and #define inside a function";
}

} // namespace

void Directives::text(Context &context) {
  if (!context.isCandidate())
    return;
  int depth = 0;
  for (const Directive &directive : context.lexemes().directives) {
    if (std::string message = directiveComplaint(directive); !message.empty())
      context.reportAt(*this, directive.offset, std::move(message));
    else if (directive.name == "define" || directive.name == "undef")
      localDefines_.emplace_back(directive.offset, directive.arguments[0].spelling);
    if (directive.name.starts_with("if"))
      ++depth;
    else if (directive.name == "endif" && --depth < 0)
      context.reportAt(*this, directive.offset, "'#endif' without an '#if' of the candidate");
    else if (directive.name.starts_with("el") && depth == 0)
      context.reportAt(*this, directive.offset, "'#" + directive.name + "' without an '#if' of the candidate");
  }
  const std::vector<RawToken> &tokens = context.lexemes().tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const RawToken &token = tokens[i];
    if (token.kind == RawToken::Kind::Paste)
      context.reportAt(*this, token.begin, "token pasting ('##') can hide code; write the name out");
    if (token.kind == RawToken::Kind::Identifier && isPlaceMacro(token.spelling))
      context.reportAt(*this, token.begin,
                       "'" + token.spelling + "' makes code depend on where and when it is built; remove it");
    bool startsModule = token.startsLine && (token.spelling == "import" || token.spelling == "module");
    if (startsModule && i + 1 < tokens.size() &&
        (tokens[i + 1].kind == RawToken::Kind::Identifier || tokens[i + 1].spelling == "<" ||
         tokens[i + 1].kind == RawToken::Kind::String))
      context.reportAt(*this, token.begin, "'" + token.spelling + "' is not allowed; #include a listed header");
  }
}

void Directives::declaration(const clang::Decl &decl, Context &context) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
  if (!function || !function->doesThisDeclarationHaveABody())
    return;
  clang::SourceRange body = function->getBody()->getSourceRange();
  auto begin = context.fileOffset(body.getBegin()), end = context.fileOffset(body.getEnd());
  if (begin && end)
    bodies_.emplace_back(*begin, *end);
}

void Directives::finish(Context &context) {
  for (const auto &[offset, name] : localDefines_)
    if (std::ranges::none_of(bodies_, [&](const auto &body) { return body.first < offset && offset < body.second; }))
      context.reportAt(*this, offset,
                       "macro '" + name +
                           "' outside a function reaches other text; use a constexpr variable or a helper function");
}

} // namespace agentic::checks
