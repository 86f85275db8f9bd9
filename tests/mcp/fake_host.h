// A host whose tools do what a test tells them, and a connection whose answers a test reads.
#pragma once

#include "tool/mcp/connection.h"
#include "tool/mcp/schema.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <set>

namespace agentic::mcp {

/// "echo" gives its arguments back; "wait" ends when the test lets it, or when it is cancelled.
class FakeHost : public Host {
public:
  const std::vector<ToolInfo> &tools() const override { return tools_; }
  ToolResult call(const std::string &tool, Call &call) override {
    if (tool == "echo")
      return {{{"echo", call.arguments()}}, false};
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    call.progress("waiting");
    call.progress("still waiting");
    while (!mayEnd_ && !call.isCancelled())
      changed_.wait_for(lock, std::chrono::milliseconds(1));
    if (call.isCancelled())
      call.progress("ending");
    --waiting_;
    ++ended_;
    changed_.notify_all();
    return {{{"text", "\xff bad"}}, false};
  }
  std::vector<ResourceInfo> resources() const override {
    return {{"x://page", "page", "Page", "a page", "text/markdown"}};
  }
  std::optional<std::string> read(const std::string &uri) const override {
    return uri == "x://page" ? std::optional<std::string>("the page") : std::nullopt;
  }
  const std::vector<PromptInfo> &prompts() const override { return prompts_; }
  std::optional<std::string> prompt(const std::string &, const Json &arguments) const override {
    return "optimize " + arguments.value("kernel", "");
  }

  void untilWaiting(int calls) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= calls; });
  }
  void untilEnded(int calls) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return ended_ >= calls; });
  }
  void letEnd() {
    const std::lock_guard<std::mutex> lock(mutex_);
    mayEnd_ = true;
    changed_.notify_all();
  }

private:
  const std::vector<ToolInfo> tools_ = {{"echo", "Echo", "gives back",
                                         objectSchema({{"text", {{"type", "string"}, {"maxLength", 1 << 20}}},
                                                       {"n", {{"type", "integer"}, {"minimum", 0}, {"maximum", 25}}}},
                                                      {"text"}),
                                         objectSchema({{"echo", {{"type", "object"}}}}, {"echo"})},
                                        {"wait", "Wait", "waits", objectSchema(Json::object(), {}),
                                         objectSchema({{"text", {{"type", "string"}}}}, {"text"})}};
  const std::vector<PromptInfo> prompts_ = {{"optimize", "Optimize", "a prompt", {{"kernel", "its name", true}}}};
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0, ended_ = 0;
  bool mayEnd_ = false;
};

/// A client in the same process.
class Client {
public:
  Client()
      : connection_(std::make_unique<Connection>(host, [this](std::string line) {
          const std::lock_guard<std::mutex> lock(mutex_);
          EXPECT_EQ(line.find('\n'), std::string::npos);
          lines_.push_back(Json::parse(line));
          changed_.notify_all();
        })) {}

  void sendText(const std::string &line) { connection_->receive({line, false}); }
  void send(const Json &message) { sendText(message.dump()); }
  void request(const Json &id, const std::string &method, Json params = Json::object()) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  }
  void call(const Json &id, const std::string &tool, Json arguments, Json meta = nullptr) {
    Json params = {{"name", tool}, {"arguments", std::move(arguments)}};
    if (!meta.is_null())
      params["_meta"] = std::move(meta);
    request(id, "tools/call", std::move(params));
  }
  /// Waits for the n-th line, from 1.
  Json line(std::size_t n) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return lines_.size() >= n; });
    return lines_[n - 1];
  }
  std::size_t lines() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lines_.size();
  }
  /// Ends the connection: calls in work are cancelled and waited for.
  void end() { connection_.reset(); }
  void tooLong() { connection_->receive({"", true}); }

  FakeHost host;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> lines_;
  std::unique_ptr<Connection> connection_;
};

inline Json modern(Json more = Json::object()) {
  more["io.modelcontextprotocol/protocolVersion"] = kModernVersion;
  return more;
}

} // namespace agentic::mcp
