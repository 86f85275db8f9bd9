#include "tool/runner/recorder_side.h"

#include "tool/runner/recorder_call.h"
#include "tool/runner/recorder_file.h"
#include "tool/runner/statics.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace agentic::recorder {
namespace {

constexpr std::size_t kMostFreshBytes = std::size_t{32} << 20, kMostCopiedBlocks = 1 << 16;
constexpr unsigned kChildSeconds = 20;
constexpr double kLeastSidePatience = 5, kSidePatience = 30; ///< with a candidate: seconds; baseline times

/// Makes a fork end by itself, whatever happens to its parent, and print nothing.
void standAlone() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM, SIGXCPU, SIGTERM})
    ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const struct rlimit cpu{kChildSeconds, kChildSeconds + 1}, nothing{0, 0};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::setrlimit(RLIMIT_CORE, &nothing);
  ::alarm(2 * kChildSeconds);
  const int null = ::open("/dev/null", O_RDWR);
  for (int standard = 0; standard < 3; ++standard)
    if (null < 0 || ::dup2(null, standard) < 0)
      ::close(standard);
}

/// Also closes the program's files.
void confine(int keep) {
  standAlone();
  const struct rlimit nothing{0, 0};
  ::setrlimit(RLIMIT_FSIZE, &nothing);
  if (::dup2(keep, 3) == 3)
    ::syscall(SYS_close_range, 4u, ~0u, 0u);
}

} // namespace

int runAside(int (*work)(void *closure), void *closure) {
  const pid_t child = ::fork();
  if (child == 0) {
    standAlone();
    ::_exit(work(closure));
  }
  int status = 0;
  pid_t ended = child;
  if (child > 0)
    while ((ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
  return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void *load(const char *candidate, const agentic_glue *glue, void *baseline) {
  char name[512];
  std::snprintf(name, sizeof name, "agentic_kernel_entry_%s", glue->kernel);
  void *object = ::dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
  void *entry = object ? ::dlsym(object, name) : nullptr;
  return entry ? reinterpret_cast<void *(*)(void *)>(entry)(baseline) : nullptr;
}

Side::Side(const Regions &regions) : regions_(regions) {
  const std::size_t there = padded(regions.count());
  areaBytes_ = sizeof(Head) + there + regions.bytes() + kMostFreshBytes;
  void *area = ::mmap(nullptr, areaBytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED)
    return;
  area_ = static_cast<unsigned char *>(area);
  head_ = reinterpret_cast<Head *>(area_);
  isThere_ = area_ + sizeof(Head);
  copies_ = isThere_ + there;
  fresh_ = copies_ + regions.bytes();
  settle(wire::Ending::NotStarted, 0);
}

void Side::release() {
  if (area_)
    ::munmap(area_, areaBytes_);
  area_ = nullptr;
  head_ = nullptr;
}

void Side::settle(wire::Ending ending, std::uint32_t signal) {
  if (!head_)
    return;
  head_->signal = signal;
  head_->ending.store(static_cast<std::uint32_t>(ending));
}

wire::Ending Side::ending() const {
  const std::uint32_t ending = head_ ? head_->ending.load() : static_cast<std::uint32_t>(wire::Ending::NotStarted);
  return ending > static_cast<std::uint32_t>(wire::Ending::KeptState) ? wire::Ending::Died
                                                                      : static_cast<wire::Ending>(ending);
}

void Side::run(const PendingCall &call, void *function) {
  if (!function)
    return settle(wire::Ending::NotLoadable, 0);
  settle(wire::Ending::Died, 0); // until the call is over, any end of the process is the call's
  const std::uint64_t statics = staticsAround(function);
  markFreshBlocks(true);
  try {
    errno = call.error;
    callThrough(call.glue, function, call.arguments, call.result);
  } catch (...) {
    return settle(wire::Ending::Threw, 0);
  }
  if (function != call.function && staticsAround(function) != statics)
    return settle(wire::Ending::KeptState, 0);
  copyOut();
  settle(wire::Ending::Returned, 0);
}

void Side::copyOut() {
  std::size_t i = 0;
  for (const SeenRegion &region : regions_) {
    isThere_[i] = region.block.address == 0 || isOldBlock(region.block);
    if (isThere_[i++])
      std::memcpy(copies_ + region.at, reinterpret_cast<const void *>(region.address), region.size);
  }
  static HeapBlock blocks[kMostCopiedBlocks];
  const std::size_t count = heapBlocks(blocks, kMostCopiedBlocks, true);
  head_->isPartial = count == kMostCopiedBlocks;
  std::size_t used = 0;
  for (i = 0; i < count; ++i) {
    const FreshBlock head{blocks[i].address, blocks[i].size};
    if (head.size > kMostFreshBytes || sizeof head + padded(head.size) > kMostFreshBytes - used) {
      head_->isPartial = 1;
      continue;
    }
    std::memcpy(fresh_ + used, &head, sizeof head);
    std::memcpy(fresh_ + used + sizeof head, reinterpret_cast<const void *>(head.address), head.size);
    used += sizeof head + padded(head.size);
  }
  head_->freshBytes = used;
}

const void *Side::memory(std::size_t region) const {
  return isThere_[region] ? copies_ + regions_.begin()[region].at : nullptr;
}

std::size_t Side::freshBytes() const {
  return head_->freshBytes <= kMostFreshBytes ? head_->freshBytes : 0;
}

Forks::Forks(const Regions &regions, const PendingCall &call, const char *candidate)
    : candidate_(regions), control_(regions) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return;
  child_ = ::fork();
  if (child_ == 0) {
    confine(ends[1]);
    run(call, candidate);
  }
  ::close(ends[1]);
  end_ = ends[0];
}

void Forks::run(const PendingCall &call, const char *candidate) {
  const pid_t inner = ::fork();
  if (inner == 0) {
    ::alarm(2 * kChildSeconds);
    control_.release(); // a candidate could make everything in the control differ by itself
    candidate_.run(call, load(candidate, call.glue, call.function));
    ::_exit(0); // run no destructors, flush no buffers of the program
  }
  const double start = secondsNow();
  control_.run(call, load(candidate, call.glue, call.function) ? call.function : nullptr);
  const double until = secondsNow() + std::max(kLeastSidePatience, kSidePatience * (secondsNow() - start));
  bool isLate = false;
  int status = 0;
  pid_t ended = 0;
  while (inner > 0 && (ended = ::waitpid(inner, &status, isLate ? 0 : WNOHANG)) == 0) {
    ::usleep(500);
    isLate = secondsNow() > until;
    if (isLate)
      ::kill(inner, SIGKILL); // if that is denied, its own limits end it
  }
  const std::uint32_t signal = WIFSIGNALED(status) ? static_cast<std::uint32_t>(WTERMSIG(status)) : 0;
  if (isLate || signal == SIGXCPU || signal == SIGALRM)
    candidate_.settle(wire::Ending::TimedOut, 0);
  else if (signal != 0)
    candidate_.settle(wire::Ending::Died, signal);
  ::_exit(0);
}

void Forks::wait(double seconds) {
  if (child_ <= 0)
    return;
  const double until = secondsNow() + seconds;
  bool isOver = false;
  for (double left = seconds; !isOver && left > 0; left = until - secondsNow()) {
    struct pollfd end{end_, POLLIN, 0};
    isOver = ::poll(&end, 1, static_cast<int>(1000 * left) + 1) > 0;
  }
  if (!isOver)
    ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(end_);
  child_ = -1;
  if (!isOver && control_.ending() != wire::Ending::Returned)
    control_.settle(wire::Ending::TimedOut, 0);
}

} // namespace agentic::recorder
