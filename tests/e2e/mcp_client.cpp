#include "tests/e2e/mcp_client.h"

#include "tool/base/clock.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace agentic::e2e {

using nlohmann::json;

McpClient::McpClient(const std::vector<std::string> &arguments, const fs::path &log) {
  int toServer[2], fromServer[2];
  if (::pipe2(toServer, O_CLOEXEC) != 0 || ::pipe2(fromServer, O_CLOEXEC) != 0)
    throw std::runtime_error("pipe failed");
  std::vector<std::string> words = {toolPath(), "mcp"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const int err = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(toServer[0], STDIN_FILENO);
    ::dup2(fromServer[1], STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(err);
  ::close(toServer[0]);
  ::close(fromServer[1]);
  in_ = toServer[1];
  out_ = fromServer[0];
}

McpClient::~McpClient() {
  closeInput();
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    wait();
  }
  ::close(out_);
}

void McpClient::closeInput() {
  if (in_ >= 0)
    ::close(in_);
  in_ = -1;
}

int McpClient::wait() {
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_)
    return -1;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void McpClient::kill() {
  ::kill(pid_, SIGKILL);
}

std::string McpClient::line() {
  for (;;) {
    if (const std::size_t end = rest_.find('\n'); end != std::string::npos) {
      std::string line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return line;
    }
    char buffer[1 << 14];
    const ssize_t count = ::read(out_, buffer, sizeof buffer);
    if (count <= 0)
      return {};
    rest_.append(buffer, static_cast<std::size_t>(count));
  }
}

void McpClient::send(const json &message) {
  const std::string text = message.dump() + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(in_, text.data() + at, text.size() - at);
    if (written < 0)
      throw std::runtime_error("the server does not read");
    at += static_cast<std::size_t>(written);
  }
}

json McpClient::message() {
  const std::string text = line();
  if (text.empty())
    throw std::runtime_error("the server has ended");
  json message = json::parse(text, nullptr, false);
  if (message.is_discarded())
    throw std::runtime_error("no message on stdout: " + text);
  EXPECT_EQ(message.value("jsonrpc", ""), "2.0") << text;
  if (message.value("method", "") == "notifications/progress")
    ++notifications;
  else if (message.contains("id"))
    answers_.push_back(message);
  return message;
}

json McpClient::answerTo(const json &id) {
  for (;;) {
    for (auto answer = answers_.begin(); answer != answers_.end(); ++answer)
      if ((*answer)["id"] == id) {
        json found = std::move(*answer);
        answers_.erase(answer);
        return found;
      }
    message();
  }
}

void McpClient::untilProgress(const std::string &words) {
  for (;;) {
    const json one = message();
    if (one.value("method", "") == "notifications/progress" &&
        one["params"]["message"].get<std::string>().find(words) != std::string::npos)
      return;
  }
}

json McpClient::request(const std::string &method, json params) {
  const int id = ++id_;
  const double start = steadySeconds();
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  json answer = answerTo(id);
  slowest = std::max(slowest, steadySeconds() - start);
  return answer;
}

void McpClient::sendCall(const json &id, const std::string &tool, json arguments) {
  send({{"jsonrpc", "2.0"},
        {"id", id},
        {"method", "tools/call"},
        {"params", {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", {{"progressToken", id}}}}}});
}

json McpClient::call(const std::string &tool, json arguments) {
  const json answer =
      request("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", {{"progressToken", 0}}}});
  if (!answer.contains("result"))
    throw std::runtime_error(answer.dump());
  const json &result = answer["result"];
  EXPECT_EQ(json::parse(result["content"][0]["text"].get<std::string>()), result["structuredContent"]);
  return result["structuredContent"];
}

json McpClient::ended(json answer) {
  while (answer.value("state", "") == "running")
    answer = call("status", {{"job", answer["job"]}, {"wait", 20}});
  return answer;
}

json McpClient::result(const std::string &tool, json arguments) {
  const json answer = ended(call(tool, std::move(arguments)));
  EXPECT_EQ(answer.value("state", ""), "done") << answer;
  return answer.value("result", json::object());
}

} // namespace agentic::e2e
