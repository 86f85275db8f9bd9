// Which patterns fit a kernel, or a question. The score is a sum that a person can follow: it is no learnt model.
#pragma once

#include "tool/knowledge/pattern.h"
#include "tool/model/kernel_spec.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// What is known of the kernel that patterns are wanted for.
struct PatternQuery {
  KernelFeatures features;
  std::string names;                            ///< of kernel and function: "utf8_validate isUtf8"
  std::string level;                            ///< the highest that candidates may use; empty: not known
  std::set<std::string, std::less<>> permitted; ///< words of contractWords()
};
PatternQuery patternQuery(const KernelSpec &spec, KernelFeatures features, std::string level);

struct RankedPattern {
  const Pattern *pattern = nullptr;
  double score = 0;
  std::vector<std::string> matched; ///< words that it shares with the kernel, rarest first
  std::vector<std::string> against; ///< of its `unless`
  std::vector<std::string> bounds;  ///< that it moves and that limit the kernel
  std::vector<std::string> needs;   ///< what the kernel's contract or level does not give yet, as sentences
};

/// Returns the patterns that share a word with the kernel, best first; at most `most`. The score: each shared word
/// counts by its rarity among the patterns, squared, over the length of the pattern's list; words of names that a
/// pattern's title or text has count less; then factors for the bound, for `unless`, for the level and for the
/// contract.
std::vector<RankedPattern> rankPatterns(const std::vector<Pattern> &patterns, const PatternQuery &query,
                                        std::size_t most);

/// Returns the patterns that hold words of a text, best first: words of the title and of features count most.
std::vector<RankedPattern> searchPatterns(const std::vector<Pattern> &patterns, std::string_view text,
                                          std::size_t most);

} // namespace agentic
