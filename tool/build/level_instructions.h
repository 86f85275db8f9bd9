// Which feature of an x86-64 processor an instruction needs, to see that an object stays within its level.
#pragma once

#include <string_view>

namespace agentic {

/// As Level::features names it ("avx512vnni"), or another name for what no level has ("amx"); empty for what every
/// x86-64 processor executes. `mnemonic` and `operands` as GNU objdump writes them, without prefixes. Coarse where
/// levels are: all that v3 adds to AVX under AVX's encoding is "avx", all of v4 is "avx512f". tzcnt counts as nothing:
/// compilers write it for bsf, which old processors execute in its place. Pure.
std::string_view x86FeatureOf(std::string_view mnemonic, std::string_view operands);

/// Whether `feature` is in a comma-separated list, or empty.
bool isFeatureOf(std::string_view feature, std::string_view features);

} // namespace agentic
