// What a candidate's object code does, in a few words: so that a search can keep candidates of different kinds, by what
// they are and not by what their author says. A guess by the structure of the hot loop; x86-64 alone, elsewhere none.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/insight/hot_loop.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns, in this order: "compute" or "memory" (two fifths of its instructions load or store), "scalar" or "vectors
/// of 32", and where they hold "table" (looks up in registers or by gathers), "blocks" (at least two loops around it),
/// "no branches" (but that of the loop). Empty without a loop. Pure.
std::vector<std::string> codeTraits(const HotLoop &loop);

/// Reads the object file of a candidate whose function is `symbol`: one run of the disassembler.
Result<std::vector<std::string>> codeTraitsOf(const std::string &objectFile, const std::string &symbol);

} // namespace agentic
