// Chat Completions: OpenAI's older format, which nearly every provider and server supports with its own Quirks.
#include "tool/llm/delta.h"
#include "tool/llm/dialect.h"

namespace agentic {
namespace {

const char *roleName(ChatRole role, const Quirks &quirks) {
  switch (role) {
  case ChatRole::System:
    return quirks.systemRole.c_str();
  case ChatRole::User:
    return "user";
  case ChatRole::Assistant:
    return "assistant";
  case ChatRole::Tool:
    return "tool";
  }
  return "user";
}

Json assistantMessage(const ChatMessage &message, const Quirks &quirks) {
  if (Json raw = rawMessage(message, "chat"); raw.is_object()) {
    if (!quirks.plainHistory)
      return raw;
    Json plain = {{"role", "assistant"}, {"content", at(raw, "content")}};
    if (const Json &calls = at(raw, "tool_calls"); !calls.is_null())
      plain["tool_calls"] = calls;
    return plain;
  }
  Json json = {{"role", "assistant"}, {"content", message.text}};
  for (const ToolCall &call : message.toolCalls)
    json["tool_calls"].push_back(
        {{"id", call.id}, {"type", "function"}, {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  return json;
}

Json chatMessage(const ChatMessage &message, const Quirks &quirks) {
  if (message.role == ChatRole::Assistant)
    return assistantMessage(message, quirks);
  Json json = {{"role", roleName(message.role, quirks)}, {"content", message.text}};
  if (message.role == ChatRole::Tool)
    json["tool_call_id"] = message.toolCallId;
  return json;
}

void addEffort(const std::string &effort, const Quirks &quirks, Json &body) {
  if (quirks.effortStyle == "reasoning")
    body["reasoning"] = {{"effort", effort}};
  else if (!quirks.effortStyle.empty())
    body[quirks.effortStyle] = effort;
}

class ChatCompletionsReader : public ReplyReader {
public:
  using ReplyReader::ReplyReader;

protected:
  bool chunk(const Json &chunk, const std::string &) override {
    readCommon(chunk);
    const Json &choice = elementAt(at(chunk, "choices"), 0);
    const Json &delta = at(choice, "delta");
    bool isProgress = false;
    if (delta.is_object()) {
      const std::size_t before = text_.size() + reasoning_.size();
      readText(delta);
      isProgress = text_.size() + reasoning_.size() > before || !at(delta, "tool_calls").is_null();
      merged_.add(delta);
    }
    if (const std::string reason = textAt(choice, "finish_reason"); !reason.empty()) {
      setFinish(reason);
      isProgress = true;
    }
    return isProgress;
  }

  void answer(const Json &body) override {
    readCommon(body);
    const Json &choice = elementAt(at(body, "choices"), 0);
    const Json &message = at(choice, "message");
    if (!message.is_object())
      return;
    readText(message);
    merged_.add(message);
    setFinish(textAt(choice, "finish_reason"));
  }

  void complete() override {
    raw_ = merged_.take();
    raw_["role"] = "assistant";
    Json &calls = raw_["tool_calls"];
    for (std::size_t i = 0; calls.is_array() && i < calls.size(); ++i) {
      Json &call = calls[i];
      if (!call.is_object())
        continue;
      call.erase("index"); // belongs to the stream, not to the message
      const Json &arguments = at(call, {"function", "arguments"});
      calls_.push_back({.id = textAt(call, "id"),
                        .name = textAt(call, {"function", "name"}),
                        .arguments = arguments.is_string() ? arguments.get<std::string>() : dumpWireJson(arguments)});
      if (textAt(call, "id").empty())
        call["id"] = calls_.back().id = "call_" + std::to_string(i + 1);
      if (textAt(call, "type").empty())
        call["type"] = "function";
    }
    if (calls_.empty())
      raw_.erase("tool_calls");
    if (at(raw_, "content").is_null())
      raw_["content"] = calls_.empty() ? Json("") : Json(nullptr);
    if (text_.empty())
      if (const std::string refusal = textAt(raw_, "refusal"); !refusal.empty()) {
        finish_ = ChatFinish::Refused;
        text_ = refusal;
      }
  }

private:
  void readCommon(const Json &json) {
    if (const std::string model = textAt(json, "model"); !model.empty())
      model_ = model;
    if (const std::string provider = textAt(json, "provider"); !provider.empty())
      provider_ = provider;
    if (const Json &usage = at(json, "usage"); usage.is_object())
      readUsage(usage);
  }

  void readText(const Json &part) {
    const Json &content = at(part, "content");
    if (content.is_string())
      addText(content.get_ref<const std::string &>());
    else if (content.is_array()) // Mistral sends parts, some of which are thoughts
      for (const Json &piece : content)
        addText(textAt(piece, "text"));
    for (const char *name : {"reasoning_content", "reasoning", "reasoning_text"}) // some send two copies
      if (const std::string thought = textAt(part, name); !thought.empty()) {
        addReasoning(thought);
        break;
      }
  }

  void readUsage(const Json &usage) {
    const auto first = [&](std::initializer_list<std::initializer_list<std::string_view>> paths) {
      for (const auto &path : paths)
        if (const std::int64_t count = countAt(usage, path))
          return count;
      return std::int64_t{0};
    };
    const std::int64_t prompt = countAt(usage, {"prompt_tokens"});
    usage_.cachedInput = std::min(
        prompt, first({{"prompt_tokens_details", "cached_tokens"}, {"prompt_cache_hit_tokens"}, {"cached_tokens"}}));
    usage_.cacheWrite = std::min(prompt - usage_.cachedInput, first({{"prompt_tokens_details", "cache_write_tokens"}}));
    usage_.freshInput = prompt - usage_.cachedInput - usage_.cacheWrite;
    usage_.output = countAt(usage, {"completion_tokens"});
    usage_.reasoning = std::min(usage_.output, countAt(usage, {"completion_tokens_details", "reasoning_tokens"}));
    usage_.isReported = prompt > 0 || usage_.output > 0;
    if (const auto cost = numberOf(at(usage, "cost")); cost) {
      // A user with a key of their own also pays the upstream provider.
      const auto upstream = numberOf(at(usage, {"cost_details", "upstream_inference_cost"}));
      usage_.costUsd = *cost + (at(usage, "is_byok") == true && upstream && *upstream > 0 ? *upstream : 0);
    }
  }

  DeltaMerge merged_;
};

class ChatCompletions : public Dialect {
public:
  std::string_view name() const override { return "chat"; }
  std::string_view path() const override { return "/chat/completions"; }

  Json body(const ChatRequest &request, const WireOptions &options) const override {
    const Quirks &quirks = options.quirks;
    Json body = {{"model", options.model}, {"messages", Json::array()}, {"stream", options.stream}};
    for (const ChatMessage &message : request.messages)
      body["messages"].push_back(chatMessage(message, quirks));
    body[quirks.maxTokensField] = request.maxOutputTokens;
    if (options.stream && quirks.streamUsage)
      body["stream_options"] = {{"include_usage", true}};
    for (const ToolDescription &tool : request.tools)
      body["tools"].push_back(
          {{"type", "function"},
           {"function", {{"name", tool.name}, {"description", tool.description}, {"parameters", schemaOf(tool)}}}});
    if (request.temperature)
      body["temperature"] = *request.temperature;
    if (request.seed && quirks.sendsSeed)
      body["seed"] = *request.seed;
    if (request.effort)
      addEffort(*request.effort, quirks, body);
    return body;
  }

  std::unique_ptr<ReplyReader> reader(ErrorContext context, ReplyReader::TextHandler onText) const override {
    return std::make_unique<ChatCompletionsReader>(std::move(context), std::move(onText));
  }
};

} // namespace

const Dialect &chatCompletionsDialect() {
  static const ChatCompletions kDialect;
  return kDialect;
}

} // namespace agentic
