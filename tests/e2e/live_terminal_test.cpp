// Tests the live area in a real terminal (tmux): it exists once, fits also after a resize, and is removed properly.
#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/terminal_text.h"
#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t countOf(const std::string &text, const std::string &part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

/// A terminal of its own server, with a shell in it; both end with it.
class Terminal {
public:
  Terminal(const fs::path &folder, int columns, int rows, const std::string &environment)
      : socket_((folder / ("tmux" + std::to_string(++made_))).string()), raw_((folder / "raw").string()) {
    fs::remove(raw_);
    tmux({"-f", "/dev/null", "new-session", "-d", "-x", std::to_string(columns), "-y", std::to_string(rows),
          "env " + environment + " /bin/sh"});
    tmux({"pipe-pane", "-o", "cat > '" + raw_ + "'"});
    eventually([this] { return !trim(screen()).empty(); });
    type("trap '' INT"); // the shell ignores an interrupt too many
  }
  ~Terminal() { tmux({"kill-server"}); }

  void type(const std::string &line) { tmux({"send-keys", "-l", line}), press("Enter"); }
  void press(const std::string &key) { tmux({"send-keys", key}); }
  void resize(int columns, int rows) {
    tmux({"resize-window", "-x", std::to_string(columns), "-y", std::to_string(rows)});
  }
  std::string screen() const { return tmux({"capture-pane", "-p"}); }
  std::string all() const { return tmux({"capture-pane", "-p", "-S", "-"}); } ///< with what scrolled away
  bool hasCursor() const { return trim(tmux({"display-message", "-p", "#{cursor_flag}"})) == "1"; }
  std::string raw() const { return readFile(raw_).value_or(""); } ///< every byte that was written to it

  /// Waits until `text` is on the screen, or was and has scrolled away.
  ::testing::AssertionResult shows(const std::string &text) const {
    if (eventually([&] { return all().find(text) != std::string::npos; }))
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "no '" << text << "' on the screen:\n" << all();
  }

private:
  std::string tmux(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"tmux", "-u", "-S", socket_});
    return runCommand(arguments, kPatience, {{"TERM", "xterm-256color"}}).out;
  }
  inline static int made_ = 0; ///< an ended server still has its socket, so each has its own
  std::string socket_, raw_;
};

