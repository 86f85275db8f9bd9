#include "tool/cli/live_area.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

namespace agentic {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFrame{100}, kTick{250}; ///< least time between two frames; between looks at clock and size
constexpr std::string_view kHide = "\033[?25l", kShow = "\033[?25h";
constexpr std::string_view kBeginFrame = "\033[?2026h", kEndFrame = "\033[?2026l"; ///< unknown ones are ignored
constexpr std::array kDeadly = {SIGQUIT, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/// For the signal handlers: where the area is (-1 = nowhere), and how far above the cursor it begins.
std::atomic<int> shownOn{-1}, rowsAbove{0};
std::atomic<pid_t> owner{0}; ///< a forked child has these handlers, but no area
std::atomic<bool> wasStopped{false};

void writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR && errno != EAGAIN)
      return;
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
  }
}

extern "C" void onDeadlySignal(int number) {
  restoreTerminal();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

extern "C" void onStop(int) {
  const int savedError = errno, fd = shownOn.load();
  restoreTerminal();
  ::raise(SIGSTOP);
  if (fd >= 0 && ::getpid() == owner.load()) { // the process goes on
    shownOn = fd;
    wasStopped = true;
    writeAll(fd, kHide);
  }
  errno = savedError;
}

/// Installs a handler; another one, such as a sanitizer's, stays.
void handle(int number, void (*handler)(int)) {
  struct sigaction before{};
  if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL)
    return;
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

bool hasUnicodeTerminal() {
  for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *value = std::getenv(name); value && *value) {
      const std::string_view locale = value;
      return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos ||
             locale.find("UTF8") != locale.npos || locale.find("utf-8") != locale.npos;
    }
  return false;
}

} // namespace

void restoreTerminal() {
  if (::getpid() != owner.load())
    return;
  const int fd = shownOn.exchange(-1);
  if (fd < 0)
    return;
  char text[32] = "\r";
  std::size_t size = 1;
  if (const int up = rowsAbove.load(); up > 0 && up < 1000) {
    text[size++] = '\033';
    text[size++] = '[';
    for (int digit = 100; digit > 0; digit /= 10)
      if (up >= digit)
        text[size++] = static_cast<char>('0' + up / digit % 10);
    text[size++] = 'A';
  }
  for (const char c : std::string_view("\033[J\033[?25h\033[?2026l"))
    text[size++] = c;
  writeAll(fd, std::string_view(text, size));
}

LiveSize LiveArea::size() const {
  winsize window{};
  LiveSize size{.hasColor = hasColor_, .hasUnicode = hasUnicodeTerminal()};
  if (::ioctl(fd_, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0) {
    size.columns = window.ws_col;
    size.rows = window.ws_row;
  }
  return size;
}

void LiveArea::begin(LiveSource &source) {
  end();
  source_ = &source;
  ends_ = false;
  isDirty_ = true;
  for (const int number : kDeadly)
    handle(number, onDeadlySignal);
  handle(SIGTSTP, onStop);
  rowsAbove = 0;
  owner = ::getpid();
  shownOn = fd_;
  writeAll(fd_, kHide);
  sigset_t all, before; // only the main thread handles signals
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { drawing(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void LiveArea::end() {
  if (!source_)
    return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
  const std::string last = toTop(size().columns) + "\033[J" + pending_ + std::string(kShow);
  shownOn = -1;
  writeAll(fd_, last);
  pending_.clear();
  drawn_.clear();
  lastFrame_.clear();
  source_ = nullptr;
}

void LiveArea::print(const std::string &lines) {
  const std::lock_guard lock(mutex_);
  pending_ += lines;
  isDirty_ = true;
  wake_.notify_all();
}

void LiveArea::touch() {
  const std::lock_guard lock(mutex_);
  isDirty_ = true;
  wake_.notify_all();
}

void LiveArea::erase() {
  const std::lock_guard lock(mutex_);
  writeAll(fd_, toTop(size().columns) + "\033[J" + pending_);
  pending_.clear();
  drawn_.clear();
  lastFrame_.clear();
  rowsAbove = 0;
}

void LiveArea::drawing() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    isDirty_ = false;
    draw();
    wake_.wait_for(lock, kFrame, [this] { return ends_; });
    wake_.wait_for(lock, kTick, [this] { return ends_ || isDirty_; });
  }
}

/// Moves the cursor from the beginning of the last line to the area's first row. A terminal that became narrower has
/// broken the lines into more rows.
std::string LiveArea::toTop(std::size_t columns) const {
  std::size_t up = 0;
  for (std::size_t i = 0; i + 1 < drawn_.size(); ++i)
    up += drawn_[i] == 0 ? 1 : (drawn_[i] + columns - 1) / columns;
  return "\r" + (up > 0 ? "\033[" + std::to_string(up) + "A" : "");
}

void LiveArea::draw() {
  if (shownOn < 0)
    return;                         // a signal is ending the process
  if (wasStopped.exchange(false)) { // the shell's output in the meantime stays
    drawn_.clear();
    lastFrame_.clear();
  }
  const LiveSize now = size();
  const std::vector<LiveLine> lines = source_->lines(now);
  std::string frame;
  for (std::size_t i = 0; i < lines.size(); ++i)
    frame += (i ? "\r\n" : "") + lines[i].text + "\033[K";
  if (pending_.empty() && frame == lastFrame_ && now.columns == drawnColumns_)
    return;
  std::string text = std::string(kBeginFrame) + toTop(now.columns);
  if (!pending_.empty() || now.columns != drawnColumns_)
    text += "\033[J";
  text += pending_ + frame + "\033[J\r" + std::string(kEndFrame);
  pending_.clear();
  drawn_.clear();
  for (const LiveLine &line : lines)
    drawn_.push_back(line.columns);
  lastFrame_ = std::move(frame);
  drawnColumns_ = now.columns;
  rowsAbove = static_cast<int>(lines.size()) - 1;
  writeAll(fd_, text);
}

} // namespace agentic
