// Recordings of conversations: --record FILE writes one while a run asks its model, replay:FILE answers from it.
//
// A recording is JSON lines, one exchange each: {"v": 1, "agent", "key", "conversation", "request", and "reply" or
// "error"}; "agent" is how it is named in records. Headers are the allow-list that the replies come with; no key, no
// address of a request is written.
//
// `key` is of the whole request with the numbers masked in what we wrote after the system message (times, speedups and
// budgets differ between runs), `conversation` of the system message and the tools. A request is answered by the first
// unused exchange with its key. Measurements may take a replayed run another way than the recorded one: then by the
// first unused exchange of the same conversation, in the order of the recording. Else it is Missing: nothing is ever
// called. So the answers depend on the recording and the requests alone. They cost nothing: who recorded them has paid.
//
// A torn last line, of a process that died while writing it, is passed over. Any other line that is no exchange is an
// error that names it: a recording with holes would replay as something else.
#pragma once

#include "tool/base/error.h"
#include "tool/llm/chat.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace agentic {

inline constexpr std::string_view kReplayPrefix = "replay:";

/// Makes a text safe to be written: without secrets. An empty function changes nothing.
using Redact = std::function<std::string(std::string text)>;

/// Appends exchanges to a file.
class Recorder {
public:
  /// `agent`: as records name it. Errors, before anything is asked: the file cannot be written, or holds something
  /// else than a recording. A torn end is cut off.
  static Result<Recorder> open(const std::string &file, std::string agent, Redact redact);

  /// fsyncs. After an error the recording has ended, and more exchanges are no further errors. What a process logged
  /// and died before it recorded stays out of the recording: the log of a run is what counts.
  Result<void> add(const ChatRequest &request, const ChatResult<ChatReply> &answer);

private:
  Recorder(std::string file, std::string agent, Redact redact)
      : file_(std::move(file)), agent_(std::move(agent)), redact_(std::move(redact)) {}
  std::string file_, agent_;
  Redact redact_;
  bool isBroken_ = false;
};

/// `name`: "replay:<file>", relative to the process's folder. Errors: the file cannot be read, or is no recording.
Result<std::unique_ptr<ChatModel>> makeReplayModel(const std::string &name);

/// What a request is found by; for tests.
std::string requestKey(const ChatRequest &request);
std::string conversationKey(const ChatRequest &request);

} // namespace agentic
