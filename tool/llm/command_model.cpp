#include "tool/llm/command_model.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/base/user_command.h"
#include "tool/llm/chat_json.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace agentic {
namespace {

using nlohmann::json;

constexpr std::size_t kMostOutput = 8u << 20;
constexpr int kTemporaryFailure = 75; ///< EX_TEMPFAIL of sysexits.h

std::unexpected<ChatError> chatError(ChatErrorKind kind, std::string message, std::string next,
                                     bool maybeBilled = true) {
  return std::unexpected(ChatError{kind, std::move(message), std::move(next), std::nullopt, maybeBilled});
}

std::string stringOf(const json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Parses the object form of a reply; nullopt if the output is plain text.
std::optional<json> objectOf(std::string_view output) {
  if (!output.starts_with('{'))
    return std::nullopt;
  json object = json::parse(output, nullptr, false);
  if (!object.is_object() || (!object.contains("text") && !object.contains("tool_calls")))
    return std::nullopt;
  return object;
}

ChatFinish finishOf(const json &object, bool hasCalls) {
  const std::string finish = stringOf(object, "finish");
  if (finish == "length")
    return ChatFinish::Length;
  if (finish == "refused")
    return ChatFinish::Refused;
  return hasCalls ? ChatFinish::ToolCalls : ChatFinish::Stop;
}

ChatReply readObject(const json &object) {
  ChatReply reply;
  reply.message.text = stringOf(object, "text");
  if (const auto calls = object.find("tool_calls"); calls != object.end() && calls->is_array())
    for (const json &call : *calls) {
      if (!call.is_object())
        continue;
      ToolCall made{stringOf(call, "id"), stringOf(call, "name"), {}};
      if (made.id.empty())
        made.id = "call_" + std::to_string(reply.message.toolCalls.size() + 1);
      if (const auto arguments = call.find("arguments"); arguments != call.end())
        made.arguments = arguments->is_string() ? arguments->get<std::string>() : dumpLine(*arguments);
      reply.message.toolCalls.push_back(std::move(made));
    }
  reply.finish = finishOf(object, !reply.message.toolCalls.empty());
  reply.model = stringOf(object, "model");
  reply.reasoning = stringOf(object, "reasoning");
  if (const auto usage = object.find("usage"); usage != object.end())
    reply.usage = usageFrom(*usage);
  return reply;
}

class CommandModel : public ChatModel {
public:
  CommandModel(CommandModelOptions options, std::vector<std::string> argv)
      : options_(std::move(options)), argv_(std::move(argv)) {}

  const std::string &name() const override { return options_.name; }

  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override {
    const std::string &program = argv_.front();
    const bool isThere = program.find('/') == std::string::npos ? findProgram(program).has_value()
                                                                : ::access(program.c_str(), X_OK) == 0;
    if (!isThere)
      return chatError(ChatErrorKind::Model, "there is no program '" + program + "' that can be run",
                       "correct --agent " + options_.name, false);
    return ModelFacts{.model = fs::path(program).filename().string(), .takesTools = std::nullopt, .isLocal = true};
  }

  std::string requestBody(const ChatRequest &request) const override {
    json body = requestJson(request);
    body["v"] = 1;
    if (request.budgetUsd)
      body["budget_usd"] = *request.budgetUsd;
    return dumpLine(body);
  }

  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    auto folder = ScratchDirectory::create(options_.scratchParent, "agent-");
    if (!folder)
      return chatError(ChatErrorKind::Bug, folder.error().message, folder.error().next, false);
    ProcessSpec spec;
    spec.argv = argv_;
    spec.workingDirectory = folder->path().string();
    spec.input = requestBody(request) + "\n";
    spec.timeoutSeconds = options_.timeoutSeconds;
    spec.outputCapBytes = kMostOutput;
    spec.cancelled = cancelled;
    auto result = runProcess(spec);
    if (!result)
      return chatError(ChatErrorKind::Model, result.error().message, "correct --agent " + options_.name, false);
    return read(*result, onText);
  }

private:
  ChatResult<ChatReply> read(const ProcessResult &result, const std::function<void(std::string_view)> &onText) const {
    const std::string who = "'" + fs::path(argv_.front()).filename().string() + "' ";
    const std::string said = saidAtTheEnd(result);
    if (result.end == ProcessResult::End::Cancelled)
      return chatError(ChatErrorKind::Cancelled, "interrupted", {});
    if (!result.ok()) {
      const bool isTemporary = result.end == ProcessResult::End::Exited && result.code == kTemporaryFailure;
      return chatError(
          isTemporary ? ChatErrorKind::Overload : ChatErrorKind::Garbage, who + result.describe() + said,
          "run it by hand with a request on its standard input ('agentic-kernel prompt --json' shows one)");
    }
    if (result.truncated)
      return chatError(ChatErrorKind::Garbage, who + "wrote more than " + std::to_string(kMostOutput >> 20) + " MiB",
                       "it must write the reply and nothing else to standard output");
    const std::string_view output = trim(result.out);
    if (output.empty())
      return chatError(ChatErrorKind::Garbage, who + "wrote nothing to standard output" + said,
                       "it must write the reply there");
    ChatReply reply;
    if (const auto object = objectOf(output))
      reply = readObject(*object);
    else
      reply.message.text = output;
    reply.message.role = ChatRole::Assistant;
    reply.seconds = reply.firstTokenSeconds = result.wallSeconds;
    if (onText)
      onText(reply.message.text);
    return reply;
  }

  CommandModelOptions options_;
  std::vector<std::string> argv_;
};

} // namespace

Result<std::unique_ptr<ChatModel>> makeCommandModel(CommandModelOptions options) {
  std::vector<std::string> argv =
      userCommand(std::string_view(options.name).substr(kCommandPrefix.size()), options.startDirectory);
  if (argv.empty())
    return userError("--agent " + options.name + " names no program", "write command:./agent.sh, with its arguments");
  return std::make_unique<CommandModel>(std::move(options), std::move(argv));
}

} // namespace agentic
