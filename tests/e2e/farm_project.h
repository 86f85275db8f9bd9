// A project whose candidates, of a scripted agent, are measured on a farm; servers that a test starts and ends.
#pragma once

#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace agentic::e2e {

inline constexpr int kCandidates = 8;

/// Of an engine: what the worker is, which files it lacks, and one result.
inline constexpr const char *kThreeAnswers = "exec bash -c 'set -o pipefail; sh -c \"$1\" | sed -u 3q' bash \"$1\"\n";

/// The n-th: one that is faster beyond doubt, a wrong one, one that does not compile, one that does everything twice.
inline std::string candidateText(int n) {
  const std::string walk = "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
                           "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
                           "      sums[c] += matrix[r * columns + c];\n";
  const std::string across = "  for (std::size_t c = 0; c < columns; ++c) {\n    float sum = 0.0f;\n"
                             "    for (std::size_t r = 0; r < rows; ++r)\n      sum += matrix[r * columns + c];\n"
                             "    sums[c] = sum;\n  }\n";
  const std::string bodies[] = {walk, walk + "  sums[0] += 1.0f;\n", "  undeclared(" + std::to_string(n) + ");\n",
                                across + across};
  return "#include <cstddef>\n// " + std::to_string(n) +
         "\nvoid columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n" +
         bodies[(n - 1) % 4] + "}\n";
}

inline std::uint16_t freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr *>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

inline bool accepts(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool connected = ::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

class Farm : public testing::Test {
protected:
  void SetUp() override {
    for (int n = 1; n <= kCandidates; ++n)
      ASSERT_TRUE(writeFileAtomic(agent() / ("reply." + std::to_string(n)), "```cpp\n" + candidateText(n) + "```\n"));
    // Several may be asked at once.
    script(agent() / "agent.sh",
           "cat > /dev/null\nn=1\nwhile ! mkdir \"$1/taken.$n\" 2>/dev/null; do n=$((n + 1)); done\n"
           "cat \"$1/reply.$n\"\n");
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  void TearDown() override {
    for (auto server = servers_.rbegin(); server != servers_.rend(); ++server) {
      (*server)->signal(SIGTERM);
      (*server)->finish();
    }
  }
  /// Starts a server that stays in the foreground. It stops by itself, should nobody end it.
  void start(const std::string &name, std::vector<std::string> argv) {
    argv.insert(argv.begin(), {"timeout", "--foreground", "1800"});
    servers_.push_back(std::make_unique<Background>(argv, root() / (name + ".pid")));
  }
  fs::path root() const { return project_.root(); }
  fs::path agent() const { return root() / "agent"; }
  static void script(const fs::path &file, const std::string &text) {
    ASSERT_TRUE(writeFileAtomic(file, "#!/bin/sh\n" + text));
    fs::permissions(file, fs::perms::owner_all);
  }
  std::vector<std::string> arguments(const std::vector<std::string> &more) const {
    std::vector<std::string> all = {"optimize",
                                    "--kernel",
                                    "column_sums",
                                    "--cold",
                                    "--no-write",
                                    "--agent",
                                    "command:" + (agent() / "agent.sh").string() + " " + agent().string(),
                                    "--max-iterations",
                                    std::to_string(kCandidates)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// A run from its begin: the agent answers as if it had never been asked.
  Outcome optimize(const std::vector<std::string> &more, const Environment &environment = {}) const {
    for (int n = 1; n <= kCandidates; ++n)
      fs::remove(agent() / ("taken." + std::to_string(n)));
    Environment all = {{"PATH", (root() / "bin").string() + ":" + std::getenv("PATH")},
                       {"XDG_CACHE_HOME", (root() / "cache").string()}};
    all.insert(all.end(), environment.begin(), environment.end());
    return runCommand(project_.toolCommand(arguments(more)), kPatience, all);
  }
  /// Of all candidates, in the order of their turns.
  static std::vector<nlohmann::json> evaluationsOf(const Outcome &outcome) {
    std::vector<nlohmann::json> evaluations;
    if (!outcome.json.is_object() || !outcome.json.contains("run_dir"))
      return evaluations;
    for (const std::string &line :
         split(readFile(outcome.json["run_dir"].get<std::string>() + "/journal.jsonl").value_or(""), '\n')) {
      const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
      if (entry.is_object() && entry.value("event", "") == "evaluated")
        evaluations.push_back(entry["evaluation"]);
    }
    return evaluations;
  }
  static std::vector<std::string> verdictsOf(const Outcome &outcome) {
    std::vector<std::string> verdicts;
    for (const nlohmann::json &evaluation : evaluationsOf(outcome))
      verdicts.push_back(evaluation["verdict"].get<std::string>() + " " + evaluation["stage"].get<std::string>());
    return verdicts;
  }
  /// An engine: it is given a shell command.
  std::string engine(const std::string &name, const std::string &text) const {
    script(root() / name, "export XDG_CACHE_HOME=" + (root() / (name + "-cache")).string() + "\n" + text);
    return "command:" + (root() / name).string();
  }

  Project project_{"examples/quickstart"};
  std::vector<std::unique_ptr<Background>> servers_;
};

} // namespace agentic::e2e
