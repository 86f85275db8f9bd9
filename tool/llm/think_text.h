// Reasoning that a model writes into its reply between <think> and </think>. Pure.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

struct SplitThought {
  std::string text;    ///< the text for the reader
  std::string thought; ///< without the tags
};

/// Also handles a close tag whose open tag the chat template removed, and an open tag that is never closed: the rest is
/// thought. Open tags count only at the begin of a line outside of code fences, so that code may mention them.
SplitThought splitThought(std::string_view reply);

} // namespace agentic
