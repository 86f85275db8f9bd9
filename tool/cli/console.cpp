#include "tool/cli/console.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr const char *kRed = "31", *kYellow = "33", *kBold = "1";

bool wantsColor(int fd) {
  const char *noColor = std::getenv("NO_COLOR");
  const char *term = std::getenv("TERM");
  return ::isatty(fd) && !(noColor && *noColor) && term && std::string(term) != "dumb";
}

int terminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

} // namespace

Console::Console()
    : outColor_(wantsColor(STDOUT_FILENO)), errColor_(wantsColor(STDERR_FILENO)),
      errTerminal_(::isatty(STDERR_FILENO)) {}

std::string Console::paint(const char *code, const std::string &text, bool enabled) const {
  return enabled ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

std::string Console::bold(const std::string &text) const {
  return paint(kBold, text, outColor_);
}

void Console::out(const std::string &line) {
  endProgress();
  std::fprintf(stdout, "%s\n", line.c_str());
}

void Console::note(const std::string &line) {
  endProgress();
  std::fprintf(stderr, "%s\n", line.c_str());
}

void Console::warn(const std::string &message) {
  if (!warned_.insert(message).second)
    return;
  endProgress();
  std::fprintf(stderr, "%s %s\n", paint(kYellow, "warning:", errColor_).c_str(), message.c_str());
}

void Console::error(const Error &error) {
  endProgress();
  std::fprintf(stderr, "%s %s\n", paint(kRed, "error:", errColor_).c_str(), error.message.c_str());
  if (!error.next.empty())
    std::fprintf(stderr, "  next: %s\n", error.next.c_str());
  if (error.kind == ErrorKind::Bug)
    std::fprintf(stderr, "  next: this is a bug in agentic-kernel; please report it with this message\n");
}

void Console::finding(const Finding &finding) {
  place(finding, paint(kRed, "error:", errColor_));
}

void Console::remark(const Finding &note) {
  place(note, "note:");
}

void Console::place(const Finding &finding, const std::string &kind) {
  endProgress();
  std::string where = finding.file;
  if (finding.line > 0)
    where += ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
  std::fprintf(stderr, "%s: %s %s [%s]\n", where.c_str(), kind.c_str(), finding.message.c_str(), finding.check.c_str());
}

void Console::json(const nlohmann::json &object) {
  endProgress();
  std::fflush(stderr);
  std::fprintf(stdout, "%s\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void Console::progress(const std::string &line) {
  if (!errTerminal_)
    return;
  const auto width = static_cast<std::size_t>(terminalWidth() - 1);
  std::fprintf(stderr, "\r\033[K%s", line.substr(0, width).c_str());
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
