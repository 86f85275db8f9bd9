// Anthropic's Messages: the system prompt is separate, contents are lists of blocks, caching must be requested, and
// signed thinking blocks go back exactly as they came.
#include "tool/llm/dialect.h"

#include <map>

namespace agentic {
namespace {

Json textBlock(const std::string &text) {
  return {{"type", "text"}, {"text", text}};
}

Json assistantBlocks(const ChatMessage &message) {
  if (Json raw = rawMessage(message, "anthropic"); raw.is_array() && !raw.empty())
    return raw;
  Json blocks = Json::array();
  if (!message.text.empty() || message.toolCalls.empty())
    blocks.push_back(textBlock(message.text.empty() ? "(nothing)" : message.text)); // empty texts are rejected
  for (const ToolCall &call : message.toolCalls) {
    const auto input = parseWireJson(call.arguments);
    blocks.push_back({{"type", "tool_use"},
                      {"id", call.id},
                      {"name", call.name},
                      {"input", input && input->is_object() ? *input : Json{{"text", call.arguments}}}});
  }
  return blocks;
}

Json userBlock(const ChatMessage &message) {
  if (message.role == ChatRole::Tool)
    return {{"type", "tool_result"}, {"tool_use_id", message.toolCallId}, {"content", message.text}};
  return textBlock(message.text);
}

/// Returns messages with alternating roles: neighbours of one role become one.
Json messagesOf(const ChatRequest &request) {
  Json messages = Json::array();
  for (const ChatMessage &message : request.messages) {
    if (message.role == ChatRole::System)
      continue;
    const char *role = message.role == ChatRole::Assistant ? "assistant" : "user";
    if (messages.empty() || messages.back()["role"] != role)
      messages.push_back({{"role", role}, {"content", Json::array()}});
    Json &content = messages.back()["content"];
    if (message.role == ChatRole::Assistant)
      for (const Json &block : assistantBlocks(message))
        content.push_back(block);
    else
      content.push_back(userBlock(message));
  }
  return messages;
}

const Json &cacheHere() {
  static const Json kHere = {{"type", "ephemeral"}};
  return kHere;
}

class AnthropicReader : public ReplyReader {
public:
  using ReplyReader::ReplyReader;

protected:
  bool chunk(const Json &chunk, const std::string &) override {
    const std::string type = textAt(chunk, "type");
    const std::int64_t index = countAt(chunk, {"index"});
    if (type == "message_start") {
      readMessage(at(chunk, "message"));
      return false;
    }
    if (type == "content_block_start" && blocks_.size() < kMostBlocks) {
      blocks_[index].json = at(chunk, "content_block");
      addText(textAt(chunk, {"content_block", "text"}));
      return true;
    }
    if (type == "content_block_delta")
      return readDelta(index, at(chunk, "delta"));
    if (type == "message_delta") {
      setFinish(textAt(chunk, {"delta", "stop_reason"}));
      readUsage(at(chunk, "usage"));
      return true;
    }
    if (type == "message_stop")
      stopped_ = true;
    return false; // ping, and event types that do not exist yet
  }

  void answer(const Json &body) override {
    readMessage(body);
    const Json &content = at(body, "content");
    if (!content.is_array())
      return;
    std::int64_t index = 0;
    for (const Json &block : content) {
      if (index >= static_cast<std::int64_t>(kMostBlocks))
        break;
      blocks_[index++].json = block;
      addText(textAt(block, "text"));
    }
    setFinish(textAt(body, "stop_reason"));
  }

  bool isDone() const override { return stopped_; }

  void complete() override {
    if (!blocks_.empty() || finish_)
      raw_ = Json::array();
    for (auto &[index, block] : blocks_) {
      if (!block.json.is_object())
        continue;
      const std::string type = textAt(block.json, "type");
      if (type == "tool_use")
        finishCall(block);
      if (type == "thinking")
        addReasoning(textAt(block.json, "thinking"));
      if (type != "text" || !textAt(block.json, "text").empty()) // empty texts are rejected when they come back
        raw_.push_back(block.json);
    }
  }

private:
  static constexpr std::size_t kMostBlocks = 1024;
  struct Block {
    Json json;
    std::string input; ///< arguments of a tool call, as they stream in
  };

