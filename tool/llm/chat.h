// One exchange with a language model: the interface between the conversation (tool/agent) and the wire (the dialects
// beside this file).
//
// Everything is plain data, so that a conversation can be journaled, recorded and replayed. A model's text stays as it
// came: several providers refuse a history whose assistant messages were edited.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Reads the environment for modules that may not (only tool/cli may): nullopt = not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string &name)>;

enum class ChatRole { System, User, Assistant, Tool };

/// A call of a tool by the model; nothing is validated.
struct ToolCall {
  std::string id; ///< the provider's; the dialect makes one if it is missing
  std::string name;
  std::string arguments; ///< JSON text, possibly malformed
};

struct ChatMessage {
  ChatRole role = ChatRole::User;
  std::string text;
  std::vector<ToolCall> toolCalls; ///< Assistant only
  std::string toolCallId;          ///< Tool only: the call that this answers
  std::string toolName;            ///< Tool only
  /// Assistant only: the message's own JSON in its dialect. The same dialect sends it back verbatim; if it is empty or
  /// of another dialect (`rawDialect`), the fields above are sent instead.
  std::string raw, rawDialect;
};

/// A tool the model may call.
struct ToolDescription {
  std::string name; ///< [A-Za-z0-9_-]{1,64}
  std::string description;
  std::string schema; ///< JSON schema of its arguments
};

struct ChatRequest {
  std::vector<ChatMessage> messages; ///< the system message first
  std::vector<ToolDescription> tools;
  int maxOutputTokens = 0; ///< always sent; reasoning counts in it
  /// Sent only if set: newer models refuse values other than their default.
  std::optional<double> temperature;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> effort; ///< effort of reasoning: "low", "medium", "high", …
  /// The rest of the budget, for a program that spends money itself. Neither recorded nor sent to a server.
  std::optional<double> budgetUsd;
};

/// Tokens as billed. Dialects differ in which counts include others; here counts overlap only for `reasoning` in
/// `output`.
struct ChatUsage {
  std::int64_t freshInput = 0; ///< neither read from nor written to a cache
  std::int64_t cachedInput = 0;
  std::int64_t cacheWrite = 0;
  std::int64_t output = 0;       ///< reasoning included
  std::int64_t reasoning = 0;    ///< part of `output`
  std::optional<double> costUsd; ///< as the provider reports it, without a check: may be below 0
  bool isReported = false;       ///< false: the server said nothing, and the above is zero
  std::int64_t input() const { return freshInput + cachedInput + cacheWrite; }
};

/// Length: cut by the output limit, never to be used. Refused: by the model or a content filter.
enum class ChatFinish { Stop, ToolCalls, Length, Refused };

struct ChatReply {
  ChatMessage message;   ///< the assistant's message; its text without <think> blocks
  std::string reasoning; ///< fields and <think> blocks; may be empty
  ChatFinish finish = ChatFinish::Stop;
  ChatUsage usage;
  std::string model, provider;                ///< as the server names them; may be empty
  std::map<std::string, std::string> headers; ///< the answer's allowed headers: request ids, rate limits
  double firstTokenSeconds = 0, seconds = 0;
};

/// The meaning of an error for the loop; tool/llm/retry.h says how often and how long to wait.
enum class ChatErrorKind {
  Key,       ///< missing, wrong or not allowed: stop
  Money,     ///< no credit or a spending limit: stop
  Model,     ///< unknown, or not on this account: stop
  Request,   ///< the server refuses what we sent, whatever we do: stop
  TooLong,   ///< does not fit the context: shrink once
  Tools,     ///< this model or server takes no tools: fall back to text
  Rate,      ///< wait, retry
  Overload,  ///< the server's: back off, retry
  Network,   ///< no connection, or it broke: back off, retry
  Garbage,   ///< not a valid answer: retry twice
  Cancelled, ///< by us
  Missing,   ///< replay: the recording has no answer to this request
  Bug
};

struct ChatError {
  ChatErrorKind kind = ChatErrorKind::Bug;
  std::string message; ///< the thing and the reason, without secrets; ≤ 4 KB
  std::string next;
  std::optional<double> retryAfterSeconds; ///< the server's wish
  /// Whether the call may have been billed: false only if it never reached a model (refused, unknown, no connection).
  bool maybeBilled = true;
};

template <class T> using ChatResult = std::expected<T, ChatError>;

/// The known facts of a model before the first paid call.
struct ModelFacts {
  std::string model;                   ///< as the server names it
  std::int64_t contextTokens = 0;      ///< of input and output together; 0 = not known
  std::int64_t maxOutputTokens = 0;    ///< 0 = not known
  std::string contextSource;           ///< source of the size: "/props", "user", "built-in table", …
  std::optional<bool> takesTools;      ///< nullopt = not known
  std::optional<double> inputUsd;      ///< a token, as the server lists it
  std::optional<double> outputUsd;     ///< a token
  std::optional<double> cacheReadUsd;  ///< a token
  std::optional<double> cacheWriteUsd; ///< a token
  std::string host;                    ///< the host that gets the requests, with the port if it is given; empty: none
  bool isLocal = false;                ///< runs on this machine and needs no key: not billed
};

/// One model behind one provider. Several threads may be in complete() and requestBody() at once; the rest is for one.
class ChatModel {
public:
  virtual ~ChatModel() = default;
  /// Returns the name as the user wrote it: "openrouter:qwen/qwen3-coder", "command:./agent.sh".
  virtual const std::string &name() const = 0;
  /// Asks the server, at no cost, whether the model is there and how large its context is. Cached after the first time.
  virtual ChatResult<ModelFacts> discover(const std::atomic<bool> *cancelled) = 0;
  /// Returns the bytes that complete() would send as its body, for computing a reservation and for `prompt`.
  virtual std::string requestBody(const ChatRequest &request) const = 0;
  /// Makes one attempt, without a retry. Ends within 0.2 s of `cancelled`. `onText` gets the reply's text as it streams
  /// in.
  virtual ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                         const std::function<void(std::string_view)> &onText) = 0;
  /// Reports an answer that an earlier process of the same run got; for an error only the kind is known. A recording
  /// continues after it.
  virtual void wasGiven(const ChatResult<ChatReply> & /*answer*/) {}
};

} // namespace agentic
