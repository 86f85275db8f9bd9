// What an object computes, as one hash: equal hashes mean equal behaviour, so a candidate with the code of an earlier
// one needs no second evaluation.
#pragma once

#include "tool/build/elf.h"

#include <string>

namespace agentic {

/// Over the contents of .text*, .rodata* and .data.rel.ro* and their relocations. Local targets count by section and
/// offset, others by name; so debug information, symbol tables and names of local helpers do not matter.
std::string codeHash(const ElfFile &file);

/// Bytes of the same sections: what a variant adds to a program, padding included.
std::size_t codeBytes(const ElfFile &file);

} // namespace agentic
