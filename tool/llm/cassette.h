// Recordings of conversations: --record FILE writes one while a run asks its model, replay:FILE answers from it.
//
// A recording is JSON lines, one exchange each: {"v": 1, "agent", "key", "conversation", "request", and "reply" or
// "error"}; "agent" is how it is named in records. The first that a process adds has "context", too: what its requests
// were made from besides the project, as the caller words it. Headers are the allow-list that the replies come with; no
// key, no address of a request is written.
//
// `key` covers the whole request with the numbers masked in our texts after the system message (times, speedups and
// budgets differ between runs), `conversation` covers the system message and the tools. A request is answered by the
// first unused exchange with its key. Measurements may lead a replayed run another way than the recorded one: then the
// first unused exchange of the same conversation answers, in the order of the recording. Else the result is Missing: no
// model is ever called. So the answers depend on the recording and the requests alone. They cost nothing, because the
// recorded run has paid.
//
// A torn last line, of a process that died while writing it, is skipped. Any other line that is no exchange is an error
// that names it: a recording with holes would give another replay.
#pragma once

#include "tool/base/error.h"
#include "tool/llm/chat.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kReplayPrefix = "replay:";

/// Removes secrets from a text that is to be written. An empty function changes nothing.
using Redact = std::function<std::string(std::string text)>;

/// Appends exchanges to a file.
class Recorder {
public:
  /// `agent`: its name in records. Errors, before any request: the file cannot be written, or is not a recording. A
  /// torn end is cut off.
  static Result<Recorder> open(const std::string &file, std::string agent, Redact redact);

  /// Sets the "context" of the exchanges to come: an object.
  void from(nlohmann::json context);

  /// Appends with an fsync. An error ends the recording, and further exchanges are no further errors. An answer that a
  /// process logged before it died, but did not record, stays out of the recording: the log of a run is authoritative.
  Result<void> add(const ChatRequest &request, const ChatResult<ChatReply> &answer);

private:
  Recorder(std::string file, std::string agent, Redact redact)
      : file_(std::move(file)), agent_(std::move(agent)), redact_(std::move(redact)) {}
  std::string file_, agent_;
  Redact redact_;
  std::shared_ptr<nlohmann::json> context_; ///< not yet written; nullptr: none
  bool isBroken_ = false;
};

/// Makes a model from "replay:<file>", relative to the process's folder. Errors: the file cannot be read, or is no
/// recording.
Result<std::unique_ptr<ChatModel>> makeReplayModel(const std::string &name);

/// Returns the first "context" of the recording "replay:<file>"; null without one, or if it cannot be read.
nlohmann::json recordedContext(const std::string &name);

/// Returns the last messages of the requests of one conversation of the recording "replay:<file>", in order; of
/// requests that were repeated, one. Empty if it cannot be read.
std::vector<std::string> recordedQuestions(const std::string &name, const std::string &conversation);

/// Returns the keys that find a request.
std::string requestKey(const ChatRequest &request);
std::string conversationKey(const ChatRequest &request);

} // namespace agentic
