// What a researcher may look up: tool/run fills it, so that agents know nothing of patterns and indexes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace agentic {

/// A text that was looked up.
struct Retrieved {
  std::string title; ///< one line
  std::string text;
  bool isForeign = false; ///< text of others: data, which is fenced, marked and never obeyed
};

/// Functions may be empty: there is nothing of that kind.
struct ResearchSources {
  std::function<std::vector<Retrieved>()> begin; ///< what is known before anything is asked
  std::function<std::vector<Retrieved>(const std::string &words)> search;
  std::function<std::vector<Retrieved>(const std::string &name)> show;
  /// Returns the questions of a recorded conversation (llm/cassette.h), in order: they are repeated as they are, and
  /// nothing is looked up for them.
  std::function<std::vector<std::string>(const std::string &conversation)> recorded;
};

} // namespace agentic
