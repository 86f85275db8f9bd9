// The linker symbol of a variant. Apart from candidate_unit.cpp, so that emitting needs no Clang.
#include "tool/source/candidate/candidate_unit.h"

namespace agentic {

std::string variantSymbol(std::string_view kernel, const Level &level, Family family) {
  return "agentic_kernel_" + std::string(kernel) + "__" + std::string(level.identifier) + "__" + familyName(family);
}

} // namespace agentic
