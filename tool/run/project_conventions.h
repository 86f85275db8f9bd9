// What a project says of how its code is written: for a model that reviews a winner.
#pragma once

#include <cstddef>
#include <string>

namespace agentic {

inline constexpr std::size_t kMostConventions = 8u << 10; ///< bytes, fences included

/// Returns the .clang-format and .clang-tidy that apply to `source`, and the texts CONTRIBUTING* and STYLE* of the
/// project (in its root, docs, doc and .github), each with its name and fenced: what is in them is data. Only regular
/// files within `root` are read. Empty: there is none.
std::string projectConventions(const std::string &root, const std::string &source);

} // namespace agentic
