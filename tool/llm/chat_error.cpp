#include "tool/llm/chat_error.h"

#include "tool/base/text.h"
#include "tool/llm/retry_after.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostText = 4000;

/// The parts of an error, wherever its provider puts them.
struct ErrorFacts {
  int status = 0;
  std::string code, type, text; ///< code and type in lower case
  std::string all;              ///< everything it says, in lower case
  std::optional<double> retryAfter;
  std::string shouldRetry; ///< value of x-should-retry
};

std::string cut(std::string_view text, std::size_t most = kMostText) {
  return std::string(text.substr(0, most));
}

/// Returns the object that describes the error, or the text in its place.
const Json &errorObject(const Json &body) {
  if (body.is_array())
    return errorObject(elementAt(body, 0));
  if (const Json &error = at(body, "error"); !error.is_null())
    return error;
  if (const Json &error = at(body, {"response", "error"}); !error.is_null())
    return error;
  return body;
}

int statusIn(const Json &error) {
  for (const char *name : {"code", "status", "status_code", "http_status"})
    if (const std::int64_t value = countAt(error, {name}); value >= 400 && value < 600)
      return static_cast<int>(value);
  return 0;
}

ErrorFacts readFacts(int status, const HttpHeaders &headers, const Json &body, std::int64_t now) {
  const Json &error = errorObject(body);
  ErrorFacts facts;
  facts.status = status >= 300 ? status : statusIn(error);
  facts.text = error.is_string() ? error.get<std::string>() : textAt(error, "message");
  if (facts.text.empty())
    facts.text = textAt(error, "detail");
  if (facts.text.empty())
    facts.text = dumpWireJson(error);
  facts.code = lowered(textAt(error, "code"));
  facts.type = lowered(textAt(error, "type"));
  for (const auto &path : {std::pair("metadata", "error_type"), std::pair("details", "error_code")})
    if (const std::string text = textAt(error, {path.first, path.second}); !text.empty())
      facts.code += " " + lowered(text);
  facts.all = lowered(cut(facts.code + " " + facts.type + " " + textAt(error, "status") + " " + facts.text + " " +
                          textAt(error, {"metadata", "raw"})));
  facts.retryAfter = retryAfterSeconds(headers, now);
  if (!facts.retryAfter)
    if (const auto wait = numberOf(at(error, {"availability", "retry_after"})); wait && *wait >= 0)
      facts.retryAfter = *wait;
  if (const auto found = headers.find("x-should-retry"); found != headers.end())
    facts.shouldRetry = lowered(found->second);
  return facts;
}

/// The first row with a phrase that occurs decides; statuses decide only if no phrase does. Phrases are separated by
/// '|'; a '*' matches up to kGap characters.
struct PhraseRow {
  ChatErrorKind kind;
  int status; ///< 0 = any
  std::string_view phrases;
};
constexpr std::size_t kGap = 200;
constexpr PhraseRow kPhrases[] = {
    // Money comes first: several providers send it as 429, which would else be retried.
    {ChatErrorKind::Money, 0, "insufficient_quota|insufficient balance|insufficient_balance|insufficient credit"},
    {ChatErrorKind::Money, 0, "insufficient_credit|insufficient funds|insufficient_funds|credit_balance_exhausted"},
    {ChatErrorKind::Money, 0, "spend_limit|spending_limit|project_spend|organization_*limit_exceeded|billing"},
    {ChatErrorKind::Money, 0, "exceeded your current quota|credit balance is too low|requires more credits"},
    {ChatErrorKind::Money, 0, "payment required|payment_required"},
    {ChatErrorKind::TooLong, 0,
     "context_length_exceeded|exceed_context_size|request_too_large|context_window_exceeded"},
    {ChatErrorKind::TooLong, 0,
     "prompt is too long|prompt too long|input is too long|input too long|too many input tokens"},
    {ChatErrorKind::TooLong, 0, "prompt is too large|input is too large|maximum context length|context length*exceed"},
    {ChatErrorKind::TooLong, 0, "context window*exceed|context size*exceed|context length*limit|context window*limit"},
    {ChatErrorKind::TooLong, 0, "exceeds the available context|exceeds the maximum context|exceeds the context"},
    {ChatErrorKind::TooLong, 0, "exceed the context|exceeds maximum context|exceeds context|exceeds the model*context"},
    {ChatErrorKind::TooLong, 0, "tokens to keep from the initial prompt|input token count*exceed|reduce the length"},
    {ChatErrorKind::TooLong, 0,
     "maximum prompt length|maximum input length|exceeds the maximum*tokens|exceeds the limit of*tokens"},
    {ChatErrorKind::Tools, 0,
     "does not support tool|does not support function|enable-auto-tool-choice|tool-call-parser"},
    {ChatErrorKind::Tools, 0, "function tools with reasoning_effort|no endpoints found that support tool use"},
    {ChatErrorKind::Tools, 400, "tools are not supported|tool use is not supported|tool calling is not supported"},
    {ChatErrorKind::Tools, 400, "tool calls are not supported|tools are not enabled|tools are not available"},
    {ChatErrorKind::Tools, 400,
     "requires --jinja|tool_choice*not supported|tool_choice*not allowed|unsupported*'tools'"},
    {ChatErrorKind::Model, 0, "model_not_found|no_endpoints|unknown model|invalid model|model_not_available"},
    {ChatErrorKind::Model, 0, "model *not found|model *does not exist|model *is not a valid|model *is not available"},
    {ChatErrorKind::Model, 0, "model *is not supported"},
    {ChatErrorKind::Model, 404, "no endpoints found|not found*pull"},
    {ChatErrorKind::Key, 0,
     "invalid_api_key|authentication_error|api key not valid|incorrect api key|invalid x-api-key"},
    {ChatErrorKind::Key, 0, "permission_error|permission_denied|unauthenticated|no auth credentials"},
    {ChatErrorKind::Rate, 0, "rate_limit|rate limit|too many requests|resource_exhausted"},
    {ChatErrorKind::Overload, 0, "overloaded|slow_down|server_error|api_error|internal error|temporarily unavailable"},
    {ChatErrorKind::Overload, 0,
     "server busy|loading model|queue full|timeout|timed out|service unavailable|no capacity"},
};

