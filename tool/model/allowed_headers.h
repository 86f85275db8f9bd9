// The headers a candidate may include: values and types, pure functions, intrinsics. One list for the lexical rules of
// the candidate unit and for ast-checks.
#pragma once

#include "tool/model/language.h"
#include "tool/model/policy.h"

#include <span>
#include <string_view>

namespace agentic {

/// `header` as spelled, brackets included: "<cstdint>".
bool isAllowedHeader(std::string_view header);

/// Returns all allowed headers of a language, its own first.
std::span<const std::string_view> allowedHeaders(Language language);

/// Like isAllowedHeader(header), with the headers that a project's policy adds and takes away.
bool isAllowedHeader(std::string_view header, const Policy &policy);
/// Like that, for a candidate in this language: a C compiler finds none of C++'s headers.
bool isAllowedHeader(std::string_view header, const Policy &policy, Language language);

} // namespace agentic
