#include "tests/e2e/background.h"

#include "tool/base/clock.h"
#include "tool/base/text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>

namespace agentic::e2e {

Background::Background(const std::vector<std::string> &argv, const fs::path &pidFile) : pidFile_(pidFile) {
  // The shell becomes the program, so the id it notes is the program's.
  std::vector<std::string> command = {"sh", "-c", "echo $$ >\"$0.new\" && mv \"$0.new\" \"$0\" && exec \"$@\"",
                                      pidFile.string()};
  command.insert(command.end(), argv.begin(), argv.end());
  fs::remove(pidFile);
  outcome_ = std::async(std::launch::async, [command] { return runCommand(command); });
}

bool eventually(const std::function<bool()> &condition, double timeoutSeconds) {
  const double end = steadySeconds() + timeoutSeconds;
  while (steadySeconds() < end) {
    if (condition())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

bool Background::waitUntil(const std::function<bool()> &condition, double timeoutSeconds) {
  bool holds = false;
  eventually(
      [&] {
        const bool ended = outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        holds = !ended && fs::exists(pidFile_) && condition();
        return holds || ended;
      },
      timeoutSeconds);
  return holds;
}

pid_t Background::pid() const {
  pid_t pid = 0;
  std::ifstream(pidFile_) >> pid;
  return pid;
}

void Background::signal(int number) const {
  if (pid() > 1)
    ::kill(pid(), number);
}

Outcome Background::finish() {
  return outcome_.get();
}

std::vector<std::string> processesThatMention(const std::string &text) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
        name == std::to_string(::getpid()))
      continue;
    std::ifstream file(entry.path() / "cmdline");
    std::string line{std::istreambuf_iterator<char>(file), {}};
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.find(text) != std::string::npos)
      found.push_back(name + ": " + line);
  }
  return found;
}

} // namespace agentic::e2e
