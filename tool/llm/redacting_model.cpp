#include "tool/llm/redacting_model.h"

namespace agentic {
namespace {

class RedactingModel : public ChatModel {
public:
  RedactingModel(std::unique_ptr<ChatModel> model, std::shared_ptr<const Redactor> redactor)
      : model_(std::move(model)), redactor_(std::move(redactor)) {}

  const std::string &name() const override { return model_->name(); }

  ChatResult<ModelFacts> discover(const std::atomic<bool> *cancelled) override {
    auto facts = model_->discover(cancelled);
    if (!facts)
      return std::unexpected(clean(std::move(facts.error())));
    wash(facts->model);
    return facts;
  }

  std::string requestBody(const ChatRequest &request) const override { return model_->requestBody(request); }

  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    auto reply = model_->complete(request, cancelled, onText);
    if (!reply)
      return std::unexpected(clean(std::move(reply.error())));
    clean(*reply);
    return reply;
  }

  void wasGiven(const ChatResult<ChatReply> &answer) override { model_->wasGiven(answer); }

private:
  void wash(std::string &text) const { text = redactor_->forRecords(text); }

  ChatError clean(ChatError error) const {
    error.message = redactor_->redact(error.message);
    error.next = redactor_->redact(error.next);
    return error;
  }

  void clean(ChatReply &reply) const {
    wash(reply.message.text);
    wash(reply.message.raw);
    wash(reply.reasoning);
    wash(reply.model);
    wash(reply.provider);
    for (ToolCall &call : reply.message.toolCalls) {
      wash(call.id);
      wash(call.name);
      wash(call.arguments);
    }
    for (auto &[header, value] : reply.headers)
      value = redactor_->redact(value);
  }

  std::unique_ptr<ChatModel> model_;
  std::shared_ptr<const Redactor> redactor_;
};

} // namespace

std::unique_ptr<ChatModel> redactingModel(std::unique_ptr<ChatModel> model, std::shared_ptr<const Redactor> redactor) {
  return std::make_unique<RedactingModel>(std::move(model), std::move(redactor));
}

} // namespace agentic
