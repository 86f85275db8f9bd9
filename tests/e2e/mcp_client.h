// A client of `agentic-kernel mcp`: the server as a child with pipes, one request at a time.
#pragma once

#include "tests/e2e/project.h"

#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

namespace agentic::e2e {

class McpClient {
public:
  /// Starts the server; its stderr goes to `log`.
  McpClient(const std::vector<std::string> &arguments, const fs::path &log);
  ~McpClient(); ///< kills the server if it still runs

  void send(const nlohmann::json &message);
  /// Sends and waits for the answer with its id; fails the test on a line that is no message.
  nlohmann::json request(const std::string &method, nlohmann::json params = nlohmann::json::object());
  /// Waits until progress with these words is heard of a call that was sent.
  void untilProgress(const std::string &words);
  /// Sends a call without waiting for its answer; answerTo(id) does.
  void sendCall(const nlohmann::json &id, const std::string &tool, nlohmann::json arguments);
  nlohmann::json answerTo(const nlohmann::json &id);
  /// Calls a tool: the structured content, which the text must equal.
  nlohmann::json call(const std::string &tool, nlohmann::json arguments = nlohmann::json::object());
  /// Asks `status` until the job of an answer has ended.
  nlohmann::json ended(nlohmann::json answer);
  /// The result of a job that must be done.
  nlohmann::json result(const std::string &tool, nlohmann::json arguments = nlohmann::json::object());

  void closeInput();
  int wait(); ///< exit status; 128 + signal
  void kill();
  pid_t pid() const { return pid_; }
  int notifications = 0; ///< of progress, so far
  double slowest = 0;    ///< seconds of a request

private:
  std::string line();       ///< empty at the end
  nlohmann::json message(); ///< the next
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, id_ = 0;
  std::string rest_;
  std::vector<nlohmann::json> answers_; ///< that came while another was waited for
};

} // namespace agentic::e2e
