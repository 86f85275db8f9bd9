// Tells which licence a text is under, from its SPDX tag or the first sentences of the well-known licences.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace agentic {

/// Returns an SPDX expression; empty if the text (of which the first 8 KiB are read) tells none.
std::string licenceOf(std::string_view text);

/// Returns whether a file of this name holds a project's licence: LICENSE, COPYING.txt, …
bool isLicenceFile(std::string_view name);

/// Returns whether an SPDX expression permits what the listed licences permit: "MIT OR GPL-2.0" does where MIT is
/// listed, "MIT AND Zlib" where both are; what stands behind WITH only adds permissions. False for an empty expression.
bool isUnderListed(std::string_view expression, std::span<const std::string> listed);

} // namespace agentic
