#include "tool/llm/chat_json.h"

#include "tool/llm/retry.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

using nlohmann::json;

template <class E> struct Word {
  E value;
  const char *text;
};
constexpr Word<ChatRole> kRoles[] = {{ChatRole::System, "system"},
                                     {ChatRole::User, "user"},
                                     {ChatRole::Assistant, "assistant"},
                                     {ChatRole::Tool, "tool"}};
constexpr Word<ChatFinish> kFinishes[] = {{ChatFinish::Stop, "stop"},
                                          {ChatFinish::ToolCalls, "tool_calls"},
                                          {ChatFinish::Length, "length"},
                                          {ChatFinish::Refused, "refused"}};

template <class E, std::size_t N> const char *wordOf(const Word<E> (&words)[N], E value) {
  for (const Word<E> &word : words)
    if (word.value == value)
      return word.text;
  return "";
}

template <class E, std::size_t N> E valueOf(const Word<E> (&words)[N], const std::string &text, E otherwise) {
  for (const Word<E> &word : words)
    if (text == word.text)
      return word.value;
  return otherwise;
}

std::string text(const json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number(const json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

std::int64_t count(const json &object, const char *name) {
  const double value = number(object, name);
  return std::isfinite(value) && value > 0 ? static_cast<std::int64_t>(std::min(value, 1e15)) : 0;
}

json messageJson(const ChatMessage &message) {
  json value = {{"role", roleName(message.role)}, {"content", message.text}};
  for (const ToolCall &call : message.toolCalls)
    value["tool_calls"].push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  if (message.role == ChatRole::Tool)
    value["tool_call_id"] = message.toolCallId, value["tool_name"] = message.toolName;
  return value;
}

} // namespace

const char *roleName(ChatRole role) {
  return wordOf(kRoles, role);
}
const char *finishName(ChatFinish finish) {
  return wordOf(kFinishes, finish);
}
json requestJson(const ChatRequest &request) {
  json value = {{"messages", json::array()}, {"max_output_tokens", request.maxOutputTokens}};
  for (const ChatMessage &message : request.messages)
    value["messages"].push_back(messageJson(message));
  for (const ToolDescription &tool : request.tools) {
    json schema = json::parse(tool.schema, nullptr, false);
    value["tools"].push_back({{"name", tool.name},
                              {"description", tool.description},
                              {"parameters", schema.is_discarded() ? json(tool.schema) : std::move(schema)}});
  }
  if (request.temperature)
    value["temperature"] = *request.temperature;
  if (request.seed)
    value["seed"] = *request.seed;
  if (request.effort)
    value["effort"] = *request.effort;
  return value;
}

json usageJson(const ChatUsage &usage) {
  json value = {{"input_tokens", usage.freshInput},
                {"cached_input_tokens", usage.cachedInput},
                {"cache_write_tokens", usage.cacheWrite},
                {"output_tokens", usage.output},
                {"reasoning_tokens", usage.reasoning}};
  if (usage.costUsd)
    value["cost_usd"] = *usage.costUsd;
  return value;
}

ChatUsage usageFrom(const json &value) {
  ChatUsage usage;
  if (!value.is_object())
    return usage;
  usage.freshInput = count(value, "input_tokens");
  usage.cachedInput = count(value, "cached_input_tokens");
  usage.cacheWrite = count(value, "cache_write_tokens");
  usage.output = count(value, "output_tokens");
  usage.reasoning = count(value, "reasoning_tokens");
  if (const double cost = number(value, "cost_usd"); value.contains("cost_usd") && std::isfinite(cost))
    usage.costUsd = cost;
  usage.isReported = std::ranges::any_of(value, [](const json &element) { return element.is_number(); });
  return usage;
}

json replyJson(const ChatReply &reply) {
  json value = {{"text", reply.message.text},
                {"reasoning", reply.reasoning},
                {"finish", finishName(reply.finish)},
                {"model", reply.model},
                {"provider", reply.provider},
                {"headers", reply.headers},
                {"first_token_seconds", reply.firstTokenSeconds},
                {"seconds", reply.seconds}};
  if (reply.usage.isReported)
    value["usage"] = usageJson(reply.usage);
  for (const ToolCall &call : reply.message.toolCalls)
    value["tool_calls"].push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  if (!reply.message.raw.empty())
    value["raw"] = reply.message.raw, value["raw_dialect"] = reply.message.rawDialect;
  return value;
}

Result<ChatReply> replyFrom(const json &value, std::string_view what) {
  if (!value.is_object() || !value.contains("text") || !value.contains("finish"))
    return userError(std::string(what) + " is no reply of a model", "delete it if it was changed by hand");
  ChatReply reply;
  reply.message.role = ChatRole::Assistant;
  reply.message.text = text(value, "text");
  reply.message.raw = text(value, "raw");
  reply.message.rawDialect = text(value, "raw_dialect");
  reply.reasoning = text(value, "reasoning");
  // An unknown finish makes the reply unusable.
  reply.finish = valueOf(kFinishes, text(value, "finish"), ChatFinish::Length);
  reply.model = text(value, "model");
  reply.provider = text(value, "provider");
  reply.firstTokenSeconds = number(value, "first_token_seconds");
  reply.seconds = number(value, "seconds");
  if (const auto usage = value.find("usage"); usage != value.end())
    reply.usage = usageFrom(*usage);
  if (const auto headers = value.find("headers"); headers != value.end() && headers->is_object())
    for (const auto &[name, header] : headers->items())
      if (header.is_string())
        reply.headers[name] = header.get<std::string>();
  if (const auto calls = value.find("tool_calls"); calls != value.end() && calls->is_array())
    for (const json &call : *calls)
      if (call.is_object())
        reply.message.toolCalls.push_back({text(call, "id"), text(call, "name"), text(call, "arguments")});
  return reply;
}

json errorJson(const ChatError &error) {
  json value = {{"kind", chatErrorKindName(error.kind)},
                {"message", error.message},
                {"next", error.next},
                {"maybe_billed", error.maybeBilled}};
  if (error.retryAfterSeconds)
    value["retry_after_seconds"] = *error.retryAfterSeconds;
  return value;
}

ChatError errorFrom(const json &value) {
  if (!value.is_object())
    return {ChatErrorKind::Bug, "a recorded error that cannot be read", "record it anew", std::nullopt, true};
  ChatError error{chatErrorKindOf(text(value, "kind")), text(value, "message"), text(value, "next"), std::nullopt,
                  true};
  if (const auto billed = value.find("maybe_billed"); billed != value.end() && billed->is_boolean())
    error.maybeBilled = billed->get<bool>();
  if (value.contains("retry_after_seconds"))
    error.retryAfterSeconds = number(value, "retry_after_seconds");
  return error;
}

std::string dumpLine(const json &value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace agentic