class LiveTerminal : public testing::Test {
protected:
  static void SetUpTestSuite() {
    if (runCommand({"sh", "-c", "command -v tmux"}).status != 0)
      return;
    project_ = new Project("examples/quickstart");
    const Outcome configured = project_->configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  static void TearDownTestSuite() {
    delete project_;
    project_ = nullptr;
  }
  void SetUp() override {
    if (!project_)
      GTEST_SKIP() << "tmux is not installed";
  }

  static std::string optimize(const std::string &more) {
    return "'" + toolPath() + "' optimize -B '" + project_->build().string() + "' --no-write " + more + " >'" +
           output().string() + "'; echo status''=$?";
  }
  static fs::path output() { return project_->root() / "output"; }

  /// Expects one area, or none, anywhere; no line wraps.
  static void expectOneArea(const Terminal &terminal, std::size_t columns, std::size_t areas = 1) {
    // A capture may show half of a frame.
    std::string all;
    eventually([&] { return countOf(all = terminal.all(), "  rejected  ") >= areas; });
    EXPECT_EQ(countOf(all, "  rejected  "), areas) << all;
    EXPECT_EQ(countOf(all, "  best      "), areas) << all;
    for (const std::string &line : split(terminal.screen(), '\n'))
      if (line.starts_with("  best      ") || line.starts_with("  rejected  ")) {
        EXPECT_LT(displayColumns(line), columns) << line;
      }
  }

  static Project *project_;
};
Project *LiveTerminal::project_ = nullptr;

TEST_F(LiveTerminal, At80ColumnsItStaysOneAndAnInterruptEndsCleanly) {
  Terminal terminal(project_->root(), 80, 24, "LC_ALL=C.UTF-8");
  terminal.type(optimize("--max-seconds 3600"));
  ASSERT_TRUE(terminal.shows("  rejected  "));
  EXPECT_FALSE(terminal.hasCursor());
  expectOneArea(terminal, 80);
  ASSERT_TRUE(terminal.shows("[  1]")); // a note scrolls above it
  ASSERT_TRUE(terminal.shows(" left"));
  expectOneArea(terminal, 80);
  for (const auto &[columns, rows] : {std::pair(50, 20), std::pair(120, 40), std::pair(40, 12), std::pair(80, 24)}) {
    terminal.resize(columns, rows);
    const std::size_t before = countOf(terminal.raw(), "\033[?2026h");
    ASSERT_TRUE(eventually([&] { return countOf(terminal.raw(), "\033[?2026h") > before + 2; }));
    expectOneArea(terminal, static_cast<std::size_t>(columns));
  }
  terminal.press("C-c");
  ASSERT_TRUE(terminal.shows("status=130"));
  EXPECT_THAT(terminal.all(), HasSubstr("interrupted; nothing was written"));
  EXPECT_THAT(terminal.all(), HasSubstr("--resume"));
  EXPECT_TRUE(terminal.hasCursor());
  expectOneArea(terminal, 80, 0);
  EXPECT_THAT(readFile(output()).value_or(""), Not(HasSubstr("\033")));
  EXPECT_THAT(readFile(output()).value_or(""), HasSubstr("none confirmed yet"));
}

TEST_F(LiveTerminal, At200ColumnsASecondInterruptAborts) {
  Terminal terminal(project_->root(), 200, 50, "LC_ALL=C.UTF-8 NO_COLOR=1");
  // Between the two interrupts, the run may have ended by itself: that cannot be told.
  terminal.type(optimize("--max-seconds 3600"));
  ASSERT_TRUE(terminal.shows("  rejected  "));
  expectOneArea(terminal, 200);
  ASSERT_TRUE(terminal.shows("  ["));                     // it searches
  EXPECT_THAT(terminal.raw(), Not(HasSubstr("\033[1m"))); // no colours
  terminal.press("C-c");
  terminal.press("C-c");
  ASSERT_TRUE(terminal.shows("status=130"));
  EXPECT_TRUE(terminal.hasCursor());
  expectOneArea(terminal, 200, 0);
}

TEST_F(LiveTerminal, ADeadlySignalLeavesTheTerminalAsItWas) {
  Terminal terminal(project_->root(), 80, 24, "LC_ALL=C.UTF-8");
  const fs::path pid = project_->root() / "pid";
  terminal.type("ulimit -c 0");
  terminal.type("sh -c 'echo $$ >\"$0\"; exec \"$@\"' '" + pid.string() + "' " + optimize("--max-seconds 3600"));
  ASSERT_TRUE(terminal.shows("  rejected  "));
  EXPECT_FALSE(terminal.hasCursor());
  const std::string number(trim(readFile(pid).value_or("")));
  ASSERT_FALSE(number.empty());
  EXPECT_EQ(runCommand({"kill", "-ABRT", number}).status, 0);
  ASSERT_TRUE(terminal.shows("status=134"));
  EXPECT_TRUE(terminal.hasCursor());
  expectOneArea(terminal, 80, 0);
}

TEST_F(LiveTerminal, WhatAModelNamesItsFilesMovesNothing) {
  const fs::path script = project_->root() / "agent";
  ASSERT_TRUE(writeFileAtomic(script, "#!/bin/sh\ncat >/dev/null\n"
                                      "echo >>\"$0.calls\"\n" // the third is answered once it may be
                                      "while [ \"$(wc -l <\"$0.calls\")\" -gt 2 ] && [ ! -e \"$0.go\" ]; do "
                                      "sleep 0.1; done\n"
                                      "printf 'Idea: \\033[2J\\033[9A \\342\\200\\256 日本語 🚀.\\n\\n```cpp "
                                      "evil\\033[2J日本.cpp\\nint x%s;\\n```\\n' \"$$\"\n"));
  fs::permissions(script, fs::perms::owner_all);
  Terminal terminal(project_->root(), 60, 24, "LC_ALL=C.UTF-8");
  terminal.type(optimize("--max-seconds 0 --max-iterations 8 --agent 'command:" + script.string() + "'"));
  ASSERT_TRUE(terminal.shows("  model     "));
  ASSERT_TRUE(terminal.shows("[  2]"));
  expectOneArea(terminal, 60);
  ASSERT_TRUE(writeFileAtomic(script.string() + ".go", ""));
  ASSERT_TRUE(terminal.shows("status="));
  EXPECT_THAT(terminal.raw(), Not(HasSubstr("\033[2J")));
  EXPECT_THAT(terminal.raw(), Not(HasSubstr("\u202e")));
}

TEST_F(LiveTerminal, ADumbTerminalGetsPlainLines) {
  Terminal terminal(project_->root(), 80, 24, "TERM=dumb");
  terminal.type(optimize("--max-seconds 0 --max-iterations 2"));
  ASSERT_TRUE(terminal.shows("status="));
  EXPECT_THAT(terminal.all(), HasSubstr("[  1]"));
  EXPECT_THAT(terminal.all(), Not(HasSubstr("  rejected  ")));
  EXPECT_THAT(terminal.raw(), Not(HasSubstr("\033")));
}

TEST_F(LiveTerminal, APipeGetsPlainLinesAndQuietNone) {
  const std::vector<std::string> arguments = {"optimize", "--no-write", "--max-iterations", "2"};
  const Outcome piped = project_->tool(arguments);
  EXPECT_THAT(piped.err, HasSubstr("[  1]"));
  EXPECT_THAT(piped.err, Not(HasSubstr("\033")));
  std::vector<std::string> quiet = arguments;
  quiet.push_back("--quiet");
  const Outcome silent = project_->tool(quiet);
  for (const std::string &line : split(silent.err, '\n'))
    EXPECT_TRUE(line.empty() || line.starts_with("warning:")) << line;
  EXPECT_TRUE(silent.json.is_object());
}

} // namespace
} // namespace agentic::e2e
