#include "tool/base/process.h"

#include "tool/base/clock.h"
#include "tool/base/keeper.h"
#include "tool/base/pipes.h"
#include "tool/base/supervisor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace agentic {
namespace {

/// The step in the child at which the start failed.
enum class StartStep : int { Setup, Directory, Pin, Limits, Confine, Exec };
struct StartFailure {
  StartStep step;
  int error;
};

/// Everything the child needs, made before fork: between fork and exec only async-signal-safe calls are allowed.
struct ChildPlan {
  std::string program;
  std::vector<char *> argv, environment;
  std::vector<std::pair<int, int>> descriptors; ///< (fd here, fd in the child)
  std::vector<int> sources;                     ///< room for the child's copies of `descriptors`
  const char *directory = nullptr;
  std::optional<int> cpu;
  ProcessLimits limits;
  const ProcessConfinement *confinement = nullptr;
  int ruleset = -1, joinedGroup = -1, keeper = -1; ///< descriptors, as long as exec has not closed them
  bool ownSession = false, fixedAddresses = false;
  int failurePipe = -1;
  int firstFreeDescriptor = 3;
  long maxDescriptors = 0;
  pid_t parent = 0;
};

std::vector<std::string> environmentOf(const ProcessSpec &spec) {
  std::vector<std::string> entries;
  if (spec.environment)
    entries = *spec.environment;
  else
    for (char **entry = environ; entry && *entry; ++entry)
      entries.emplace_back(*entry);
  for (const auto &[key, value] : spec.addedEnvironment) {
    std::erase_if(entries, [&](const std::string &entry) { return entry.starts_with(key + "="); });
    entries.push_back(key + "=" + value);
  }
  return entries;
}

std::vector<char *> pointersTo(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// --- in the child: async-signal-safe only ----------------------------------------------------------------------------

[[noreturn]] void failStart(const ChildPlan &plan, StartStep step) {
  const StartFailure failure{step, errno};
  [[maybe_unused]] const ssize_t written = ::write(plan.failurePipe, &failure, sizeof failure);
  ::_exit(127);
}

bool limit(__rlimit_resource resource, std::uint64_t soft, std::uint64_t extra = 0) {
  const rlimit value{soft, soft + extra};
  return ::setrlimit(resource, &value) == 0;
}

bool applyLimits(const ProcessLimits &limits) {
  // The CPU limit's hard value is a second later: SIGXCPU, which names the cause, comes before SIGKILL.
  return limit(RLIMIT_CORE, 0) && (!limits.addressSpaceBytes || limit(RLIMIT_AS, limits.addressSpaceBytes)) &&
         (!limits.cpuSeconds || limit(RLIMIT_CPU, limits.cpuSeconds, 1)) &&
         (!limits.fileSizeBytes || limit(RLIMIT_FSIZE, limits.fileSizeBytes)) &&
         (!limits.openFiles || limit(RLIMIT_NOFILE, limits.openFiles)) &&
         (!limits.processes || limit(RLIMIT_NPROC, limits.processes));
}

void closeOnExecFrom(int first, long end) {
#ifdef SYS_close_range
  constexpr unsigned kCloseOnExec = 4; // CLOSE_RANGE_CLOEXEC, absent from older headers
  if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0u, kCloseOnExec) == 0)
    return;
#endif
  for (long fd = first; fd < end; ++fd)
    ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
}

void placeDescriptors(ChildPlan &plan) {
  // Copy above all targets first, so that no target overwrites a source that is still needed.
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i)
    if ((plan.sources[i] = ::fcntl(plan.descriptors[i].first, F_DUPFD_CLOEXEC, plan.firstFreeDescriptor)) < 0)
      failStart(plan, StartStep::Setup);
  for (int *kept : {&plan.failurePipe, &plan.ruleset, &plan.joinedGroup})
    if (*kept >= 0 && (*kept = ::fcntl(*kept, F_DUPFD_CLOEXEC, plan.firstFreeDescriptor)) < 0)
      ::_exit(127);
  closeOnExecFrom(3, plan.maxDescriptors);
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i)
    if (::dup2(plan.sources[i], plan.descriptors[i].second) < 0)
      failStart(plan, StartStep::Setup);
}

