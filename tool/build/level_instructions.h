// Finds the feature of an x86-64 processor that an instruction needs, to check that an object stays within its level.
#pragma once

#include <string_view>

namespace agentic {

/// Returns the feature as Level::features names it ("avx512vnni"), or another name if no level has it ("amx"); empty
/// for instructions that every x86-64 processor executes. `mnemonic` and `operands` are as GNU objdump writes them,
/// without prefixes. Coarse like the levels: everything that v3 adds to AVX under AVX's encoding is "avx", all of v4 is
/// "avx512f". tzcnt needs no feature: compilers write it for bsf, which old processors execute in its place. Pure.
std::string_view x86FeatureOf(std::string_view mnemonic, std::string_view operands);

/// Returns whether `feature` is in a comma-separated list, or empty.
bool isFeatureOf(std::string_view feature, std::string_view features);

} // namespace agentic
