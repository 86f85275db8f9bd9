#include "tool/mcp/connection.h"

#include "tool/mcp/schema.h"

#include <exception>
#include <utility>

namespace agentic::mcp {

/// A call of a tool in its thread.
class Connection::Running : public Call {
public:
  Running(Connection &connection, const Incoming &request, Era era, std::size_t tool, Reply reply)
      : connection_(connection), id_(request.id), token_(progressToken(request)), era_(era), tool_(tool),
        reply_(std::move(reply)) {
    const auto arguments = request.params.find("arguments");
    arguments_ = arguments == request.params.end() || arguments->is_null() ? Json::object() : *arguments;
  }

  const Json &arguments() const override { return arguments_; }
  bool isCancelled() const override { return isCancelled_; }
  void progress(const std::string &what) override {
    const std::lock_guard<std::mutex> lock(telling_);
    if (!token_.is_null() && !isCancelled_)
      connection_.send(notification("notifications/progress",
                                    {{"progressToken", token_}, {"progress", ++steps_}, {"message", what}}));
  }

  /// Once it returns, the client hears nothing more of the call.
  void cancel() {
    const std::lock_guard<std::mutex> lock(telling_);
    isCancelled_ = true;
  }
  const Json &id() const { return id_; }
  Era era() const { return era_; }
  std::size_t tool() const { return tool_; }
  void reply(std::optional<Json> message) { reply_(std::move(message)); }

  std::thread thread;
  std::atomic<bool> isDone = false; ///< the thread does nothing more

private:
  Connection &connection_;
  Json id_, token_, arguments_;
  Era era_;
  std::size_t tool_;
  Reply reply_;
  std::mutex telling_;
  int steps_ = 0;
  std::atomic<bool> isCancelled_ = false;
};

Connection::~Connection() {
  for (const auto &call : started_)
    call->cancel();
  for (const auto &call : started_)
    call->thread.join();
}

void Connection::send(const Json &message) {
  std::string line = lineOf(message);
  const std::lock_guard<std::mutex> lock(sending_);
  send_(std::move(line));
}

void Connection::receive(const LineReader::Line &line) {
  reap();
  if (line.isTooLong)
    send(errorMessage(nullptr, tooLong()));
  else
    receive(readLine(line.text));
}

void Connection::receive(const IncomingLine &line) {
  if (!line.isBatch)
    return take(line.messages.front(), [this](std::optional<Json> message) {
      if (message)
        send(*message);
    });
  if (!state_.hasBatches())
    return send(errorMessage(nullptr, {kInvalidRequest, "this version of the protocol has one message a line"}));
  // One line answers all of its requests, once the last of them is done.
  struct Batch {
    std::mutex mutex;
    std::size_t open = 1; ///< this function's own turn included
    Json answers = Json::array();
  };
  auto batch = std::make_shared<Batch>();
  const auto add = [this, batch](std::optional<Json> message) {
    const std::lock_guard<std::mutex> lock(batch->mutex);
    if (message)
      batch->answers.push_back(std::move(*message));
    if (--batch->open == 0 && !batch->answers.empty())
      send(batch->answers);
  };
  for (const Incoming &message : line.messages) {
    if (message.kind == Incoming::Kind::Request || message.kind == Incoming::Kind::Invalid) {
      const std::lock_guard<std::mutex> lock(batch->mutex);
      ++batch->open;
    }
    take(message, add);
  }
  add(std::nullopt);
}

/// Calls `reply` for requests and invalid messages, and for nothing else.
void Connection::take(const Incoming &message, const Reply &reply) {
  switch (message.kind) {
  case Incoming::Kind::Invalid:
    return reply(errorMessage(message.id, message.error));
  case Incoming::Kind::Response:
    return;
  case Incoming::Kind::Notification:
    if (message.method == "notifications/cancelled")
      cancel(message);
    return; // an unknown one has no answer
  case Incoming::Kind::Request:
    break;
  }
  const auto era = eraOf(message);
  if (!era)
    return reply(errorMessage(message.id, era.error()));
  if (message.method == "tools/call")
    return start(message, *era, reply);
  const Answer result = answer(message, *era, state_, host_);
  reply(result ? resultMessage(message.id, *result) : errorMessage(message.id, result.error()));
}

/// An unknown id is that of a call that has ended: clients send such late cancellations.
void Connection::cancel(const Incoming &notification) {
  const auto id = notification.params.find("requestId");
  if (id == notification.params.end())
    return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto call = calls_.find(lineOf(*id)); call != calls_.end())
    call->second->cancel();
}

void Connection::start(const Incoming &request, Era era, const Reply &reply) {
  const auto tool = calledTool(request, host_);
  if (!tool)
    return reply(errorMessage(request.id, tool.error()));
  auto call = std::make_shared<Running>(*this, request, era, *tool, reply);
  const ToolInfo &info = host_.tools()[*tool];
  if (const std::string wrong = misfit(info.input, call->arguments()); !wrong.empty())
    return reply(resultMessage(
        request.id,
        callResult(failed(info.name + ": " + wrong, "call it again with arguments that fit its input schema"), era)));
  const std::string key = lineOf(request.id);
  std::unique_lock<std::mutex> lock(mutex_);
  if (calls_.contains(key)) {
    lock.unlock();
    return reply(errorMessage(request.id, {kInvalidRequest, "a call with this id is in work"}));
  }
  if (calls_.size() >= kMostCalls) {
    lock.unlock();
    return reply(
        resultMessage(request.id, callResult(failed("16 calls are in work", "wait for one of them to end"), era)));
  }
  calls_.emplace(key, call);
  started_.push_back(call);
  call->thread = std::thread([this, call] { run(call); });
}

void Connection::run(const std::shared_ptr<Running> &call) {
  Json message;
  try {
    message = resultMessage(call->id(), callResult(host_.call(host_.tools()[call->tool()].name, *call), call->era()));
  } catch (const std::exception &error) { // no memory: the client still gets an answer
    message = errorMessage(call->id(), {kInternalError, error.what()});
  }
  const std::string key = lineOf(call->id());
  {
    const std::lock_guard<std::mutex> lock(mutex_); // from here on a cancellation is late
    calls_.erase(key);
  }
  call->reply(call->isCancelled() ? std::nullopt : std::optional(std::move(message)));
  call->isDone = true;
}

void Connection::reap() {
  std::erase_if(started_, [](const std::shared_ptr<Running> &call) {
    if (!call->isDone)
      return false;
    call->thread.join();
    return true;
  });
}

} // namespace agentic::mcp
