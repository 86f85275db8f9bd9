#include "tool/llm/dialect.h"

#include "tool/base/text.h"
#include "tool/llm/think_text.h"

#include <array>

namespace agentic {
namespace {

constexpr std::size_t kMostCalls = 64;

struct FinishWord {
  std::string_view name;
  ChatFinish finish;
};
constexpr FinishWord kFinishWords[] = {
    {"stop", ChatFinish::Stop},
    {"end", ChatFinish::Stop},
    {"eos", ChatFinish::Stop},
    {"end_turn", ChatFinish::Stop},
    {"stop_sequence", ChatFinish::Stop},
    {"pause_turn", ChatFinish::Stop},
    {"completed", ChatFinish::Stop},
    {"tool_calls", ChatFinish::ToolCalls},
    {"function_call", ChatFinish::ToolCalls},
    {"tool_use", ChatFinish::ToolCalls},
    {"length", ChatFinish::Length},
    {"max_tokens", ChatFinish::Length},
    {"max_output_tokens", ChatFinish::Length},
    {"model_context_window_exceeded", ChatFinish::Length},
    {"content_filter", ChatFinish::Refused},
    {"refusal", ChatFinish::Refused},
    {"safety", ChatFinish::Refused},
};

} // namespace

BodyStep ReplyReader::event(const StreamEvent &event) {
  if (error_)
    return BodyStep::Done;
  const std::string_view data = trim(event.data);
  if (data == "[DONE]")
    return BodyStep::Done;
  if (data.empty())
    return BodyStep::Nothing;
  const auto json = parseWireJson(data);
  if (!json) {
    fail(garbageError("an event of the reply is no JSON", data, context_));
    return BodyStep::Done;
  }
  if (isErrorBody(*json)) {
    fail(errorOfBody(200, {}, *json, context_));
    return BodyStep::Done;
  }
  if (firstGarbage_.empty())
    firstGarbage_ = std::string(data.substr(0, 400));
  const bool isProgress = chunk(*json, event.name);
  sawAny_ = sawAny_ || isProgress;
  if (error_ || isDone())
    return BodyStep::Done;
  return isProgress ? BodyStep::Progress : BodyStep::Nothing;
}

void ReplyReader::whole(const Json &body) {
  if (isErrorBody(body)) {
    fail(errorOfBody(200, {}, body, context_));
    return;
  }
  firstGarbage_ = dumpWireJson(body).substr(0, 400);
  answer(body);
}

void ReplyReader::fail(ChatError error) {
  if (!error_)
    error_ = std::move(error);
}

void ReplyReader::addText(std::string_view text) {
  if (text.empty())
    return;
  text_ += text;
  if (onText_)
    onText_(text);
}

void ReplyReader::setFinish(const std::string &name) {
  if (name.empty())
    return;
  for (const FinishWord &row : kFinishWords)
    if (row.name == name) {
      finish_ = row.finish;
      return;
    }
  if (name == "error" || name == "network_error" || name == "cancelled" || name == "failed")
    fail({.kind = ChatErrorKind::Network,
          .message = context_.provider + ": the reply was broken off (" + name + ")",
          .next = "try again later, or continue with --resume"});
  else
    fail(garbageError("the reply ended with an unknown reason", name.substr(0, 100), context_));
}

ChatResult<ChatReply> ReplyReader::finish(std::string_view dialect) {
  if (!error_)
    complete();
  if (!error_ && !finish_ && !sawAny_ && !firstGarbage_.empty())
    fail(garbageError("the answer is no reply of a model", firstGarbage_, context_));
  if (error_)
    return std::unexpected(*error_);
  if (!finish_)
    return std::unexpected(cutStreamError(context_));
  if (calls_.size() > kMostCalls)
    return std::unexpected(garbageError("more than 64 tool calls in one reply", {}, context_));

  ChatReply reply;
  reply.finish = *finish_;
  if (!calls_.empty() && reply.finish == ChatFinish::Stop) // some servers say Stop although there are calls
    reply.finish = ChatFinish::ToolCalls;
  SplitThought split = splitThought(text_);
  reply.message = {.role = ChatRole::Assistant, .text = std::move(split.text), .toolCalls = std::move(calls_)};
  reply.reasoning = reasoning_ + (reasoning_.empty() || split.thought.empty() ? "" : "\n") + split.thought;
  reply.message.raw = dumpWireJson(raw_);
  reply.message.rawDialect = dialect;
  reply.usage = usage_;
  reply.model = model_;
  reply.provider = provider_;
  const bool isEmpty = trim(reply.message.text).empty() && reply.message.toolCalls.empty();
  if (isEmpty && reply.finish != ChatFinish::Length && reply.finish != ChatFinish::Refused)
    return std::unexpected(garbageError("the reply is empty", reply.reasoning, context_));
  for (std::size_t i = 0; i < reply.message.toolCalls.size(); ++i)
    if (ToolCall &call = reply.message.toolCalls[i]; call.id.empty())
      call.id = "call_" + std::to_string(i + 1);
  return reply;
}

std::vector<std::pair<std::string, std::string>> Dialect::headers(const std::string &key,
                                                                  const WireOptions &options) const {
  std::vector<std::pair<std::string, std::string>> headers = {{"Content-Type", "application/json"},
                                                              {"Accept", !options.stream  ? "application/json"
                                                                         : streamsLines() ? "application/x-ndjson"
                                                                                          : "text/event-stream"}};
  if (!key.empty()) {
    if (options.quirks.keyInXApiKey)
      headers.emplace_back("x-api-key", key);
    else
      headers.emplace_back("Authorization", "Bearer " + key);
  }
  return headers;
}

const Dialect *dialectNamed(std::string_view name) {
  for (const Dialect *dialect : {&chatCompletionsDialect(), &ollamaDialect(), &anthropicDialect(), &responsesDialect()})
    if (dialect->name() == name)
      return dialect;
  return nullptr;
}

Json rawMessage(const ChatMessage &message, std::string_view dialect) {
  if (message.raw.empty() || message.rawDialect != dialect)
    return nullptr;
  return parseWireJson(message.raw).value_or(nullptr);
}

Json schemaOf(const ToolDescription &tool) {
  const auto schema = parseWireJson(tool.schema);
  return schema && schema->is_object() ? *schema : Json{{"type", "object"}, {"properties", Json::object()}};
}

} // namespace agentic
