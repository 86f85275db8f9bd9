// Loaded into a program that `agentic-kernel hot` looks at: samples where its threads spend CPU time, by timers.
//
// Each thread has a timer of its own on its CPU clock: a process's timer would be served by whichever thread the kernel
// takes, and one of setitimer() outlives exec, whose new program it then kills. The signal is a real-time one, so that
// SIGPROF stays the program's. The handler makes system calls only.
#include "tool/runner/sample_file.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <iterator>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define AGENTIC_EXPORT extern "C" __attribute__((visibility("default")))

namespace agentic::sampler {
namespace {

struct Range {
  std::uint64_t begin, end;
};
constexpr std::size_t kMostRanges = 512;
constexpr int kMostReadings = 32;

Header *header = nullptr; ///< null: this process is not sampled
char *maps = nullptr;
std::uint64_t *samples = nullptr;
char path[4096];
pid_t owner = 0;

Range ranges[kMostRanges]; ///< executable mappings; only grows
std::size_t rangeCount = 0;
int readings = 0;
bool isReading = false; ///< a thread is at it
pthread_key_t timerKey;
bool isOurs[4096]; ///< timers by their number; those beyond are not stopped early

using SigactionFunction = int (*)(int, const struct sigaction *, struct sigaction *);
using CreateFunction = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

template <class T> T next(const char *name) {
  return reinterpret_cast<T>(dlsym(RTLD_NEXT, name));
}

int realSigaction(int signal, const struct sigaction *action, struct sigaction *old) {
  static const SigactionFunction real = next<SigactionFunction>("sigaction");
  return real(signal, action, old);
}

int ownSignal() {
  return SIGRTMAX - 4;
}

std::uint64_t programCounter(const void *context) {
  [[maybe_unused]] const auto *user = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(user->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return user->uc_mcontext.pc;
#elif defined(__riscv)
  return user->uc_mcontext.__gregs[REG_PC];
#else
  return 0;
#endif
}

bool isKnown(std::uint64_t place) {
  const std::size_t count = __atomic_load_n(&rangeCount, __ATOMIC_ACQUIRE);
  for (std::size_t i = 0; i < count; ++i)
    if (ranges[i].begin <= place && place < ranges[i].end)
      return true;
  return count == kMostRanges || __atomic_load_n(&readings, __ATOMIC_RELAXED) >= kMostReadings;
}

std::uint64_t hexadecimal(const char *&text) {
  std::uint64_t value = 0;
  for (;; ++text) {
    const char c = *text;
    if (c >= '0' && c <= '9')
      value = value * 16 + static_cast<std::uint64_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + static_cast<std::uint64_t>(c - 'a' + 10);
    else
      return value;
  }
}

void keep(const char *text, std::size_t size) {
  const std::uint64_t at = header->mapsSize;
  if (at + size > kMapsCapacity)
    return;
  std::memcpy(maps + at, text, size);
  __atomic_store_n(&header->mapsSize, at + size, __ATOMIC_RELEASE);
}

/// Keeps a line of /proc/self/maps if its memory is executable: "begin-end r-xp offset device inode path".
void keepLine(const char *line, std::size_t size) {
  const char *at = line;
  const std::uint64_t begin = hexadecimal(at);
  if (*at++ != '-')
    return;
  const std::uint64_t end = hexadecimal(at);
  if (at + 4 >= line + size || at[3] != 'x')
    return;
  keep(line, size);
  const std::size_t count = rangeCount;
  for (std::size_t i = 0; i < count; ++i)
    if (ranges[i].begin == begin && ranges[i].end == end)
      return;
  if (count == kMostRanges)
    return;
  ranges[count] = {begin, end};
  __atomic_store_n(&rangeCount, count + 1, __ATOMIC_RELEASE);
}

/// Reads which files are mapped where: at the start, and when a sample is in none of them (dlopen). Safe in a handler.
void readMaps() {
  if (__atomic_exchange_n(&isReading, true, __ATOMIC_ACQUIRE))
    return;
  ++readings;
  const long file = ::syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
  static char buffer[8192]; // of whoever reads; a line is shorter
  std::size_t filled = 0;
  keep("@\n", 2);
  while (file >= 0) {
    const long got = ::syscall(SYS_read, file, buffer + filled, sizeof buffer - 1 - filled);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    filled += static_cast<std::size_t>(got);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < filled; ++i)
      if (buffer[i] == '\n') {
        keepLine(buffer + begin, i + 1 - begin);
        begin = i + 1;
      }
    std::memmove(buffer, buffer + begin, filled - begin);
    filled -= begin;
    if (filled == sizeof buffer - 1) // no line of the kernel's
      filled = 0;
  }
  if (file >= 0)
    ::syscall(SYS_close, file);
  __atomic_store_n(&isReading, false, __ATOMIC_RELEASE);
}

std::uint64_t mixed(std::uint64_t number) { // splitmix64
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

void onTick(int, siginfo_t *, void *context) {
  if (!header)
    return;
  const int error = errno;
  const std::uint64_t place = programCounter(context);
  if (!isKnown(place))
    readMaps();
  std::uint64_t index = __atomic_fetch_add(&header->count, 1, __ATOMIC_RELAXED);
  if (index >= kCapacity) // each of all that were taken is kept with the same probability
    index = mixed(index) % (index + 1);
  if (index < kCapacity)
    __atomic_store_n(samples + index, place, __ATOMIC_RELAXED);
  errno = error;
}

void setSignal(int how) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, ownSignal());
  ::pthread_sigmask(how, &set, nullptr);
}

/// Gives the calling thread its timer.
void arm() {
  if (!header || (__atomic_load_n(&header->flags, __ATOMIC_RELAXED) & kSignalTaken))
    return;
  struct sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = ownSignal();
  event.sigev_notify_thread_id = static_cast<pid_t>(::syscall(SYS_gettid));
  int timer = 0;
  struct itimerspec period = {};
  period.it_interval.tv_nsec = period.it_value.tv_nsec = kPeriodMicroseconds * 1000;
  setSignal(SIG_UNBLOCK);
  if (::syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0 ||
      ::syscall(SYS_timer_settime, timer, 0, &period, nullptr) != 0) {
    __atomic_fetch_or(&header->flags, kNoTimer, __ATOMIC_RELAXED);
    return;
  }
  __atomic_fetch_add(&header->threads, 1, __ATOMIC_RELAXED);
  if (timer >= 0 && static_cast<std::size_t>(timer) < std::size(isOurs))
    __atomic_store_n(&isOurs[timer], true, __ATOMIC_RELAXED);
  ::pthread_setspecific(timerKey, reinterpret_cast<void *>(static_cast<std::intptr_t>(timer) + 1));
}

/// A timer of a thread that has ended would stay, and its number is limited.
void disarm(void *value) {
  const auto timer = static_cast<int>(reinterpret_cast<std::intptr_t>(value) - 1);
  if (timer >= 0 && static_cast<std::size_t>(timer) < std::size(isOurs) &&
      !__atomic_exchange_n(&isOurs[timer], false, __ATOMIC_RELAXED))
    return; // it is stopped already
  ::syscall(SYS_timer_delete, timer);
}

void disarmAll() {
  for (std::size_t timer = 0; timer < std::size(isOurs); ++timer)
    if (__atomic_exchange_n(&isOurs[timer], false, __ATOMIC_RELAXED))
      ::syscall(SYS_timer_delete, static_cast<int>(timer));
}

/// fork() leaves timers behind. The child has the parent's mappings, and writes beside it.
void continueInChild() {
  isReading = false;
  std::memset(isOurs, 0, sizeof isOurs);
  arm();
}

bool openFile(const char *folder) {
  struct rlimit limit;
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < kFileBytes))
    return false; // a signal would end the program
  owner = ::getpid();
  int file = -1;
  for (int turn = 0; file < 0 && turn < 1000; ++turn) { // a process may execute one program after the other
    const int size = std::snprintf(path, sizeof path, "%s/%d-%d%s", folder, static_cast<int>(owner), turn, kFileEnding);
    if (size < 0 || static_cast<std::size_t>(size) >= sizeof path)
      return false;
    file = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST)
      return false;
  }
  if (file < 0)
    return false;
  // Its blocks are there before the first sample: a full disk must not end the program by a signal.
  const bool hasRoom = ::posix_fallocate(file, 0, static_cast<off_t>(kFileBytes)) == 0;
  void *memory = hasRoom ? ::mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  if (memory == MAP_FAILED) {
    ::unlink(path);
    return false;
  }
  auto *fresh = static_cast<Header *>(memory);
  fresh->capacity = kCapacity;
  fresh->mapsCapacity = kMapsCapacity;
  if (::readlink("/proc/self/exe", fresh->program, sizeof fresh->program - 1) < 0)
    fresh->program[0] = '\0';
  fresh->magic = kMagic;
  maps = static_cast<char *>(memory) + sizeof(Header);
  samples = reinterpret_cast<std::uint64_t *>(maps + kMapsCapacity);
  header = fresh;
  return true;
}

