// The scenarios that aimock plays for every dialect, and their expected results.
#pragma once

#include "tests/llm/peer_process.h"
#include "tool/base/wire_json.h"
#include "tool/llm/chat_model.h"
#include "tool/llm/retry.h"

namespace agentic {

inline constexpr const char *kAimockKey = "test-key-0123456789";

/// The expected result of one call: a reply or an error.
struct Expected {
  std::optional<ChatErrorKind> error;
  std::optional<double> retryAfter;
  std::string text, reasoning;
  ChatFinish finish = ChatFinish::Stop;
  std::vector<ToolCall> calls;
};

struct Scenario {
  const char *name;
  std::vector<Json> fixtures;     ///< aimock's, without the message that they match
  std::vector<Expected> expected; ///< expected results of the calls, one after the other
  bool usage = false;             ///< the fixture reports 321 tokens in and 45 out
  bool tools = false;             ///< the request offers a tool
  bool wrongKey = false;
  bool onlyStreamed = false;
};

struct DialectRow {
  const char *name;       ///< name of the case
  const char *model;      ///< with "URL" for the server's address
  const char *rawDialect; ///< dialect of the messages that come back
  bool reportsUsage;      ///< aimock reports what the fixture says
  bool reportsCost;
  bool reportsLength; ///< aimock says when the output limit was reached
};

struct AimockCase {
  const DialectRow *dialect;
  const Scenario *scenario;
  bool stream;
  std::string message() const;  ///< the user's message: names the case, so that its fixture matches
  std::string testName() const; ///< for GoogleTest
};

std::vector<AimockCase> aimockCases();
std::vector<AimockCase> aimockCasesWithTools();
Result<std::unique_ptr<PeerProcess>> startAimock();
ChatResult<std::unique_ptr<ChatModel>> aimockModel(const PeerProcess &peer, const AimockCase &row);
ChatRequest requestOf(const AimockCase &row);

/// Prints a case's name where GoogleTest would print its bytes.
inline void PrintTo(const AimockCase &row, std::ostream *out) {
  *out << row.testName();
}

} // namespace agentic
