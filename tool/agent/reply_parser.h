// What a model's reply proposes: fenced files in its text, or calls of the tool evaluate_kernel(name, source).
//
// Replies are hostile text: every byte sequence gives files or a reason why there are none, in time linear in its
// length.
#pragma once

#include "tool/llm/chat.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kEvaluateTool = "evaluate_kernel";

struct ReplyFile {
  std::string name; ///< as the reply calls it; empty if it has no name
  std::string text; ///< ends with a line feed
};

/// A call of a tool, and what it is answered.
struct CallAnswer {
  std::string id, tool;
  std::string error; ///< for the model: what was wrong with it; empty if its source is among the files
};

struct ParsedReply {
  std::vector<ReplyFile> files;
  std::vector<CallAnswer> calls; ///< of every tool call, in order
  std::string idea;              ///< the first line of prose, ≤ 160 bytes; may be empty
  std::string problem;           ///< why there is no file, as a sentence for the model; empty if there is one
  std::string note;              ///< what was left out, for the journal; may be empty
  bool isTruncated = false;
  int malformedCalls = 0;
};

struct ReplyRules {
  std::string identifier; ///< of the kernel: a block without a name is a candidate only if it mentions it
  std::size_t mostBytes = 64u << 10;
  std::size_t mostFiles = 8;
};

/// Of several complete blocks with one name the last counts; without names, the last of all that mention the kernel.
/// Blocks in another language are none. A block without its closing fence, and everything in a reply that the output
/// limit cut, is never a file.
ParsedReply parseReply(const ChatReply &reply, const ReplyRules &rules);

/// A fenced block (``` or ~~~, three or more, of the same character to close it).
struct FencedBlock {
  std::string info;   ///< what stands behind the opening fence, trimmed
  std::string before; ///< the last line before it that is not blank, trimmed
  std::string text;
  bool isClosed = false;
};
std::vector<FencedBlock> fencedBlocks(std::string_view text);

/// The arguments of a call as JSON text that parses: control characters within strings escaped, backslashes that begin
/// no escape doubled. What it cannot mend comes back as it was.
std::string mendedJson(std::string_view text);

/// The tool, for requests.
ToolDescription evaluateTool(std::string_view function);

} // namespace agentic
