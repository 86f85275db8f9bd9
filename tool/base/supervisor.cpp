#include "tool/base/supervisor.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

namespace agentic {
namespace {

/// After the child's end a process that left the group may still hold the pipes: read for this long, then stop.
constexpr double kDrainSeconds = 0.1;
/// Seconds between two looks at `cancelled`, and at the child's state on kernels without pidfd_open.
constexpr double kPollSeconds = 0.02;
/// Seconds between two looks at the written folders; more if a look takes long.
constexpr double kFolderSeconds = 0.05, kFolderShare = 20;
/// The size that counts for an empty file or folder.
constexpr std::uint64_t kEntryBytes = 4096;

/// Returns whether the folders hold more than `limit`. The child may change them meanwhile.
bool holdMoreThan(const std::vector<std::string> &folders, std::uint64_t limit) {
  std::uint64_t bytes = 0;
  for (const std::string &folder : folders) {
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
         entry.increment(error)) {
      struct stat status{};
      bytes += kEntryBytes;
      if (::lstat(entry->path().c_str(), &status) == 0)
        bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
      if (bytes > limit)
        return true;
    }
  }
  return false;
}

/// One stream of the child: bytes beyond the cap are read, so that the child never blocks, and dropped.
class Stream {
public:
  Stream(Descriptor fd, std::size_t cap) : fd_(std::move(fd)), cap_(cap) {
    if (fd_.isOpen())
      ::fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }
  pollfd waiting() const { return {fd_.get(), POLLIN, 0}; } // poll ignores an fd of -1
  bool isOpen() const { return fd_.isOpen(); }
  void readAvailable() {
    std::array<char, 1 << 16> buffer;
    // Bounded, so that a child that writes without end cannot keep us from looking at the clock.
    for (int round = 0; round < 16 && isOpen(); ++round) {
      const ssize_t count = ::read(fd_.get(), buffer.data(), buffer.size());
      if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (count <= 0)
        return fd_.close();
      const std::size_t kept = std::min(static_cast<std::size_t>(count), cap_ - text.size());
      text.append(buffer.data(), kept);
      truncated = truncated || kept < static_cast<std::size_t>(count);
    }
  }
  std::string text;
  bool truncated = false;

private:
  Descriptor fd_;
  std::size_t cap_;
};

/// Waits for one child and collects its output.
class Supervisor {
public:
  Supervisor(const ProcessSpec &spec, pid_t child, double start, Descriptor out, Descriptor err,
             const std::function<void()> &beforeReaping)
      : spec_(spec), child_(child), start_(start), nextLook_(start + kFolderSeconds), beforeReaping_(beforeReaping),
        out_(std::move(out), spec.outputCapBytes), err_(std::move(err), spec.outputCapBytes),
        pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))) {}

  ProcessResult run() {
    ProcessResult result;
    bool killed = false;
    while (!hasExited()) {
      const double left = start_ + spec_.timeoutSeconds - steadySeconds();
      const bool cancelled = spec_.cancelled && spec_.cancelled->load();
      const bool tooMuch = !killed && wroteTooMuch();
      if (!killed && (cancelled || left <= 0 || tooMuch)) {
        result.end = cancelled   ? ProcessResult::End::Cancelled
                     : left <= 0 ? ProcessResult::End::TimedOut
                                 : ProcessResult::End::WroteTooMuch;
        killGroup();
        killed = true;
      }
      const bool mustPoll = spec_.cancelled || !pidfd_.isOpen() || killed;
      const double longest = guards() && !killed ? std::min(left, kFolderSeconds) : left;
      wait(mustPoll ? std::min(kPollSeconds, killed ? kPollSeconds : longest) : longest);
    }
    result.wallSeconds = steadySeconds() - start_;
    killGroup(); // the processes that the child left; we have not reaped its pid, so no other group has its number
    beforeReaping_();
    int status = 0;
    rusage usage{};
    while (::wait4(child_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    const bool isCancelled = killed && result.end == ProcessResult::End::Cancelled; // nobody reads its output
    const double drainUntil = steadySeconds() + (isCancelled ? 0 : kDrainSeconds);
    while ((out_.isOpen() || err_.isOpen()) && steadySeconds() < drainUntil)
      wait(drainUntil - steadySeconds());
    fill(result, status, usage, killed);
    return result;
  }

private:
  bool guards() const { return spec_.limits.writtenBytes > 0 && !spec_.writtenFolders.empty(); }
  bool wroteTooMuch() {
    const double now = steadySeconds();
    if (!guards() || now < nextLook_)
      return false;
    const bool tooMuch = holdMoreThan(spec_.writtenFolders, spec_.limits.writtenBytes);
    nextLook_ = now + std::max(kFolderSeconds, kFolderShare * (steadySeconds() - now));
    return tooMuch;
  }
  bool hasExited() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child_;
  }
  void killGroup() const {
    ::kill(-child_, SIGKILL);
    ::kill(child_, SIGKILL); // the child may have moved to another group
  }
  /// Waits until there is output, the child has ended, or `seconds` have passed.
  void wait(double seconds) {
    std::array<pollfd, 3> events{out_.waiting(), err_.waiting(), pollfd{pidfd_.get(), POLLIN, 0}};
    const double milliseconds = std::ceil(std::clamp(seconds, 0.0, 3600.0) * 1000);
    if (::poll(events.data(), events.size(), static_cast<int>(milliseconds)) < 0)
      return;
    if (events[0].revents)
      out_.readAvailable();
    if (events[1].revents)
      err_.readAvailable();
    if (events[2].revents)
      pidfd_.close(); // it would wake every later poll
  }
  void fill(ProcessResult &result, int status, const rusage &usage, bool killed) {
    if (!killed) {
      result.end = WIFSIGNALED(status) ? ProcessResult::End::Signalled : ProcessResult::End::Exited;
      result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    const auto seconds = [](timeval time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    result.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    result.timeoutSeconds = spec_.timeoutSeconds;
    result.truncated = out_.truncated || err_.truncated;
    result.out = std::move(out_.text);
    result.err = std::move(err_.text);
  }

  const ProcessSpec &spec_;
  pid_t child_;
  double start_, nextLook_;
  const std::function<void()> &beforeReaping_;
  Stream out_, err_;
  Descriptor pidfd_;
};

} // namespace

ProcessResult superviseChild(const ProcessSpec &spec, pid_t child, double start, Descriptor out, Descriptor err,
                             const std::function<void()> &beforeReaping) {
  return Supervisor(spec, child, start, std::move(out), std::move(err), beforeReaping).run();
}

} // namespace agentic
