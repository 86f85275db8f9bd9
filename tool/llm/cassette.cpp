#include "tool/llm/cassette.h"

#include "tool/base/append.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/llm/chat_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

/// Replaces every number by "#".
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

struct Exchange {
  std::string key, conversation;
  ChatResult<ChatReply> answer;
  bool isUsed = false;
};

/// Of an error, a run keeps only the kind.
bool isSame(const ChatResult<ChatReply> &recorded, const ChatResult<ChatReply> &given) {
  if (recorded.has_value() != given.has_value())
    return false;
  if (!recorded)
    return recorded.error().kind == given.error().kind;
  return recorded->message.text == given->message.text &&
         std::ranges::equal(recorded->message.toolCalls, given->message.toolCalls, {}, &ToolCall::arguments,
                            &ToolCall::arguments);
}

class ReplayModel : public ChatModel {
public:
  ReplayModel(std::string name, std::vector<Exchange> exchanges)
      : name_(std::move(name)), exchanges_(std::move(exchanges)) {}

  const std::string &name() const override { return name_; }

  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override {
    return ModelFacts{.model = "a recording", .takesTools = true, .isLocal = true};
  }

  std::string requestBody(const ChatRequest &request) const override { return dumpLine(requestJson(request)); }

  void wasGiven(const ChatResult<ChatReply> &answer) override {
    const auto found = std::ranges::find_if(
        exchanges_, [&](const Exchange &exchange) { return !exchange.isUsed && isSame(exchange.answer, answer); });
    if (found != exchanges_.end())
      found->isUsed = true;
  }

  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *,
                                 const std::function<void(std::string_view)> &onText) override {
    const std::lock_guard lock(mutex_);
    Exchange *found = unused(&Exchange::key, requestKey(request));
    if (!found)
      found = unused(&Exchange::conversation, conversationKey(request));
    if (!found)
      return std::unexpected(missing());
    found->isUsed = true;
    if (found->answer && onText)
      onText(found->answer->message.text);
    return found->answer;
  }

private:
  ChatError missing() const {
    const bool isAtEnd = std::ranges::all_of(exchanges_, &Exchange::isUsed);
    return {ChatErrorKind::Missing,
            name_ + " has no answer to this request" +
                (isAtEnd ? ": all of its " + std::to_string(exchanges_.size()) + " were given" : ""),
            isAtEnd ? "end the run where the recorded one ended (--max-iterations), or record it anew with --record"
                    : "record the run anew with --record",
            std::nullopt, false};
  }

  Exchange *unused(std::string Exchange::*member, const std::string &value) {
    const auto found = std::ranges::find_if(
        exchanges_, [&](const Exchange &exchange) { return !exchange.isUsed && exchange.*member == value; });
    return found == exchanges_.end() ? nullptr : &*found;
  }

  std::string name_;
  std::mutex mutex_;
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
    auto read = TRY(replyFrom(*reply, where));
    read.usage.costUsd.reset(); // the recorded run has paid
    exchange.answer = std::move(read);
  } else {
    exchange.answer = std::unexpected(errorFrom(line.value("error", json())));
  }
  return exchange;
}

/// Reads the whole lines. Text after the last line feed is torn: the process died while writing it.
Result<std::vector<Exchange>> readExchanges(std::string_view text, const std::string &path) {
  std::vector<Exchange> exchanges;
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos)
      break;
    const std::string where = path + " line " + std::to_string(number);
    const json line = json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (line.is_discarded())
      return userError(where + " is damaged: it is no JSON", "restore the file, or record it anew with --record");
    auto exchange = TRY(exchangeFrom(line, where));
    exchanges.push_back(std::move(exchange));
  }
  if (exchanges.empty())
    return userError(path + " holds no exchange", "record one with --record " + path);
  return exchanges;
}

/// Reports early that the file could not be appended to.
Result<void> checkWritable(const std::string &file) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
    return userError("the recording " + file + " would be no regular file", "name one with --record");
  const std::ofstream opened(file, std::ios::app);
  if (!opened)
    return userError("cannot write the recording " + file + ": " + std::strerror(errno),
                     "name another file with --record, or fix its folder's permissions");
  return {};
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

Result<Recorder> Recorder::open(const std::string &file, std::string agent, Redact redact) {
  TRY(checkWritable(file));
  auto text = TRY(readFile(file));
  if (!text.empty()) {
    if (auto before = readExchanges(text, file); !before)
      return userError("--record would append to what is no recording: " + before.error().message,
                       "name another file; this one is left as it is");
    if (!text.ends_with('\n')) {
      std::error_code error;
      fs::resize_file(file, text.rfind('\n') + 1, error);
      if (error)
        return userError("cannot cut the torn end of " + file + ": " + error.message(), "name another file");
    }
  }
  return Recorder(file, std::move(agent), std::move(redact));
}

void Recorder::from(json context) {
  context_ = std::make_shared<json>(std::move(context));
}

Result<void> Recorder::add(const ChatRequest &request, const ChatResult<ChatReply> &answer) {
  const bool isCancelled = !answer && answer.error().kind == ChatErrorKind::Cancelled;
  if (isBroken_ || isCancelled) // an interruption belongs to the run, not to the conversation
    return {};
  json line = {{"v", kVersion},
               {"agent", agent_},
               {"key", requestKey(request)},
               {"conversation", conversationKey(request)},
               {"request", requestJson(request)}};
  if (answer)
    line["reply"] = replyJson(*answer);
  else
    line["error"] = errorJson(answer.error());
  if (context_)
    line["context"] = std::move(*std::exchange(context_, nullptr));
  std::string text = dumpLine(line);
  if (redact_)
    text = redact_(std::move(text));
  auto written = appendSynced(file_, text + "\n");
  isBroken_ = !written;
  return written;
}

Result<std::unique_ptr<ChatModel>> makeReplayModel(const std::string &name) {
  const std::string path = name.substr(kReplayPrefix.size());
  auto text = TRY(readFile(path));
  auto exchanges = TRY(readExchanges(text, path));
  return std::make_unique<ReplayModel>(name, std::move(exchanges));
}

/// Calls `use` with each line of the recording "replay:<file>" until it returns false.
static void eachLine(const std::string &name, const std::function<bool(const json &line)> &use) {
  const std::string text = readFile(name.substr(kReplayPrefix.size())).value_or("");
  std::size_t begin = 0, end = 0;
  for (; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (const json line = json::parse(text.substr(begin, end - begin), nullptr, false); line.is_object() && !use(line))
      return;
}

json recordedContext(const std::string &name) {
  json context;
  eachLine(name, [&](const json &line) {
    if (line.contains("context"))
      context = line["context"];
    return !line.contains("context");
  });
  return context;
}

std::vector<std::string> recordedQuestions(const std::string &name, const std::string &conversation) {
  const json::json_pointer kMessages("/request/messages");
  std::vector<std::string> questions;
  eachLine(name, [&](const json &line) {
    if (line.value("conversation", json()) != conversation || !line.contains(kMessages) ||
        !line.at(kMessages).is_array() || line.at(kMessages).empty())
      return true;
    const json last = line.at(kMessages).back();
    if (!last.is_object() || !last.contains("content") || !last["content"].is_string())
      return true;
    std::string text = last["content"].get<std::string>();
    if (questions.empty() || questions.back() != text)
      questions.push_back(std::move(text));
    return true;
  });
  return questions;
}

} // namespace agentic
