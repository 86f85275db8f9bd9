// What a contract or a kernel compares its arguments with: on both sides of each, another branch may be taken.
#pragma once

#include "tool/build/glue.h"
#include "tool/model/contract.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// By the scalar's name, in the order in which they were found.
using ComparedLiterals = std::map<std::string, std::vector<std::int64_t>, std::less<>>;

/// Those of the requirements ("bits <= 32", "K % 8 == 0"), then those of a C or C++ text: comparisons of a name with a
/// literal, and the cases of `switch (name)`. The text is not parsed: what a comment or a template argument looks like
/// may be among them.
ComparedLiterals comparedLiterals(const Contract &contract, std::string_view text);

/// Returns `first`, then each literal that the parameter is compared with and its neighbours: each once, as far as the
/// parameter's type holds them.
std::vector<std::int64_t> tellingNumbers(const ComparedLiterals &literals, const GlueParameter &parameter,
                                         std::vector<std::int64_t> first);

/// Returns whether a C or C++ text asks if the pointer of this name is null: `!p`, `if (p)`, `p == …`, `p ? …`, `p &&
/// …`.
bool asksForNull(std::string_view text, std::string_view name);

} // namespace agentic
