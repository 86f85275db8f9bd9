// Hypotheses: what a researcher, or a person, expects to make a kernel faster, and the file that people read and edit.
#pragma once

#include "tool/base/error.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct Hypothesis {
  std::string what, why;
  std::optional<double> gain; ///< expected speedup over the baseline; nullopt: none that could be
  std::string risk, source;   ///< how it could fail; the pattern or passage that it comes from; may be empty

  /// Returns whether it has words, and a reason.
  bool isComplete() const;
};

/// Of a file: what a prompt can hold.
inline constexpr std::size_t kMostGivenHypotheses = 16, kGivenHypothesisBytes = 1000; ///< of each text of one

/// Returns the speedup that a text names first; nullopt: none that could be. Lenient: a model's words.
std::optional<double> gainIn(std::string_view text);

/// Returns one section for each. `begin`: what stands in front of them.
std::string hypothesesMarkdown(const std::string &begin, const std::vector<Hypothesis> &hypotheses);

/// Reads what hypothesesMarkdown writes, edited or not: sections "## Hypothesis …" of paragraphs and of the items
/// "- why: …", "- expected: 1.4 …", "- how it could fail: …" and "- from: …"; why is required. Other sections, and what
/// is in front of the first, are for people. Errors: none, too many, one without words or a reason, one too long, a
/// gain that is none, bytes that are no UTF-8; each with `file` and the line.
Result<std::vector<Hypothesis>> readHypotheses(std::string_view text, const std::string &file);

/// Reads ModelConfig::hypotheses; empty: none were given.
std::vector<Hypothesis> givenHypotheses(const std::string &text);

nlohmann::json hypothesisJson(const Hypothesis &hypothesis);

/// Returns the place of a hypothesis, for CallPurpose::about: "hypothesis 2 of call 3", or of the file that was given
/// if `call` is 0. `number`: from 1.
std::string hypothesisName(std::size_t number, int call);

/// Returns the indices, the best gain first.
std::vector<std::size_t> bestGainFirst(const std::vector<Hypothesis> &hypotheses);

} // namespace agentic
