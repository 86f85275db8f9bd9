// A wire format of language models: how a request is written and how a reply is read. One file per dialect; the rest of
// the module knows none of them. Pure: no network, no clock.
#pragma once

#include "tool/llm/chat.h"
#include "tool/llm/chat_error.h"
#include "tool/llm/framing.h"
#include "tool/llm/http.h"
#include "tool/base/wire_json.h"

#include <memory>

namespace agentic {

/// In what servers of one dialect differ.
struct Quirks {
  std::string maxTokensField = "max_tokens";
  std::string systemRole = "system";
  std::string effortStyle = "reasoning_effort"; ///< or "reasoning" (an object with `effort`); "" = cannot be set
  bool streamUsage = true;   ///< knows stream_options.include_usage; without it, streams of some report no usage
  bool plainHistory = false; ///< refuses unknown members of assistant messages: reasoning is not sent back
  bool sendsSeed = true;     ///< refuses or ignores `seed` if false
  bool keyInXApiKey = false; ///< x-api-key instead of Authorization: Bearer
};

/// What a request needs besides the conversation.
struct WireOptions {
  std::string model;
  bool stream = true;
  std::int64_t contextTokens = 0; ///< of one that must be told its context size
  Quirks quirks;
};

/// Puts one reply together from what the server sends.
class ReplyReader {
public:
  using TextHandler = std::function<void(std::string_view)>;
  ReplyReader(ErrorContext context, TextHandler onText) : context_(std::move(context)), onText_(std::move(onText)) {}
  virtual ~ReplyReader() = default;

  BodyStep event(const StreamEvent &event); ///< of a stream
  void whole(const Json &body);             ///< an answer that is not streamed
  void fail(ChatError error);               ///< the first one counts
  bool failed() const { return error_.has_value(); }
  /// The reply, if it came to its end; the dialect's name is `dialect`.
  ChatResult<ChatReply> finish(std::string_view dialect);

protected:
  virtual bool chunk(const Json &chunk, const std::string &name) = 0; ///< whether it held something of the reply
  virtual void answer(const Json &body) = 0;
  virtual void complete() {}                    ///< before finish(): what only the end decides
  virtual bool isDone() const { return false; } ///< nothing more can come, whether the server closes or not

  void addText(std::string_view text);
  void addReasoning(std::string_view text) { reasoning_ += text; }
  /// The finish as the server calls it. Unknown names are an error; "" says nothing.
  void setFinish(const std::string &name);
  const ErrorContext &context() const { return context_; }

  std::string text_, reasoning_;
  std::vector<ToolCall> calls_;
  std::optional<ChatFinish> finish_;
  ChatUsage usage_;
  std::string model_, provider_;
  Json raw_; ///< the assistant's message or its parts

private:
  ErrorContext context_;
  TextHandler onText_;
  std::optional<ChatError> error_;
  std::string firstGarbage_;
  bool sawAny_ = false;
};

class Dialect {
public:
  virtual ~Dialect() = default;
  virtual std::string_view name() const = 0;          ///< "chat", "ollama", "anthropic", "responses"
  virtual std::string_view path() const = 0;          ///< behind the base URL: "/chat/completions"
  virtual bool streamsLines() const { return false; } ///< JSON lines rather than server-sent events
  virtual std::vector<std::pair<std::string, std::string>> headers(const std::string &key,
                                                                   const WireOptions &options) const;
  virtual Json body(const ChatRequest &request, const WireOptions &options) const = 0;
  virtual std::unique_ptr<ReplyReader> reader(ErrorContext context, ReplyReader::TextHandler onText) const = 0;
};

const Dialect &chatCompletionsDialect();
const Dialect &ollamaDialect();
const Dialect &anthropicDialect();
const Dialect &responsesDialect();

/// "chat", "ollama", "anthropic" or "responses"; nullptr for anything else.
const Dialect *dialectNamed(std::string_view name);

/// The raw JSON of an assistant message that came by `dialect`; null if it came otherwise or cannot be read.
Json rawMessage(const ChatMessage &message, std::string_view dialect);

/// A tool's schema as JSON; an empty object schema if it cannot be read.
Json schemaOf(const ToolDescription &tool);

} // namespace agentic
