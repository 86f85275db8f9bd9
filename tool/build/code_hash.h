// Hashes the behaviour of an object: equal hashes mean equal behaviour, so a candidate with the code of an earlier one
// needs no second evaluation.
#pragma once

#include "tool/build/elf.h"

#include <string>

namespace agentic {

/// Hashes the contents of .text*, .rodata* and .data.rel.ro* and their relocations. Local targets count by section and
/// offset, other targets by name; so debug information, symbol tables and names of local helpers do not matter.
std::string codeHash(const ElfFile &file);

/// Returns the bytes of the same sections: the amount that a variant adds to a program, padding included.
std::size_t codeBytes(const ElfFile &file);

} // namespace agentic
