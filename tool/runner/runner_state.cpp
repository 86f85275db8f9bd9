#include "tool/runner/runner_state.h"

#include "tool/runner/runner_fault.h"
#include "tool/runner/wire.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace agentic::runner {
namespace {

std::uint64_t countThreads() {
  struct stat tasks;
  return ::stat("/proc/self/task", &tasks) == 0 ? tasks.st_nlink : 0;
}

std::uint64_t describeDescriptor(int descriptor) {
  struct stat file;
  if (::fstat(descriptor, &file) != 0)
    return 0;
  const std::uint64_t words[] = {static_cast<std::uint64_t>(descriptor), file.st_dev, file.st_ino,
                                 static_cast<std::uint64_t>(::fcntl(descriptor, F_GETFL))};
  return wire::hashBytes(words, sizeof words);
}

/// Returns a sum: the order of the listed descriptors does not matter.
std::uint64_t describeDescriptors() {
  std::uint64_t sum = 0;
  DIR *folder = ::opendir("/proc/self/fd");
  if (!folder) {
    for (int descriptor = 0; descriptor < 1024; ++descriptor)
      sum += describeDescriptor(descriptor);
    return sum;
  }
  while (const dirent *entry = ::readdir(folder)) {
    const int descriptor = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && descriptor != ::dirfd(folder))
      sum += describeDescriptor(descriptor);
  }
  ::closedir(folder);
  return sum;
}

std::uint64_t describeSignals(const sigset_t &mask) {
  std::uint64_t sum = 0;
  for (int signal = 1; signal < NSIG; ++signal)
    sum = sum * 3 + static_cast<std::uint64_t>(sigismember(&mask, signal) == 1);
  for (const int signal : kFaultSignals) {
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    ::sigaction(signal, nullptr, &action);
    sum = sum * 31 + reinterpret_cast<std::uintptr_t>(action.sa_sigaction);
  }
  return sum;
}

} // namespace

std::uint64_t floatingPointState() {
#if defined(__x86_64__)
  std::uint32_t mxcsr = 0;
  struct {
    std::uint32_t control, status, tags, rest[4];
  } x87;
  std::uint64_t flags = 0;
  __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
  __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(x87)); // fnstenv masks all exceptions
  __asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
  const std::uint64_t directionAndAlignment = flags >> 10 & 0x101;
  return (mxcsr & ~0x3fu) | static_cast<std::uint64_t>(x87.control & 0xffff) << 32 |
         static_cast<std::uint64_t>((x87.tags & 0xffff) != 0xffff) << 48 | directionAndAlignment << 50;
#elif defined(__aarch64__)
  std::uint64_t fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
#else
  return 0;
#endif
}

ProcessState takeState() {
  ProcessState state;
  state.floatingPoint = floatingPointState();
  ::sigprocmask(SIG_BLOCK, nullptr, &state.mask);
  state.signals = describeSignals(state.mask);
  state.threads = countThreads();
  state.descriptors = describeDescriptors();
  return state;
}

std::uint32_t differences(const ProcessState &before, const ProcessState &after) {
  std::uint32_t bits = 0;
  bits |= before.floatingPoint != after.floatingPoint ? wire::kFloatingPointState : 0u;
  bits |= before.signals != after.signals ? wire::kSignalMask : 0u;
  bits |= before.descriptors != after.descriptors ? wire::kDescriptors : 0u;
  // The system may list a joined thread a little longer than it runs.
  std::uint64_t threads = after.threads;
  for (int attempt = 0; threads > before.threads && attempt < 60; ++attempt) {
    ::usleep(attempt < 20 ? 100 : 1000);
    threads = countThreads();
  }
  return bits | (threads != before.threads ? wire::kThreads : 0u);
}

void restoreFloatingPoint([[maybe_unused]] std::uint64_t state) {
#if defined(__x86_64__)
  const std::uint32_t mxcsr = static_cast<std::uint32_t>(state);
  const std::uint16_t control = static_cast<std::uint16_t>(state >> 32);
  __asm__ volatile("cld\n\tfninit\n\tfldcw %0\n\tldmxcsr %1" : : "m"(control), "m"(mxcsr));
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(state));
#endif
}

} // namespace agentic::runner