[[noreturn]] void runChild(ChildPlan &plan) {
  if (plan.ownSession)
    ::setsid();
  else
    ::setpgid(0, 0);
  watchGroup(plan.keeper, ::getpid());
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) // the parent died before prctl: no signal will come
    ::_exit(127);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGCHLD})
    ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  placeDescriptors(plan);
  if (plan.directory && ::chdir(plan.directory) != 0)
    failStart(plan, StartStep::Directory);
  if (plan.cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(*plan.cpu), &set);
    if (::sched_setaffinity(0, sizeof set, &set) != 0)
      failStart(plan, StartStep::Pin);
  }
  if (plan.joinedGroup >= 0) [[maybe_unused]]
    const ssize_t joined = ::write(plan.joinedGroup, "0", 1);
  if (plan.fixedAddresses) // must precede the filter of system calls, which denies it
    ::personality(static_cast<unsigned long>(::personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  if (!applyLimits(plan.limits))
    failStart(plan, StartStep::Limits);
  if (plan.confinement && !confineSelf(*plan.confinement, plan.ruleset))
    failStart(plan, StartStep::Confine);
  ::execve(plan.program.c_str(), plan.argv.data(), plan.environment.data());
  failStart(plan, StartStep::Exec);
}

// --- in the parent ---------------------------------------------------------------------------------------------------

std::unexpected<Error> startError(const ProcessSpec &spec, StartFailure failure) {
  const std::string program = "'" + spec.argv[0] + "'";
  const std::string reason = std::strerror(failure.error);
  switch (failure.step) {
  case StartStep::Directory:
    return userError("cannot start " + program + " in '" + spec.workingDirectory + "': " + reason,
                     "check that the folder exists");
  case StartStep::Pin:
    return userError("cannot pin " + program + " to CPU " + std::to_string(spec.cpu.value_or(-1)) + ": " + reason,
                     "let this process use that CPU (taskset, cpuset), or do not pin");
  case StartStep::Limits:
    return userError("cannot limit the resources of " + program + ": " + reason, "raise this shell's limits (ulimit)");
  case StartStep::Confine:
    return userError("cannot confine " + program + ": " + reason, "check that this system allows Landlock and seccomp");
  case StartStep::Setup:
  case StartStep::Exec:
    break;
  }
  return userError("cannot start " + program + ": " + reason, "check that it is installed and executable");
}

/// Makes stdin a file: whatever its size, nobody waits for a reader and no SIGPIPE can come.
Descriptor inputDescriptor(const std::string &text) {
  if (text.empty())
    return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Descriptor file(::memfd_create("stdin", MFD_CLOEXEC));
  std::string_view rest = text;
  while (file.isOpen() && !rest.empty()) {
    const ssize_t written = ::write(file.get(), rest.data(), rest.size());
    if (written < 0 && errno != EINTR)
      return Descriptor();
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  if (file.isOpen())
    ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// Makes the plan without its descriptors.
ChildPlan planOf(const ProcessSpec &spec, const std::string &program, std::vector<std::string> &argv,
                 std::vector<std::string> &environment) {
  ChildPlan plan;
  plan.program = program;
  plan.argv = pointersTo(argv);
  plan.environment = pointersTo(environment);
  plan.directory = spec.workingDirectory.empty() ? nullptr : spec.workingDirectory.c_str();
  plan.cpu = spec.cpu;
  plan.limits = spec.limits;
  plan.confinement = spec.confinement.get();
  plan.ruleset = spec.confinement ? spec.confinement->landlockRuleset : -1;
  plan.joinedGroup = spec.joinedGroup;
  plan.ownSession = spec.ownSession;
  plan.fixedAddresses = spec.fixedAddresses;
  plan.maxDescriptors = ::sysconf(_SC_OPEN_MAX);
  plan.parent = ::getpid();
  return plan;
}

void setDescriptors(ChildPlan &plan, std::vector<std::pair<int, int>> descriptors) {
  plan.descriptors = std::move(descriptors);
  plan.sources.resize(plan.descriptors.size());
  for (const auto &[here, there] : plan.descriptors)
    plan.firstFreeDescriptor = std::max(plan.firstFreeDescriptor, there + 1);
}

/// Returns our end of the socket to this process's keeper, which the first call starts; -1 if none can be started.
int keeperSocket() {
  static const int socket = [] {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return -1;
    const pid_t keeper = ::fork();
    if (keeper == 0) {
      ::close(ends[0]);
      runKeeper(ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    return ends[0];
  }();
  return socket;
}

/// Resets an inherited SIGCHLD that is ignored: with it, we would never learn how a child ended.
void wantChildStatus() {
  struct sigaction onChild{};
  if (::sigaction(SIGCHLD, nullptr, &onChild) == 0 && onChild.sa_handler == SIG_IGN)
    ::signal(SIGCHLD, SIG_DFL);
}

/// Reads the failure that the child wrote into `pipe` before exec; a successful exec closes the pipe.
std::optional<StartFailure> startFailure(const Descriptor &pipe) {
  StartFailure failure{};
  ssize_t count = 0;
  while ((count = ::read(pipe.get(), &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  return count == static_cast<ssize_t>(sizeof failure) ? std::optional(failure) : std::nullopt;
}

} // namespace

Result<ProcessResult> runProcess(const ProcessSpec &spec) {
  if (spec.argv.empty())
    return bugError("runProcess needs a program");
  // argv[0] with a slash follows exec's rule: relative to the working directory.
  const bool isPath = spec.argv[0].find('/') != std::string::npos;
  const auto program = isPath ? std::optional(spec.argv[0]) : findProgram(spec.argv[0]);
  if (!program)
    return userError("cannot start '" + spec.argv[0] + "': no such program in PATH", "install it, or give its path");

  Descriptor input = inputDescriptor(spec.input);
  Pipe out = Pipe::create(), err = spec.mergeOutput ? Pipe() : Pipe::create(), failure = Pipe::create();
  if (!input.isOpen() || !out.read.isOpen() || (!spec.mergeOutput && !err.read.isOpen()) || !failure.read.isOpen())
    return userError("cannot start '" + spec.argv[0] + "': no pipes: " + std::strerror(errno),
                     "raise the limit of open files (ulimit -n)");

  std::vector<std::string> argv = spec.argv, environment = environmentOf(spec);
  ChildPlan plan = planOf(spec, *program, argv, environment);
  plan.failurePipe = failure.write.get();
  std::vector<std::pair<int, int>> descriptors = {
      {input.get(), 0}, {out.write.get(), 1}, {spec.mergeOutput ? out.write.get() : err.write.get(), 2}};
  descriptors.insert(descriptors.end(), spec.inheritedDescriptors.begin(), spec.inheritedDescriptors.end());
  setDescriptors(plan, std::move(descriptors));

  wantChildStatus();
  plan.keeper = keeperSocket();
  const double start = steadySeconds();
  const pid_t child = ::fork();
  if (child == 0)
    runChild(plan);
  if (child < 0)
    return userError("cannot start '" + spec.argv[0] + "': fork: " + std::strerror(errno),
                     "raise the limit of processes (ulimit -u) or free some memory");
  for (Descriptor *childs : {&input, &out.write, &err.write, &failure.write})
    childs->close();
  if (const auto failed = startFailure(failure.read)) {
    releaseGroup(plan.keeper, child);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return startError(spec, *failed);
  }
  return superviseChild(spec, child, start, std::move(out.read), std::move(err.read),
                        [&] { releaseGroup(plan.keeper, child); });
}

} // namespace agentic
