// The headers a candidate may include: values and types, pure functions, intrinsics. One list for the lexical rules of
// the candidate unit and for ast-checks.
#pragma once

#include <string_view>

namespace agentic {

/// `header` as spelled, brackets included: "<cstdint>".
bool isAllowedHeader(std::string_view header);

} // namespace agentic
