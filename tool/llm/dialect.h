// A wire format of language models: writes requests and reads replies. One file per dialect; the rest of the module
// knows none of them. Pure: no network, no clock.
#pragma once

#include "tool/base/wire_json.h"
#include "tool/llm/chat.h"
#include "tool/llm/chat_error.h"
#include "tool/llm/framing.h"
#include "tool/llm/http.h"

#include <memory>

namespace agentic {

/// Differences between servers of one dialect.
struct Quirks {
  std::string maxTokensField = "max_tokens";
  std::string systemRole = "system";
  std::string effortStyle = "reasoning_effort"; ///< or "reasoning" (an object with `effort`); "" = cannot be set
  bool streamUsage = true; ///< knows stream_options.include_usage; without it, streams of some servers report no usage
  bool plainHistory = false; ///< refuses unknown members of assistant messages: reasoning is not sent back
  bool sendsSeed = true;     ///< refuses or ignores `seed` if false
  bool keyInXApiKey = false; ///< x-api-key instead of Authorization: Bearer
};

/// The inputs of a request besides the conversation.
struct WireOptions {
  std::string model;
  bool stream = true;
  std::int64_t contextTokens = 0; ///< for a server that needs its context size
  Quirks quirks;
};

/// Assembles one reply from the server's data.
class ReplyReader {
public:
  using TextHandler = std::function<void(std::string_view)>;
  ReplyReader(ErrorContext context, TextHandler onText) : context_(std::move(context)), onText_(std::move(onText)) {}
  virtual ~ReplyReader() = default;

  BodyStep event(const StreamEvent &event); ///< one event of a stream
  void whole(const Json &body);             ///< an answer that is not streamed
  void fail(ChatError error);               ///< the first one counts
  bool failed() const { return error_.has_value(); }
  /// Returns the reply, if it is complete; `dialect` is the dialect's name.
  ChatResult<ChatReply> finish(std::string_view dialect);

protected:
  virtual bool chunk(const Json &chunk, const std::string &name) = 0; ///< returns whether it held a part of the reply
  virtual void answer(const Json &body) = 0;
  virtual void complete() {}                    ///< called before finish(): decides the rest
  virtual bool isDone() const { return false; } ///< nothing more can come, even if the server does not close

  void addText(std::string_view text);
  void addReasoning(std::string_view text) { reasoning_ += text; }
  /// Sets the server's finish. Unknown names are an error; "" says nothing.
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
  virtual std::string_view path() const = 0;          ///< after the base URL: "/chat/completions"
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

/// Returns the dialect "chat", "ollama", "anthropic" or "responses"; nullptr for any other name.
const Dialect *dialectNamed(std::string_view name);

/// Returns the raw JSON of an assistant message that came in `dialect`; null if it came otherwise or cannot be read.
Json rawMessage(const ChatMessage &message, std::string_view dialect);

/// Returns a tool's schema as JSON; an empty object schema if it cannot be read.
Json schemaOf(const ToolDescription &tool);

} // namespace agentic