  bool readDelta(std::int64_t index, const Json &delta) {
    const auto found = blocks_.find(index);
    if (found == blocks_.end() || !found->second.json.is_object())
      return false;
    Json &block = found->second.json;
    const std::string type = textAt(delta, "type");
    const auto append = [&](const char *name) {
      const std::string piece = textAt(delta, name);
      Json &whole = block[name];
      if (!whole.is_string())
        whole = "";
      whole.get_ref<std::string &>() += piece;
      return piece;
    };
    if (type == "text_delta")
      addText(append("text"));
    else if (type == "thinking_delta")
      append("thinking");
    else if (type == "signature_delta")
      append("signature");
    else if (type == "input_json_delta")
      found->second.input += textAt(delta, "partial_json");
    return true;
  }

  void finishCall(Block &block) {
    std::string arguments = block.input.empty() ? dumpWireJson(at(block.json, "input")) : block.input;
    if (!block.input.empty()) // a text that is not JSON cannot go back, so it is wrapped
      block.json["input"] = parseWireJson(block.input).value_or(Json{{"text", block.input}});
    calls_.push_back(
        {.id = textAt(block.json, "id"), .name = textAt(block.json, "name"), .arguments = std::move(arguments)});
  }

  void readMessage(const Json &message) {
    model_ = textAt(message, "model");
    readUsage(at(message, "usage"));
  }

  /// Usage comes at the start and again, more complete, at the end.
  void readUsage(const Json &usage) {
    if (!usage.is_object())
      return;
    const auto update = [&](std::int64_t &value, std::string_view name) {
      if (at(usage, name).is_number())
        value = countAt(usage, {name});
    };
    update(usage_.freshInput, "input_tokens"); // without cached tokens, unlike elsewhere
    update(usage_.cachedInput, "cache_read_input_tokens");
    update(usage_.cacheWrite, "cache_creation_input_tokens");
    update(usage_.output, "output_tokens");
    usage_.isReported = usage_.input() > 0 || usage_.output > 0;
  }

  std::map<std::int64_t, Block> blocks_;
  bool stopped_ = false;
};

class Anthropic : public Dialect {
public:
  std::string_view name() const override { return "anthropic"; }
  std::string_view path() const override { return "/messages"; }

  std::vector<std::pair<std::string, std::string>> headers(const std::string &key,
                                                           const WireOptions &options) const override {
    auto headers = Dialect::headers(key, options);
    headers.emplace_back("anthropic-version", "2023-06-01");
    return headers;
  }

  Json body(const ChatRequest &request, const WireOptions &options) const override {
    Json body = {{"model", options.model}, {"max_tokens", request.maxOutputTokens}, {"stream", options.stream}};
    for (const ChatMessage &message : request.messages)
      if (message.role == ChatRole::System && !message.text.empty())
        body["system"].push_back(textBlock(message.text));
    // The part that all calls of a run share is cached up to the system prompt, a growing history up to its end.
    if (body.contains("system"))
      body["system"].back()["cache_control"] = cacheHere();
    body["messages"] = messagesOf(request);
    if (!body["messages"].empty())
      if (Json &last = body["messages"].back(); last["role"] == "user")
        last["content"].back()["cache_control"] = cacheHere();
    for (const ToolDescription &tool : request.tools)
      body["tools"].push_back(
          {{"name", tool.name}, {"description", tool.description}, {"input_schema", schemaOf(tool)}});
    if (request.temperature)
      body["temperature"] = *request.temperature;
    if (request.effort) {
      body["thinking"] = {{"type", "adaptive"}};
      body["output_config"] = {{"effort", *request.effort}};
    }
    return body;
  }

  std::unique_ptr<ReplyReader> reader(ErrorContext context, ReplyReader::TextHandler onText) const override {
    return std::make_unique<AnthropicReader>(std::move(context), std::move(onText));
  }
};

} // namespace

const Dialect &anthropicDialect() {
  static const Anthropic kDialect;
  return kDialect;
}

} // namespace agentic
