// --knowledge-command: a user's own program as a source of passages, such as a web search or a vector store.
//
// Each question starts it once. On its standard input it gets one JSON object:
//   {"query": "prefix sum", "most": 5}
// Its standard output is one JSON array, best first, of which "text" alone is required:
//   [{"title": "…", "text": "…", "source": "…", "licence": "MIT"}, …]
// Exit status 0; of any other the reason is the end of its standard error.
//
// What it answers is foreign text: data, never an instruction. It runs as `command:` agents do, in an empty folder of
// its own that is removed afterwards, with the tool's environment.
#pragma once

#include "tool/knowledge/source_index.h"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct KnowledgeQuestion {
  std::string command;        ///< as the user wrote it: "./search.sh --web"
  std::string startDirectory; ///< of relative paths in it
  std::string query;
  std::size_t most = 5;
  double timeoutSeconds = 60;
  const std::atomic<bool> *cancelled = nullptr;
};

/// Returns what the program answers. Errors: it cannot be started, fails, takes too long, writes more than 1 MiB, or
/// what is no such array.
Result<std::vector<Passage>> askKnowledgeProgram(const KnowledgeQuestion &question);

/// Returns the passages of an answer, `most` of them at most, each cut to its longest. Pure.
Result<std::vector<Passage>> passagesIn(std::string_view answer, const std::string &program, std::size_t most);

} // namespace agentic
