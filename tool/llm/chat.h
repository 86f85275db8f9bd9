// One exchange with a language model, whatever speaks to it: the seam between the conversation (tool/agent) and the
// wire (the dialects beside this file).
//
// Everything is plain data, so that a conversation can be journaled, recorded and replayed. What a model wrote stays as
// it came: several providers refuse a history whose assistant messages were edited.
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

/// What reads the environment for those who may not (only tool/cli does): nullopt = not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string &name)>;

enum class ChatRole { System, User, Assistant, Tool };

/// A call of a tool, as the model made it; nothing is validated.
struct ToolCall {
  std::string id; ///< the provider's; made up by the dialect where it gives none
  std::string name;
  std::string arguments; ///< JSON text, possibly malformed
};

struct ChatMessage {
  ChatRole role = ChatRole::User;
  std::string text;
  std::vector<ToolCall> toolCalls; ///< Assistant only
  std::string toolCallId;          ///< Tool only: which call this answers
  std::string toolName;            ///< Tool only
  /// Assistant only: the message's own JSON in the dialect it came by. Sent back verbatim by the same dialect; empty or
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
  /// Sent only if set: newer models refuse what is not their default.
  std::optional<double> temperature;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> effort; ///< of reasoning: "low", "medium", "high", …
  /// What is left of the budget: for a program that spends money itself. Neither recorded nor sent to a server.
  std::optional<double> budgetUsd;
};

/// Tokens as billed. Dialects differ in what includes what; here nothing overlaps but `reasoning` in `output`.
struct ChatUsage {
  std::int64_t freshInput = 0; ///< neither read from nor written to a cache
  std::int64_t cachedInput = 0;
  std::int64_t cacheWrite = 0;
  std::int64_t output = 0;       ///< reasoning included
  std::int64_t reasoning = 0;    ///< part of `output`
  std::optional<double> costUsd; ///< as the provider reports it, whatever that is: below 0, too
  bool isReported = false;       ///< false: the server said nothing, and the above is zero
  std::int64_t input() const { return freshInput + cachedInput + cacheWrite; }
};

/// Length: cut by the output limit, never to be used. Refused: by the model or a content filter.
enum class ChatFinish { Stop, ToolCalls, Length, Refused };

struct ChatReply {
  ChatMessage message;   ///< of the assistant; its text without <think> blocks
  std::string reasoning; ///< fields and <think> blocks; may be empty
  ChatFinish finish = ChatFinish::Stop;
  ChatUsage usage;
  std::string model, provider;                ///< as the server names them; may be empty
  std::map<std::string, std::string> headers; ///< of the answer, an allow-list: request ids, rate limits
  double firstTokenSeconds = 0, seconds = 0;
};

/// What an error means for the loop; tool/llm/retry.h says how often and how long.
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
  Garbage,   ///< an answer that is none: retry twice
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

/// What is known of a model before the first paid call.
struct ModelFacts {
  std::string model;                   ///< as the server names it
  std::int64_t contextTokens = 0;      ///< of input and output together; 0 = not known
  std::int64_t maxOutputTokens = 0;    ///< 0 = not known
  std::string contextSource;           ///< who said so: "/props", "user", "built-in table", …
  std::optional<bool> takesTools;      ///< nullopt = not known
  std::optional<double> inputUsd;      ///< a token, as the server lists it
  std::optional<double> outputUsd;     ///< a token
  std::optional<double> cacheReadUsd;  ///< a token
  std::optional<double> cacheWriteUsd; ///< a token
  std::string host;                    ///< who is sent the requests, with the port if it is said; empty: nobody
  bool isLocal = false;                ///< runs on this machine and wants no key: nobody bills for it
};

/// One model behind one provider. One call at a time; not thread-safe.
class ChatModel {
public:
  virtual ~ChatModel() = default;
  /// As the user wrote it: "openrouter:qwen/qwen3-coder", "command:./agent.sh".
  virtual const std::string &name() const = 0;
  /// Asks the server, at no cost, whether the model is there and how large its context is. Cached after the first time.
  virtual ChatResult<ModelFacts> discover(const std::atomic<bool> *cancelled) = 0;
  /// The bytes that complete() would send as its body: what a reservation is computed from, and what `prompt` shows.
  virtual std::string requestBody(const ChatRequest &request) const = 0;
  /// One attempt: no retry. Ends within 0.2 s of `cancelled`. `onText` sees the reply's text as it streams in.
  virtual ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                         const std::function<void(std::string_view)> &onText) = 0;
  /// An earlier process of the same run got this answer; of an error only the kind is known. A recording goes on behind
  /// it.
  virtual void wasGiven(const ChatResult<ChatReply> & /*answer*/) {}
};

} // namespace agentic
