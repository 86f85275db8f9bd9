// Answers in the form of each dialect's servers, for tests without a network: the tests of the dialects split them at
// every byte, the fuzz test mutates them.
#pragma once

#include "tool/llm/answer.h"

namespace agentic {

struct SampleAnswer {
  const char *name;
  const char *dialect;
  bool isStream;
  std::string bytes;
  // The content of the answer:
  std::string text, reasoning;
  ChatFinish finish = ChatFinish::Stop;
  std::vector<ToolCall> calls;
  ChatUsage usage;
  std::string raw; ///< the assistant message's JSON
};

const std::vector<SampleAnswer> &sampleAnswers();

/// Returns the reply of an answer that arrives in these pieces.
ChatResult<ChatReply> replyOf(const char *dialect, bool isStream, const std::vector<std::string> &pieces,
                              int status = 200, const HttpHeaders &headers = {}, HttpEnd end = HttpEnd::Complete);

} // namespace agentic
