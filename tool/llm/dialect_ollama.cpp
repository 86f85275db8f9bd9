// Ollama's own /api/chat: only it lets a request set the context's size, and forbid silent cuts.
#include "tool/llm/dialect.h"

#include "tool/llm/chat_json.h"

#include <algorithm>

namespace agentic {
namespace {

/// Ollama needs objects; arguments that are none go as the original text.
Json argumentsOf(const ToolCall &call) {
  const auto json = parseWireJson(call.arguments);
  return json && json->is_object() ? *json : Json{{"text", call.arguments}};
}

Json ollamaMessage(const ChatMessage &message) {
  if (message.role == ChatRole::Assistant)
    if (Json raw = rawMessage(message, "ollama"); raw.is_object())
      return raw;
  Json json = {{"role", roleName(message.role)}, {"content", message.text}};
  for (const ToolCall &call : message.toolCalls)
    json["tool_calls"].push_back({{"function", {{"name", call.name}, {"arguments", argumentsOf(call)}}}});
  if (message.role == ChatRole::Tool)
    json["tool_name"] = message.toolName;
  return json;
}

class OllamaReader : public ReplyReader {
public:
  using ReplyReader::ReplyReader;

protected:
  bool chunk(const Json &chunk, const std::string &) override {
    if (const std::string model = textAt(chunk, "model"); !model.empty())
      model_ = model;
    const Json &message = at(chunk, "message");
    const std::string text = textAt(message, "content");
    std::string thought = textAt(message, "thinking");
    if (thought.empty())
      thought = textAt(message, "reasoning_content");
    addText(text);
    addReasoning(thought);
    bool hasCalls = false;
    if (const Json &calls = at(message, "tool_calls"); calls.is_array())
      for (const Json &call : calls)
        hasCalls |= addCall(call);
    if (at(chunk, "done") == true)
      readEnd(chunk);
    return !text.empty() || !thought.empty() || hasCalls || finish_.has_value();
  }

  void answer(const Json &body) override { chunk(body, {}); }

  void complete() override {
    raw_ = {{"role", "assistant"}, {"content", text_}};
    if (!reasoning_.empty())
      raw_["thinking"] = reasoning_;
    if (!rawCalls_.empty())
      raw_["tool_calls"] = rawCalls_;
  }

  bool isDone() const override { return finish_.has_value(); }

private:
  bool addCall(const Json &call) {
    const Json &function = at(call, "function");
    if (!function.is_object() || rawCalls_.size() > 64)
      return false;
    rawCalls_.push_back(call);
    const Json &arguments = at(function, "arguments");
    calls_.push_back({.id = textAt(call, "id"),
                      .name = textAt(function, "name"),
                      .arguments = arguments.is_string() ? arguments.get<std::string>() : dumpWireJson(arguments)});
    return true;
  }

  void readEnd(const Json &chunk) {
    const std::string reason = textAt(chunk, "done_reason");
    // "load" and "unload" answer requests without messages: nothing was generated.
    setFinish(reason.empty() ? "stop" : reason);
    usage_.freshInput = countAt(chunk, {"prompt_eval_count"});
    usage_.output = countAt(chunk, {"eval_count"});
    usage_.isReported = usage_.freshInput > 0 || usage_.output > 0;
  }

  std::vector<Json> rawCalls_;
};

class Ollama : public Dialect {
public:
  std::string_view name() const override { return "ollama"; }
  std::string_view path() const override { return "/api/chat"; }
  bool streamsLines() const override { return true; }

  Json body(const ChatRequest &request, const WireOptions &options) const override {
    Json body = {
        {"model", options.model}, {"messages", Json::array()}, {"stream", options.stream},
        {"truncate", false}, // rejects what does not fit instead of dropping the oldest messages
        {"shift", false},         {"keep_alive", "30m"},       {"options", {{"num_predict", request.maxOutputTokens}}}};
    for (const ChatMessage &message : request.messages)
      body["messages"].push_back(ollamaMessage(message));
    if (options.contextTokens > 0)
      body["options"]["num_ctx"] = options.contextTokens; // another number reloads the model, so a run keeps one
    if (request.temperature)
      body["options"]["temperature"] = *request.temperature;
    if (request.seed)
      body["options"]["seed"] = *request.seed;
    if (request.effort)
      body["think"] = *request.effort;
    for (const ToolDescription &tool : request.tools)
      body["tools"].push_back(
          {{"type", "function"},
           {"function", {{"name", tool.name}, {"description", tool.description}, {"parameters", schemaOf(tool)}}}});
    return body;
  }

  std::unique_ptr<ReplyReader> reader(ErrorContext context, ReplyReader::TextHandler onText) const override {
    return std::make_unique<OllamaReader>(std::move(context), std::move(onText));
  }
};

} // namespace

const Dialect &ollamaDialect() {
  static const Ollama kDialect;
  return kDialect;
}

} // namespace agentic
