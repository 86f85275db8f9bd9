// Parses the candidates in a model's reply: fenced files in its text, or calls of the tool evaluate_kernel(name,
// source).
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
  std::string name; ///< the reply's name for it; may be empty
  std::string text; ///< ends with a line feed
};

/// A call of a tool, and the answer to it.
struct CallAnswer {
  std::string id, tool;
  std::string error; ///< for the model: the fault of the call; empty if its source is among the files
};

struct ParsedReply {
  std::vector<ReplyFile> files;
  std::vector<CallAnswer> calls; ///< answers to every tool call, in order
  std::string idea;              ///< the first line of prose, ≤ 160 bytes; may be empty
  std::string problem;           ///< why there is no file, as a sentence for the model; empty if there is one
  std::string note;              ///< omitted parts, for the journal; may be empty
  bool isTruncated = false;
  int malformedCalls = 0;
};

struct ReplyRules {
  std::string identifier; ///< the kernel's: a block without a name is a candidate only if it mentions it
  std::size_t mostBytes = 64u << 10;
  std::size_t mostFiles = 8;
};

/// If several complete blocks have one name, the last counts; without names, the last of all that mention the kernel.
/// Blocks in another language do not count. A block without its closing fence, and everything in a reply that the
/// output limit cut, is never a file.
ParsedReply parseReply(const ChatReply &reply, const ReplyRules &rules);

/// Removes thoughts, which some models put into their answer. An unclosed thought is no answer: sets `isTruncated`
/// then.
std::string_view withoutThoughts(std::string_view text, bool &isTruncated);

/// A fenced block (``` or ~~~, three or more, of the same character to close it).
struct FencedBlock {
  std::string info;   ///< text after the opening fence, trimmed
  std::string before; ///< the last line before it that is not blank, trimmed
  std::string text;
  bool isClosed = false;
};
std::vector<FencedBlock> fencedBlocks(std::string_view text);

/// Repairs the arguments of a call to JSON text that parses: escapes control characters within strings, doubles
/// backslashes that begin no escape. Returns text that it cannot repair unchanged.
std::string mendedJson(std::string_view text);

/// Returns the tool's description, for requests.
ToolDescription evaluateTool(std::string_view function);

} // namespace agentic
