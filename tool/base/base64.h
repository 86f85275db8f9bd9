// Encodes bytes as text. Pure.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

/// Returns the base64 encoding of RFC 4648, with padding.
std::string base64(std::string_view bytes);

} // namespace agentic