bool says(std::string_view text, std::string_view phrase) {
  const std::size_t star = phrase.find('*');
  const std::string_view begin = phrase.substr(0, star);
  if (star == std::string_view::npos)
    return text.contains(begin);
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string_view::npos; ++at)
    if (text.substr(at + begin.size(), kGap + phrase.size()).contains(phrase.substr(star + 1)))
      return true;
  return false;
}

std::optional<ChatErrorKind> kindOfText(const ErrorFacts &facts) {
  for (const PhraseRow &row : kPhrases) {
    if (row.status != 0 && row.status != facts.status)
      continue;
    std::string_view rest = row.phrases;
    while (!rest.empty()) {
      const std::string_view phrase = rest.substr(0, rest.find('|'));
      if (says(facts.all, phrase))
        return row.kind;
      rest.remove_prefix(std::min(rest.size(), phrase.size() + 1));
    }
  }
  return std::nullopt;
}

ChatErrorKind kindOfStatus(int status) {
  switch (status) {
  case 401:
  case 403:
  case 407:
    return ChatErrorKind::Key;
  case 402:
    return ChatErrorKind::Money;
  case 404:
  case 410:
    return ChatErrorKind::Model;
  case 413:
    return ChatErrorKind::TooLong;
  case 429:
    return ChatErrorKind::Rate;
  case 408:
  case 409:
  case 425:
    return ChatErrorKind::Overload;
  default:
    break;
  }
  if (status >= 500 || status == 0) // 0: an error inside a success that names no status
    return ChatErrorKind::Overload;
  return ChatErrorKind::Request;
}

bool isTransient(ChatErrorKind kind) {
  return kind == ChatErrorKind::Rate || kind == ChatErrorKind::Overload;
}

ChatErrorKind kindOf(const ErrorFacts &facts) {
  // A provider that is out of money for a moment says when to come back (402 with Retry-After); 429s about money
  // without that are final.
  if (facts.status == 402)
    return facts.retryAfter ? ChatErrorKind::Rate : ChatErrorKind::Money;
  ChatErrorKind kind = kindOfStatus(facts.status);
  if (facts.status == 401 || facts.status == 403 || facts.status == 413)
    return kind;
  if (const auto said = kindOfText(facts)) {
    // The text of a refusal never makes a broken server's status final.
    const bool isFinal = !isTransient(*said);
    if (facts.status < 500 || *said == ChatErrorKind::TooLong || !isFinal)
      kind = *said;
  }
  if (facts.shouldRetry == "false" && isTransient(kind))
    return ChatErrorKind::Request;
  if (facts.shouldRetry == "true" && kind == ChatErrorKind::Request)
    return ChatErrorKind::Overload;
  return kind;
}

