// Shared by the tests of the sandbox: one of each kind that works here, shells and small programs inside it.
#pragma once

#include "tests/build/scratch.h"
#include "tool/build/sandbox.h"

#include <array>
#include <string>
#include <unistd.h>
#include <vector>

namespace agentic {

inline constexpr std::array kConfining = {Sandbox::Strength::Bubblewrap, Sandbox::Strength::BubblewrapNoUserNamespace,
                                          Sandbox::Strength::OwnLauncher};

inline std::string strengthName(const testing::TestParamInfo<Sandbox::Strength> &info) {
  return std::array{"Bubblewrap", "BubblewrapNoUserNamespace", "OwnLauncher",
                    "RlimitsOnly"}[static_cast<std::size_t>(info.param)];
}

inline Sandbox::View seeing(std::vector<std::string> readOnly, std::vector<std::string> writable = {},
                            Tasks tasks = Tasks::Processes) {
  Sandbox::View view;
  view.readOnly = std::move(readOnly);
  view.writable = std::move(writable);
  view.tasks = tasks;
  return view;
}

/// Makes a word that no other test's command line on this machine has. "3.14" becomes "3.14" and a number.
inline std::string ownWord(const std::string &word) {
  return word + std::to_string(::getpid());
}

/// Returns whether some process has `word` in its command line; waits long for its end.
inline bool staysRunning(const std::string &word) {
  bool found = true;
  for (int i = 0; i < 1200 && found; ++i, ::usleep(50'000)) {
    found = false;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator("/proc", error)) {
      const auto line = readFile(entry.path() / "cmdline");
      found = found || (line && line->find(word) != std::string::npos);
    }
  }
  return found;
}

/// Limit for programs that end by themselves: a busy machine is slow.
inline constexpr double kPatience = 300;

class SandboxTest : public ScratchTest, public testing::WithParamInterface<Sandbox::Strength> {
protected:
  void SetUp() override {
    ScratchTest::SetUp();
    sandbox_ = Sandbox::ofStrength(GetParam());
    if (!sandbox_)
      GTEST_SKIP() << "this kind of sandbox does not work here";
  }
  const Sandbox &sandbox() const { return *sandbox_; }
  ProcessResult run(ProcessSpec spec, const Sandbox::View &view = {}) const {
    auto result = sandbox().run(std::move(spec), view);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result ? *result : ProcessResult{};
  }
  ProcessResult shell(const std::string &command, const Sandbox::View &view = {}) const {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", command};
    spec.timeoutSeconds = kPatience;
    return run(std::move(spec), view);
  }
  /// Compiles a C++ program outside the sandbox, and returns its path.
  std::string program(const std::string &code) const {
    ProcessSpec spec;
    spec.argv = {"g++", "-std=c++17", "-O1", "-w", "-pthread", write("main.cpp", code), "-o", path("main")};
    const auto result = runProcess(spec);
    EXPECT_TRUE(result && result->ok()) << (result ? result->err : result.error().message);
    return path("main");
  }
  ProcessResult runProgram(const std::string &code, Sandbox::View view = {}, std::vector<std::string> arguments = {},
                           double seconds = kPatience) const {
    ProcessSpec spec;
    spec.argv = {program(code)};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.timeoutSeconds = seconds;
    view.readOnly.push_back(path("main"));
    return run(std::move(spec), view);
  }

private:
  std::optional<Sandbox> sandbox_;
};

} // namespace agentic