__attribute__((constructor)) void begin() {
  const char *folder = std::getenv(kFolderVariable);
  if (!folder || !*folder || ::pthread_key_create(&timerKey, disarm) != 0 || !openFile(folder))
    return;
  readMaps();
  struct sigaction action = {};
  action.sa_sigaction = onTick;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigfillset(&action.sa_mask);
  realSigaction(ownSignal(), &action, nullptr);
  ::pthread_atfork(nullptr, nullptr, continueInChild);
  arm();
}

/// Small programs that a script starts leave no file each.
__attribute__((destructor)) void end() {
  if (header && owner == ::getpid() && __atomic_load_n(&header->count, __ATOMIC_RELAXED) == 0)
    ::unlink(path);
}

struct Start {
  void *(*function)(void *);
  void *argument;
};

void *startThread(void *memory) {
  const Start start = *static_cast<Start *>(memory);
  std::free(memory);
  arm();
  return start.function(start.argument);
}

/// Returns whether the program's request for the sampler's signal is answered without the system. Loops over all
/// signals set them to their default, which would end the program at the next tick. A handler of the program's own is
/// let through, and the samples end.
bool isAnswered(int signal, const struct sigaction *action, struct sigaction *old) {
  if (!header || signal != ownSignal() || (__atomic_load_n(&header->flags, __ATOMIC_RELAXED) & kSignalTaken))
    return false;
  const bool isHandler =
      action && ((action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN));
  if (isHandler) {
    __atomic_fetch_or(&header->flags, kSignalTaken, __ATOMIC_RELAXED);
    disarmAll();
    return false;
  }
  if (old)
    *old = {};
  return true;
}

} // namespace
} // namespace agentic::sampler

AGENTIC_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                                  void *argument) {
  using namespace agentic::sampler;
  static const CreateFunction real = next<CreateFunction>("pthread_create");
  auto *start = header ? static_cast<Start *>(std::malloc(sizeof(Start))) : nullptr;
  if (!start)
    return real(thread, attributes, function, argument);
  *start = {function, argument};
  const int error = real(thread, attributes, startThread, start);
  if (error != 0)
    std::free(start);
  return error;
}

AGENTIC_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
  using namespace agentic::sampler;
  return isAnswered(signal, action, old) ? 0 : realSigaction(signal, action, old);
}

AGENTIC_EXPORT __sighandler_t signal(int number, __sighandler_t handler) {
  using namespace agentic::sampler;
  using Function = __sighandler_t (*)(int, __sighandler_t);
  static const Function real = next<Function>("signal");
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  return isAnswered(number, &action, &old) ? SIG_DFL : real(number, handler);
}