std::string who(const ErrorContext &context) {
  return context.provider.empty() ? "the server" : context.provider;
}

std::string advice(ChatErrorKind kind, const ErrorContext &context) {
  switch (kind) {
  case ChatErrorKind::Key:
    return context.keyName.empty() ? "check what the server asks for" : "check the value of " + context.keyName;
  case ChatErrorKind::Money:
    return "add credit or raise the limit at " + who(context) + ", or choose another model";
  case ChatErrorKind::Model:
    return "check the model's name and the address";
  case ChatErrorKind::TooLong:
    return "use a shorter history or a model with a larger context";
  case ChatErrorKind::Tools:
    return "use the text protocol";
  case ChatErrorKind::Rate:
  case ChatErrorKind::Overload:
  case ChatErrorKind::Network:
    return "try again later, or continue with --resume";
  default:
    return "check that the model and the address belong together";
  }
}

ChatError make(ChatErrorKind kind, const std::string &message, const ErrorContext &context) {
  return {.kind = kind, .message = cut(message), .next = advice(kind, context)};
}

ChatError errorOfFacts(const ErrorFacts &facts, bool insideSuccess, const ErrorContext &context) {
  const ChatErrorKind kind = kindOf(facts);
  const std::string status = facts.status ? " " + std::to_string(facts.status) : "";
  const std::string text = trim(facts.text).empty() ? "without a reason" : std::string(trim(facts.text));
  ChatError error = make(kind, who(context) + " answered with an error" + status + ": " + text, context);
  error.retryAfterSeconds = facts.retryAfter;
  const bool isRefusal =
      (facts.status >= 400 && facts.status < 500 && facts.status != 408) || facts.status == 503 || facts.status == 529;
  error.maybeBilled = insideSuccess || !isRefusal;
  return error;
}

} // namespace

bool isErrorBody(const Json &body) {
  if (body.is_array())
    return !body.empty() && body[0].is_object() && isErrorBody(body[0]);
  if (const Json &error = at(body, "error"); !error.is_null() && error != false && error != "")
    return true;
  return textAt(body, "object") == "error" || textAt(body, "type") == "error";
}

ChatError errorOfBody(int status, const HttpHeaders &headers, const Json &body, const ErrorContext &context) {
  return errorOfFacts(readFacts(status, headers, body, context.unixTime), status < 300, context);
}

ChatError errorOfAnswer(int status, const HttpHeaders &headers, std::string_view body, const ErrorContext &context) {
  if (status >= 300 && status < 400) {
    ChatError error =
        make(ChatErrorKind::Request,
             who(context) + " redirects to another address (status " + std::to_string(status) + ")", context);
    error.next = "give the address that it redirects to; redirects are not followed, because the key would go along";
    error.maybeBilled = false;
    return error;
  }
  if (const auto json = parseWireJson(body); json && !json->is_null())
    return errorOfBody(status, headers, *json, context);
  const std::string text = cut(trim(body), 300);
  return errorOfBody(status, headers, Json{{"error", {{"message", text}}}}, context);
}

ChatError errorOfOutcome(const HttpOutcome &outcome, const ErrorContext &context) {
  const std::string place = who(context) + (context.baseUrl.empty() ? "" : " (" + context.baseUrl + ")");
  ChatError error = make(ChatErrorKind::Network, place + ": " + outcome.reason, context);
  switch (outcome.end) {
  case HttpEnd::Cancelled:
    error = {.kind = ChatErrorKind::Cancelled, .message = "the call of " + place + " was cancelled", .next = {}};
    break;
  case HttpEnd::NotSent:
    error.next = "check that the server runs and the address is right";
    error.maybeBilled = false;
    break;
  case HttpEnd::TooLarge:
    error.kind = ChatErrorKind::Garbage;
    break;
  case HttpEnd::Unacceptable:
    error.kind = ChatErrorKind::Request;
    error.next = "check the address, and for a certificate of your own SSL_CERT_FILE";
    error.maybeBilled = false;
    break;
  default:
    break;
  }
  return error;
}

ChatError garbageError(const std::string &what, std::string_view excerpt, const ErrorContext &context) {
  const std::string shown = std::string(trim(excerpt));
  return make(ChatErrorKind::Garbage,
              who(context) + ": " + what + (shown.empty() ? "" : ", which begins with: " + cut(shown, 3500)), context);
}

ChatError cutStreamError(const ErrorContext &context) {
  return make(ChatErrorKind::Network, who(context) + ": the reply ended before it was complete", context);
}

} // namespace agentic
