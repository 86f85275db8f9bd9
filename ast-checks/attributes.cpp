#include "ast-checks/attributes.h"

#include "ast-checks/context.h"
#include "tool/base/text.h"

#include "clang/Basic/IdentifierTable.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

constexpr auto kAllowedAttributes = std::to_array<std::string_view>({"always_inline",
                                                                     "noinline",
                                                                     "hot",
                                                                     "cold",
                                                                     "flatten",
                                                                     "aligned",
                                                                     "assume_aligned",
                                                                     "likely",
                                                                     "unlikely",
                                                                     "nodiscard",
                                                                     "maybe_unused",
                                                                     "unused",
                                                                     "fallthrough",
                                                                     "packed",
                                                                     "min_vector_width",
                                                                     "vector_size",
                                                                     "ext_vector_type",
                                                                     "neon_vector_type",
                                                                     "arm_sve_vector_bits",
                                                                     "may_alias",
                                                                     "restrict"});
constexpr std::string_view kInsteadOfAttribute =
    "; allowed are always_inline, noinline, hot, cold, flatten, aligned, assume_aligned, likely, unlikely, nodiscard, "
    "maybe_unused, unused, fallthrough, packed, vector_size, ext_vector_type, min_vector_width, may_alias and restrict";

std::string spellingOf(const clang::Token &token) {
  if (const clang::IdentifierInfo *identifier = token.isAnnotation() ? nullptr : token.getIdentifierInfo())
    return identifier->getName().str();
  if (token.isLiteral() && token.getLiteralData())
    return std::string(token.getLiteralData(), token.getLength());
  const char *spelling = clang::tok::getPunctuatorSpelling(token.getKind());
  return spelling ? spelling : "?";
}

bool isOpening(std::string_view spelling) {
  return spelling == "(" || spelling == "[" || spelling == "{";
}
bool isClosing(std::string_view spelling) {
  return spelling == ")" || spelling == "]" || spelling == "}";
}

std::string withoutUnderscores(const std::string &name) {
  bool isWrapped = name.size() > 4 && name.starts_with("__") && name.ends_with("__");
  return isWrapped ? name.substr(2, name.size() - 4) : name;
}

/// Handles the two attributes whose argument decides.
bool isAllowedByArgument(const std::string &name, const std::string &argument) {
  if (name == "annotate")
    return argument.starts_with("\"agentic_");
  constexpr std::string_view kTarget = "\"prefer-vector-width=";
  if (name != "target" || !argument.starts_with(kTarget) || !argument.ends_with('"'))
    return false;
  std::string width = argument.substr(kTarget.size(), argument.size() - kTarget.size() - 1);
  return width == "128" || width == "256" || width == "512";
}

} // namespace

void Attributes::open(Syntax syntax) {
  syntax_ = syntax;
  depth_ = 0;
  parts_.clear();
}

void Attributes::token(const clang::Token &token, Context &context) {
  const bool wasSquare = std::exchange(afterSquare_, token.is(clang::tok::l_square));
  if (syntax_ == Syntax::None) {
    if (token.is(clang::tok::kw___attribute)) {
      open(Syntax::Gnu);
    } else if (token.is(clang::tok::l_square) && wasSquare) {
      open(Syntax::Standard);
      depth_ = 2;
    } else if (token.is(clang::tok::kw___declspec)) {
      context.report(*this, token.getLocation(), "'__declspec' is not allowed" + std::string(kInsteadOfAttribute));
    }
    return;
  }
  std::string spelling = spellingOf(token);
  depth_ += isOpening(spelling) - isClosing(spelling);
  if (depth_ <= 0) {
    judge(context);
    syntax_ = Syntax::None;
    return;
  }
  // The depth is counted so that the list itself is at 2 in both syntaxes.
  if (depth_ > 2 || (depth_ == 2 && !(isOpening(spelling) && parts_.empty())))
    parts_.push_back({std::move(spelling), token.getLocation().getRawEncoding()});
}

void Attributes::judge(Context &context) const {
  std::vector<Part> item;
  std::string usingScope;
  int depth = 0;
  for (const Part &part : parts_) {
    depth += isOpening(part.spelling) - isClosing(part.spelling);
    if (depth == 0 && part.spelling == ",") {
      judgeItem(item, usingScope, context);
      item.clear();
    } else if (depth == 0 && part.spelling == ":" && item.size() == 2 && item[0].spelling == "using") {
      usingScope = item[1].spelling;
      item.clear();
    } else {
      item.push_back(part);
    }
  }
  judgeItem(item, usingScope, context);
}

void Attributes::judgeItem(const std::vector<Part> &item, const std::string &usingScope, Context &context) const {
  if (item.empty())
    return;
  std::string scope = withoutUnderscores(usingScope);
  std::size_t name = 0;
  if (item.size() >= 3 && item[1].spelling == "::") {
    scope = withoutUnderscores(item[0].spelling);
    name = 2;
  }
  std::string attribute = withoutUnderscores(item[name].spelling);
  std::string argument;
  for (std::size_t i = name + 2; i + 1 < item.size(); ++i)
    argument += item[i].spelling;
  const bool isKnownScope = scope.empty() || scope == "gnu" || scope == "clang" || scope == "_Clang";
  const std::string title = (scope.empty() ? "" : scope + "::") + attribute;
  const auto isAmong = [&](const std::vector<std::string> &names) {
    return isListed(names, title) || (isKnownScope && isListed(names, attribute));
  };
  const bool isForbidden = isAmong(context.policy().forbid.attributes);
  const bool isUsual = isKnownScope && (std::ranges::find(kAllowedAttributes, attribute) != kAllowedAttributes.end() ||
                                        isAllowedByArgument(attribute, argument));
  if (!isForbidden && (isUsual || isAmong(context.policy().allow.attributes)))
    return;
  context.report(*this, clang::SourceLocation::getFromRawEncoding(item[0].location),
                 "attribute '" + title + (isForbidden ? "' is forbidden by the project's policy" : "' is not allowed") +
                     std::string(kInsteadOfAttribute));
}

} // namespace agentic::checks
