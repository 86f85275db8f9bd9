#include "tool/llm/cassette.h"

#include "tool/base/append.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/llm/chat_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <vector>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

/// Every number as "#".
std::string masked(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      result += text[i];
      continue;
    }
    while (i + 1 < text.size() && (std::isdigit(static_cast<unsigned char>(text[i + 1])) || text[i + 1] == '.'))
      ++i;
    result += '#';
  }
  return result;
}

class RecordingModel : public ChatModel {
public:
  RecordingModel(std::unique_ptr<ChatModel> model, std::string file, Redact redact)
      : model_(std::move(model)), file_(std::move(file)), redact_(std::move(redact)) {}

  const std::string &name() const override { return model_->name(); }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *cancelled) override { return model_->discover(cancelled); }
  std::string requestBody(const ChatRequest &request) const override { return model_->requestBody(request); }

  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    auto reply = model_->complete(request, cancelled, onText);
    if (!reply && reply.error().kind == ChatErrorKind::Cancelled)
      return reply; // of this run, not of the conversation
    json line = {{"v", kVersion},
                 {"agent", model_->name()},
                 {"key", requestKey(request)},
                 {"conversation", conversationKey(request)},
                 {"request", requestJson(request)}};
    if (reply)
      line["reply"] = replyJson(*reply);
    else
      line["error"] = errorJson(reply.error());
    std::string text = dumpLine(line);
    if (redact_)
      text = redact_(std::move(text));
    if (auto written = appendSynced(file_, text + "\n"); !written)
      return std::unexpected(ChatError{ChatErrorKind::Bug, "the recording: " + written.error().message,
                                       written.error().next, std::nullopt, true});
    return reply;
  }

private:
  std::unique_ptr<ChatModel> model_;
  std::string file_;
  Redact redact_;
};

struct Exchange {
  std::string key, conversation;
  ChatResult<ChatReply> answer;
  bool isUsed = false;
};

class ReplayModel : public ChatModel {
public:
  ReplayModel(std::string name, std::vector<Exchange> exchanges)
      : name_(std::move(name)), exchanges_(std::move(exchanges)) {}

  const std::string &name() const override { return name_; }

  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override {
    return ModelFacts{.model = "a recording", .takesTools = true, .isLocal = true};
  }

  std::string requestBody(const ChatRequest &request) const override { return dumpLine(requestJson(request)); }

  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *,
                                 const std::function<void(std::string_view)> &onText) override {
    Exchange *found = unused(&Exchange::key, requestKey(request));
    if (!found)
      found = unused(&Exchange::conversation, conversationKey(request));
    if (!found)
      return std::unexpected(ChatError{ChatErrorKind::Missing, name_ + " has no answer to this request",
                                       "record the run anew with --record", std::nullopt, false});
    found->isUsed = true;
    if (found->answer && onText)
      onText(found->answer->message.text);
    return found->answer;
  }

private:
  Exchange *unused(std::string Exchange::*member, const std::string &value) {
    const auto found = std::ranges::find_if(
        exchanges_, [&](const Exchange &exchange) { return !exchange.isUsed && exchange.*member == value; });
    return found == exchanges_.end() ? nullptr : &*found;
  }

  std::string name_;
  std::vector<Exchange> exchanges_;
};

Result<Exchange> exchangeFrom(const json &line, const std::string &where) {
  const auto text = [&](const char *name) {
    const auto found = line.find(name);
    return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!line.is_object() || !line.contains("v") || line["v"] != kVersion || text("key").empty())
    return userError(where + " is no recording of this version", "record it anew with --record");
  Exchange exchange{text("key"), text("conversation"), ChatReply()};
  if (const auto reply = line.find("reply"); reply != line.end()) {
    auto read = replyFrom(*reply, where);
    if (!read)
      return std::unexpected(read.error());
    exchange.answer = std::move(*read);
  } else {
    exchange.answer = std::unexpected(errorFrom(line.value("error", json())));
  }
  return exchange;
}

} // namespace

std::string conversationKey(const ChatRequest &request) {
  HashBuilder key;
  for (const ChatMessage &message : request.messages)
    if (message.role == ChatRole::System)
      key.add(message.text);
  for (const ToolDescription &tool : request.tools)
    key.add(tool.name).add(tool.schema);
  return key.hex();
}

std::string requestKey(const ChatRequest &request) {
  HashBuilder key;
  key.add(conversationKey(request));
  for (const ChatMessage &message : request.messages) {
    const bool isOurs = message.role == ChatRole::User || message.role == ChatRole::Tool;
    key.add(roleName(message.role)).add(isOurs ? masked(message.text) : message.text);
    for (const ToolCall &call : message.toolCalls)
      key.add(call.name).add(call.arguments);
  }
  return key.hex();
}

std::unique_ptr<ChatModel> recordingModel(std::unique_ptr<ChatModel> model, std::string file, Redact redact) {
  return std::make_unique<RecordingModel>(std::move(model), std::move(file), std::move(redact));
}

Result<std::unique_ptr<ChatModel>> makeReplayModel(const std::string &name) {
  const std::string path = name.substr(kReplayPrefix.size());
  auto text = readFile(path);
  if (!text)
    return std::unexpected(text.error());
  std::vector<Exchange> exchanges;
  std::size_t begin = 0;
  for (int number = 1; begin < text->size(); ++number) {
    const std::size_t end = text->find('\n', begin);
    if (end == std::string::npos)
      break; // torn: the process died while writing it
    const json line = json::parse(std::string_view(*text).substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (line.is_discarded())
      continue; // torn in the middle and continued after a resume
    auto exchange = exchangeFrom(line, path + " line " + std::to_string(number));
    if (!exchange)
      return std::unexpected(exchange.error());
    exchanges.push_back(std::move(*exchange));
  }
  if (exchanges.empty())
    return userError(path + " holds no exchange", "record one with --record " + path);
  return std::make_unique<ReplayModel>(name, std::move(exchanges));
}

} // namespace agentic
