#include "tool/cli/console.h"

#include "tool/base/terminal_text.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr const char *kRed = "31", *kYellow = "33", *kBold = "1";

/// Returns whether `fd` is a terminal that knows escape sequences.
bool isTerminal(int fd) {
  const char *term = std::getenv("TERM");
  return ::isatty(fd) && term && *term && std::string(term) != "dumb";
}

bool wantsColor(int fd) {
  const char *noColor = std::getenv("NO_COLOR");
  return isTerminal(fd) && !(noColor && *noColor);
}

/// Returns whether another job uses the terminal now: then nothing may be drawn over.
bool isInBackground(int fd) {
  const pid_t foreground = ::tcgetpgrp(fd);
  return foreground > 0 && foreground != ::getpgrp();
}

int terminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

} // namespace

Console::Console()
    : outColor_(wantsColor(STDOUT_FILENO)), errColor_(wantsColor(STDERR_FILENO)),
      errTerminal_(isTerminal(STDERR_FILENO)), area_(STDERR_FILENO, errColor_) {}

void Console::toErr(const std::string &text) {
  if (area_.isShown())
    return area_.print(text);
  endProgress();
  std::fputs(text.c_str(), stderr);
}

void Console::beginLive(LiveSource &source) {
  if (!errTerminal_ || quiet_ || isInBackground(STDERR_FILENO))
    return;
  endProgress();
  std::fflush(stderr);
  area_.begin(source);
}

std::string Console::paint(const char *code, const std::string &text, bool enabled) const {
  return enabled ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

std::string Console::bold(const std::string &text) const {
  return paint(kBold, text, outColor_);
}

void Console::out(const std::string &line) {
  endProgress();
  if (area_.isShown())
    area_.erase();
  std::fprintf(stdout, "%s\n", line.c_str());
  if (area_.isShown())
    std::fflush(stdout);
}

void Console::note(const std::string &line) {
  if (!quiet_)
    say(line);
}

void Console::say(const std::string &line) {
  toErr(printable(line, true) + "\n");
}

std::optional<bool> Console::agrees(const std::string &question) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
    return std::nullopt;
  say(question);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

void Console::warn(const std::string &message) {
  if (warned_.insert(message).second)
    toErr(paint(kYellow, "warning:", errColor_) + " " + printable(message, true) + "\n");
}

void Console::error(const Error &error) {
  std::string text = paint(kRed, "error:", errColor_) + " " + printable(error.message, true) + "\n";
  if (!error.next.empty())
    text += "  next: " + printable(error.next, true) + "\n";
  if (error.kind == ErrorKind::Bug)
    text += "  next: this is a bug in agentic-kernel; please report it with this message\n";
  toErr(text);
}

void Console::finding(const Finding &finding) {
  place(finding, paint(kRed, "error:", errColor_));
}

void Console::remark(const Finding &note) {
  place(note, "note:");
}

void Console::place(const Finding &finding, const std::string &kind) {
  std::string where = finding.file;
  if (finding.line > 0)
    where += ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
  toErr(printable(where) + ": " + kind + " " + printable(finding.message, true) + " [" + finding.check + "]\n");
}

void Console::json(const nlohmann::json &object) {
  endProgress();
  area_.end();
  std::fflush(stderr);
  std::fprintf(stdout, "%s\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void Console::progress(const std::string &line) {
  if (area_.isShown())
    return area_.source()->activity(line);
  if (!errTerminal_ || quiet_)
    return;
  const auto width = static_cast<std::size_t>(terminalWidth() - 1);
  std::fprintf(stderr, "\r\033[K%s", fitted(printable(line), width).c_str());
  std::fflush(stderr);
  progressShown_ = true;
}

void Console::endProgress() {
  if (!progressShown_)
    return;
  std::fprintf(stderr, "\r\033[K");
  progressShown_ = false;
}

int Console::fail(const Error &failure, bool asJson, nlohmann::json object) {
  error(failure);
  if (asJson) {
    object["error"] = {{"message", failure.message}, {"next", failure.next}};
    json(object);
  }
  return static_cast<int>(failure.kind);
}

} // namespace agentic
