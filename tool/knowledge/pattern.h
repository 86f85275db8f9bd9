// A pattern: one idea that makes kernels of a kind faster, with the kernels that it is for, a sketch and its costs. A
// file of tool/knowledge/patterns; README.md there has the form.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_features.h"
#include "tool/model/language.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct Pattern {
  std::string name;                               ///< of its file, without ".md": "lanes-for-a-sum"
  std::string title;                              ///< "Lanes for a sum"
  std::vector<std::string> features;              ///< of the kernels that it is for: words of featureWords()
  std::vector<std::string> unless;                ///< words that speak against it
  std::vector<std::string> bounds;                ///< what it moves: words of boundWords()
  std::string level = "any";                      ///< the lowest level that it needs, or "any"
  std::vector<std::string> contract;              ///< what the kernel's contract must permit: words of contractWords()
  Language language = Language::Cxx;              ///< of the sketch
  std::string when, idea, sketch, costs, sources; ///< the sections; the sketch is code
  std::string text;                               ///< the whole file
};

/// reassociate, no-alias, finite, extents, tolerance, requirements.
std::span<const std::string_view> contractWords();

/// Errors name the pattern and the line or section that is wrong.
Result<Pattern> parsePattern(std::string_view name, std::string_view text);

/// All patterns that ship, by name. Their form is tested: one that cannot be read is a bug of ours.
Result<std::vector<Pattern>> shippedPatterns();

/// Returns nullptr if there is none of that name.
const Pattern *findPattern(const std::vector<Pattern> &patterns, std::string_view name);

} // namespace agentic
