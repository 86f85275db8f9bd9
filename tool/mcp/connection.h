// One client: reads its messages, runs the calls of tools beside each other, answers. Knows no file and no stream:
// lines come by receive() and go to `send`.
//
// Thread-safe is `send`'s side only: receive() is called from one thread, which it never blocks for long.
#pragma once

#include "tool/mcp/host.h"
#include "tool/mcp/line_reader.h"
#include "tool/mcp/protocol.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace agentic::mcp {

/// Takes one line without its end; called from any thread, one call at a time.
using Send = std::function<void(std::string line)>;

class Connection {
public:
  static constexpr std::size_t kMostCalls = 16; ///< at a time

  Connection(Host &host, Send send) : host_(host), send_(std::move(send)) {}
  /// Cancels the calls in work and waits for them.
  ~Connection();
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;

  void receive(const LineReader::Line &line);

private:
  class Running;
  /// Takes the answer of a request, or none if it was cancelled. Called once.
  using Reply = std::function<void(std::optional<Json> message)>;

  void receive(const IncomingLine &line);
  void take(const Incoming &message, const Reply &reply);
  void cancel(const Incoming &notification);
  void start(const Incoming &request, Era era, const Reply &reply);
  void run(const std::shared_ptr<Running> &call);
  void reap();
  void send(const Json &message);

  Host &host_;
  Send send_;
  ProtocolState state_;
  std::mutex sending_, mutex_;
  std::map<std::string, std::shared_ptr<Running>> calls_; ///< in work, by the text of their ids
  std::vector<std::shared_ptr<Running>> started_;         ///< whose threads are not joined; of receive()'s thread alone
};

} // namespace agentic::mcp
