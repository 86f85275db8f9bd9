// Records the preprocessor's work in SOURCE itself: macro definitions and uses, includes, what the parser gets.
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

/// A macro's use that SOURCE spells, its arguments included. Uses inside arguments of another are recorded, too.
struct MacroExpansion {
  std::size_t begin = 0, end = 0;
  std::string name;
  const clang::MacroInfo *definition = nullptr;
};

/// A token that the parser got from a macro's use in SOURCE.
struct ExpandedToken {
  std::size_t offset = 0; ///< of the outermost use
  bool isSpaced = false;  ///< white space is before it
  std::string spelling;
};

/// What an untaken branch of a conditional takes in SOURCE: from its `#` to the next directive of the conditional.
struct SkippedRange {
  std::size_t begin = 0, end = 0;
};

struct PreprocessorRecord {
  std::vector<MacroUse> uses; ///< only those whose outermost expansion is in SOURCE; in order
  std::vector<MacroExpansion> expansions;
  std::vector<ExpandedToken> tokens; ///< in order
  std::vector<SkippedRange> skipped;
  std::vector<std::string> includes; ///< "<cmath>", "\"gemm.h\""; those that were followed
  /// Those of a precompiled header that CMake's target_precompile_headers() puts in front of SOURCE, as SOURCE could
  /// write them. Files that are compiled without it need them.
  std::vector<std::string> precompiled;

  bool isSkipped(std::size_t offset) const; ///< in what an untaken branch takes
};

/// Registers callbacks that fill `record`, and keeps our definitions of AGENTIC_KERNEL and the contract macros in force
/// when a header defines one unconditionally. Call before the preprocessor starts.
void recordPreprocessor(clang::Preprocessor &preprocessor, PreprocessorRecord &record);

} // namespace agentic
