// OpenAI's Responses: a list of typed items; the reasoning items are encrypted and go back. Nothing is stored at the
// provider.
#include "tool/llm/dialect.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostItems = 1024;

void addAssistantItems(const ChatMessage &message, Json &input) {
  if (Json raw = rawMessage(message, "responses"); raw.is_array() && !raw.empty()) {
    for (Json &item : raw)
      input.push_back(std::move(item));
    return;
  }
  if (!message.text.empty() || message.toolCalls.empty())
    input.push_back({{"role", "assistant"}, {"content", message.text}});
  for (const ToolCall &call : message.toolCalls)
    input.push_back(
        {{"type", "function_call"}, {"call_id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
}

class ResponsesReader : public ReplyReader {
public:
  using ReplyReader::ReplyReader;

protected:
  bool chunk(const Json &chunk, const std::string &name) override {
    const std::string type = textAt(chunk, "type").empty() ? name : textAt(chunk, "type");
    if (type == "response.output_text.delta" || type == "response.refusal.delta") {
      streamed_ = true;
      addText(textAt(chunk, "delta"));
      return true;
    }
    if (type == "response.output_item.done") {
      addItem(at(chunk, "item"));
      return true;
    }
    if (type == "response.completed" || type == "response.incomplete") {
      readResponse(at(chunk, "response"));
      return true;
    }
    if (type == "response.failed" || type == "error") {
      fail(errorOfBody(200, {}, chunk, context()));
      return true;
    }
    return type.ends_with(".delta"); // reasoning and arguments come whole with their item
  }

  void answer(const Json &body) override { readResponse(body); }
  bool isDone() const override { return ended_; }

  void complete() override {
    raw_ = items_;
    if (refused_ && finish_ == ChatFinish::Stop)
      finish_ = ChatFinish::Refused;
  }

private:
  void readResponse(const Json &response) {
    ended_ = true;
    model_ = textAt(response, "model");
    // The items come again; they are read here only if the server did not stream them.
    if (const Json &output = at(response, "output"); output.is_array() && items_.empty())
      for (const Json &item : output)
        addItem(item);
    readUsage(at(response, "usage"));
    const std::string status = textAt(response, "status");
    if (status == "failed" || status == "cancelled")
      fail(errorOfBody(200, {}, response, context()));
    else if (status == "incomplete")
      setFinish(textAt(response, {"incomplete_details", "reason"}).empty()
                    ? "max_output_tokens"
                    : textAt(response, {"incomplete_details", "reason"}));
    else if (status.empty() || status == "completed") // streams of some servers omit it
      finish_ = response.is_object() ? std::optional(ChatFinish::Stop) : std::nullopt;
    else
      setFinish(status);
  }

  void addItem(const Json &item) {
    if (!item.is_object() || items_.size() >= kMostItems)
      return;
    items_.push_back(item);
    const std::string type = textAt(item, "type");
    if (type == "function_call")
      calls_.push_back(
          {.id = textAt(item, "call_id"), .name = textAt(item, "name"), .arguments = textAt(item, "arguments")});
    for (const char *list : {"content", "summary"})
      if (const Json &parts = at(item, list); parts.is_array())
        for (const Json &part : parts)
          readPart(type, part);
  }

  void readPart(const std::string &itemType, const Json &part) {
    const std::string type = textAt(part, "type");
    if (itemType == "reasoning") {
      addReasoning(textAt(part, "text"));
      return;
    }
    refused_ |= type == "refusal";
    if (!streamed_) // else it came as deltas
      addText(textAt(part, type == "refusal" ? "refusal" : "text"));
  }

  void readUsage(const Json &usage) {
    const std::int64_t input = countAt(usage, {"input_tokens"});
    usage_.cachedInput = std::min(input, countAt(usage, {"input_tokens_details", "cached_tokens"}));
    usage_.cacheWrite =
        std::min(input - usage_.cachedInput, countAt(usage, {"input_tokens_details", "cache_write_tokens"}));
    usage_.freshInput = input - usage_.cachedInput - usage_.cacheWrite;
    usage_.output = countAt(usage, {"output_tokens"});
    usage_.reasoning = std::min(usage_.output, countAt(usage, {"output_tokens_details", "reasoning_tokens"}));
    usage_.isReported = input > 0 || usage_.output > 0;
    if (const auto cost = numberOf(at(usage, "cost")); cost)
      usage_.costUsd = *cost;
  }

  Json items_ = Json::array();
  bool streamed_ = false, ended_ = false, refused_ = false;
};

class Responses : public Dialect {
public:
  std::string_view name() const override { return "responses"; }
  std::string_view path() const override { return "/responses"; }

  Json body(const ChatRequest &request, const WireOptions &options) const override {
    Json body = {{"model", options.model},
                 {"input", Json::array()},
                 {"max_output_tokens", request.maxOutputTokens},
                 {"store", false},
                 {"include", {"reasoning.encrypted_content"}},
                 {"stream", options.stream}};
    std::string instructions;
    for (const ChatMessage &message : request.messages) {
      switch (message.role) {
      case ChatRole::System:
        instructions += (instructions.empty() ? "" : "\n\n") + message.text;
        break;
      case ChatRole::User:
        body["input"].push_back({{"role", "user"}, {"content", message.text}});
        break;
      case ChatRole::Assistant:
        addAssistantItems(message, body["input"]);
        break;
      case ChatRole::Tool:
        body["input"].push_back(
            {{"type", "function_call_output"}, {"call_id", message.toolCallId}, {"output", message.text}});
        break;
      }
    }
    if (!instructions.empty())
      body["instructions"] = instructions;
    for (const ToolDescription &tool : request.tools)
      body["tools"].push_back({{"type", "function"},
                               {"name", tool.name},
                               {"description", tool.description},
                               {"parameters", schemaOf(tool)},
                               {"strict", false}});
    if (request.temperature)
      body["temperature"] = *request.temperature;
    if (request.effort)
      body["reasoning"] = {{"effort", *request.effort}};
    return body;
  }

  std::unique_ptr<ReplyReader> reader(ErrorContext context, ReplyReader::TextHandler onText) const override {
    return std::make_unique<ResponsesReader>(std::move(context), std::move(onText));
  }
};

} // namespace

const Dialect &responsesDialect() {
  static const Responses kDialect;
  return kDialect;
}

} // namespace agentic
