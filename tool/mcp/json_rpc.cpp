#include "tool/mcp/json_rpc.h"

#include <utility>

namespace agentic::mcp {
namespace {

Incoming invalid(int code, std::string message, Json id = nullptr) {
  Incoming incoming;
  incoming.id = std::move(id);
  incoming.error = {code, std::move(message)};
  return incoming;
}

/// Returns whether brackets outside strings nest deeper than kMostDepth. The parser itself does not recurse, but
/// copies of its result do.
bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool isInString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isInString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        isInString = false;
    } else if (c == '"') {
      isInString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostDepth)
        return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

bool isId(const Json &id) {
  return id.is_number_integer() || (id.is_string() && id.get_ref<const std::string &>().size() <= kMostIdBytes);
}

Incoming readMessage(const Json &message) {
  if (!message.is_object())
    return invalid(kInvalidRequest, "a message is a JSON object");
  const auto idAt = message.find("id"), methodAt = message.find("method");
  const bool hasId = idAt != message.end();
  const Json id = hasId && isId(*idAt) ? *idAt : Json(nullptr);
  if (message.value("jsonrpc", Json()) != "2.0")
    return invalid(kInvalidRequest, "'jsonrpc' is \"2.0\" in every message", id);
  if (methodAt == message.end() && (message.contains("result") || message.contains("error"))) {
    Incoming response;
    response.kind = Incoming::Kind::Response;
    response.id = id;
    return response;
  }
  if (methodAt == message.end() || !methodAt->is_string())
    return invalid(kInvalidRequest, "'method' is the name of a method", id);
  if (hasId && !isId(*idAt))
    return invalid(kInvalidRequest, "'id' is an integer, or a string of at most 1024 bytes");
  Incoming incoming;
  incoming.kind = hasId ? Incoming::Kind::Request : Incoming::Kind::Notification;
  incoming.id = id;
  incoming.method = methodAt->get<std::string>();
  if (const auto params = message.find("params"); params != message.end() && !params->is_null()) {
    if (!params->is_object())
      return hasId ? invalid(kInvalidParams, "'params' is an object", id)
                   : invalid(kInvalidRequest, "'params' is an object");
    incoming.params = *params;
  }
  return incoming;
}

} // namespace

IncomingLine readLine(std::string_view line) {
  if (line.size() > kMostLineBytes)
    return {false, {invalid(tooLong().code, tooLong().message)}};
  if (isTooDeep(line))
    return {false, {invalid(kInvalidRequest, "the message nests deeper than 64 arrays and objects")}};
  const Json message = Json::parse(line, nullptr, false);
  if (message.is_discarded())
    return {false, {invalid(kParseError, "the line is no JSON in UTF-8; one message is one line")}};
  if (!message.is_array())
    return {false, {readMessage(message)}};
  if (message.empty() || message.size() > kMostBatch)
    return {false, {invalid(kInvalidRequest, "a batch holds 1 to 64 messages")}};
  IncomingLine batch{true, {}};
  for (const Json &one : message)
    batch.messages.push_back(readMessage(one));
  return batch;
}

RpcError tooLong() {
  return {kInvalidRequest, "the line is longer than 4 MiB"};
}

Json resultMessage(const Json &id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json errorMessage(const Json &id, const RpcError &error) {
  Json body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null())
    body["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

Json notification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

std::string lineOf(const Json &message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace agentic::mcp
