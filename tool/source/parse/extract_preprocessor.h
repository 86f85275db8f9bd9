// Records the preprocessor's work in SOURCE itself: macro definitions and uses, includes.
#pragma once

#include "clang/Lex/Preprocessor.h"

#include <map>
#include <string>
#include <vector>

namespace agentic {

struct MacroUse {
  std::size_t offset = 0; ///< offset of the outermost expansion in SOURCE
  std::string name;
  const clang::MacroInfo *definition = nullptr;
};

struct PreprocessorRecord {
  std::vector<MacroUse> uses;        ///< only those whose outermost expansion is in SOURCE; in order
  std::vector<std::string> includes; ///< "<cmath>", "\"gemm.h\""; those that were followed
};

/// Registers callbacks that fill `record`, and keeps our definitions of AGENTIC_KERNEL and the contract macros in force
/// when a header defines one unconditionally. Call before the preprocessor starts.
void recordPreprocessor(clang::Preprocessor &preprocessor, PreprocessorRecord &record);

} // namespace agentic
