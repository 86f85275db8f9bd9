// What is known about a kernel before the first candidate: what it is made of, what limits it, which patterns fit, and
// what functions like it exist in the sources that the user points at. For people, models and programs.
#pragma once

#include "tool/knowledge/ranking.h"
#include "tool/knowledge/source_index.h"
#include "tool/model/kernel_features.h"
#include "tool/model/kernel_spec.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace agentic {

struct Research {
  std::string kernel, function, source, level;
  KernelFeatures features;
  std::vector<std::string> limits;                     ///< sentences of insight; empty: not measured
  std::shared_ptr<const std::vector<Pattern>> library; ///< what `patterns` point into
  std::vector<RankedPattern> patterns;
  std::vector<Passage> neighbours; ///< foreign text
  std::vector<std::string> notes;  ///< what could not be found out, and why
};

struct ResearchRequest {
  const KernelSpec &spec;
  KernelFeatures features;
  std::string level;
  std::size_t patterns = 8, neighbours = 5;
};

/// `index` may be null. Errors: those of the index, and patterns of ours that cannot be read.
Result<Research> researchOf(ResearchRequest request, SourceIndex *index);

/// Returns the words by which neighbours of a kernel are looked for.
std::string neighbourQuery(const KernelSpec &spec, const KernelFeatures &features);

nlohmann::json patternJson(const RankedPattern &ranked);
nlohmann::json passageJson(const Passage &passage);
nlohmann::json researchJson(const Research &research);

/// A line or some of each, for a terminal.
std::string rankedText(const std::vector<RankedPattern> &patterns);
std::string passagesText(const std::vector<Passage> &passages);

/// The whole, for a file that a person reads and edits. Foreign passages are fenced and marked.
std::string researchMarkdown(const Research &research);

/// The best patterns in a few lines, for a model's prompt; at most `most` of them; empty if there is none.
std::string knowledgeForPrompt(const std::vector<RankedPattern> &patterns, std::size_t most);

} // namespace agentic
