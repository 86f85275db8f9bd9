#include "tool/build/seccomp_filter.h"

#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace agentic {
namespace {

// Younger than libseccomp 2.5; the numbers are the same on all architectures.
constexpr int kStatMount = 457, kListMount = 458, kOpenTreeAttributes = 467;

/// Calls that no candidate and no compiler needs.
constexpr auto kDenied = std::to_array<int>(
    {// other machines, other processes, other runs
     SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(semget),
     SCMP_SYS(semctl), SCMP_SYS(semop), SCMP_SYS(semtimedop), SCMP_SYS(msgget), SCMP_SYS(msgsnd), SCMP_SYS(msgrcv),
     SCMP_SYS(msgctl), SCMP_SYS(mq_open), SCMP_SYS(mq_unlink), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
     SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise), SCMP_SYS(process_mrelease), SCMP_SYS(pidfd_open),
     SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(kcmp), SCMP_SYS(rt_sigqueueinfo),
     SCMP_SYS(rt_tgsigqueueinfo),
     // leaving the group or the session that is killed at the end
     SCMP_SYS(setsid), SCMP_SYS(setpgid),
     // other views of the files, and files that lie nowhere
     SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(open_tree),
     SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
     SCMP_SYS(mount_setattr), kStatMount, kListMount, kOpenTreeAttributes, SCMP_SYS(unshare), SCMP_SYS(setns),
     SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at), SCMP_SYS(fanotify_init), SCMP_SYS(memfd_create),
     SCMP_SYS(memfd_secret), SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(sysfs), SCMP_SYS(uselib),
     // the machine's and the process's state that outlives a call: speed that is not the kernel's own
     SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam), SCMP_SYS(sched_setattr),
     SCMP_SYS(setpriority), SCMP_SYS(ioprio_set), SCMP_SYS(move_pages), SCMP_SYS(migrate_pages), SCMP_SYS(mbind),
     SCMP_SYS(set_mempolicy), SCMP_SYS(set_mempolicy_home_node), SCMP_SYS(personality), SCMP_SYS(modify_ldt),
     SCMP_SYS(iopl), SCMP_SYS(ioperm),
     // a filter of its own could make the judge's calls lie
     SCMP_SYS(seccomp),
     // clocks and the system as a whole
     SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(settimeofday), SCMP_SYS(reboot),
     SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(syslog), SCMP_SYS(sethostname),
     SCMP_SYS(setdomainname), SCMP_SYS(vhangup), SCMP_SYS(nfsservctl), SCMP_SYS(lookup_dcookie), SCMP_SYS(kexec_load),
     SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
     // parts of the system with a history of holes
     SCMP_SYS(perf_event_open), SCMP_SYS(bpf), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
     SCMP_SYS(io_uring_register), SCMP_SYS(userfaultfd), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
     SCMP_SYS(vmsplice)});

constexpr auto kAsked = std::to_array<int>({SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat),
                                            SCMP_SYS(execve), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(unlink),
                                            SCMP_SYS(unlinkat), SCMP_SYS(rmdir), SCMP_SYS(socket)});

constexpr auto kProcessCalls = std::to_array<int>({SCMP_SYS(fork), SCMP_SYS(vfork)});

/// prctl() is denied what would outlive the sandbox's end, hide from it or change what the judge measures with.
constexpr auto kDeniedControls = std::to_array<std::uint64_t>(
    {PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_SECCOMP, PR_SET_TSC, PR_SET_TIMERSLACK,
     PR_SET_THP_DISABLE, PR_SET_MM, PR_SET_PTRACER, PR_SET_SPECULATION_CTRL, PR_TASK_PERF_EVENTS_DISABLE});

/// Large pages outlive the call that asked for them; some of these came after the headers.
constexpr auto kDeniedAdvice =
    std::to_array<std::uint64_t>({12 /*MERGEABLE*/, 14 /*HUGEPAGE*/, 15 /*NOHUGEPAGE*/, 25 /*COLLAPSE*/});
constexpr auto kDeniedTerminalRequests = std::to_array<std::uint64_t>({TIOCSTI, TIOCLINUX});
constexpr std::uint64_t kArchitectureSetCpuid = 0x1012;

constexpr std::uint64_t kNewNamespace =
    CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

class Rules {
public:
  explicit Rules(scmp_filter_ctx filter) : filter_(filter) {}
  // SIGSYS would hide the reason; EPERM shows up in the program's own error handling.
  void deny(int call, int error = EPERM) {
    good_ = good_ && seccomp_rule_add(filter_, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call, 0) == 0;
  }
  void denyIf(int call, scmp_arg_cmp condition) {
    good_ = good_ && seccomp_rule_add_array(filter_, SCMP_ACT_ERRNO(EPERM), call, 1, &condition) == 0;
  }
  void endIf(int call, scmp_arg_cmp condition) {
    good_ = good_ && seccomp_rule_add_array(filter_, SCMP_ACT_KILL_PROCESS, call, 1, &condition) == 0;
  }
  /// The kernel looks at 32 bits of these arguments: a comparison of 64 could be escaped.
  template <class Values> void denyValues(int call, unsigned argument, const Values &values) {
    for (const std::uint64_t value : values)
      denyIf(call, {argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value & 0xffffffff});
  }
  bool good() const { return good_; }

private:
  scmp_filter_ctx filter_;
  bool good_ = true;
};

bool addRules(scmp_filter_ctx filter, Tasks tasks, bool ownSignals) {
  Rules rules(filter);
  for (const int call : kDenied)
    rules.deny(call);
  rules.denyValues(SCMP_SYS(prctl), 0, kDeniedControls);
  rules.denyValues(SCMP_SYS(madvise), 2, kDeniedAdvice);
  rules.denyValues(SCMP_SYS(ioctl), 1, kDeniedTerminalRequests);
  rules.denyValues(SCMP_SYS(arch_prctl), 0, std::array{kArchitectureSetCpuid});
  rules.denyIf(SCMP_SYS(prlimit64), SCMP_A0_32(SCMP_CMP_NE, 0)); // limits of another process
  if (!ownSignals)
    for (const int call : {SCMP_SYS(kill), SCMP_SYS(tkill)})
      rules.deny(call);
  // Process 1 of a PID name space survives what it sends to itself: a test that kills itself must not pass.
  else if (tasks != Tasks::Processes)
    for (const std::uint64_t signal : {std::uint64_t{SIGKILL}, std::uint64_t{SIGSTOP}}) {
      for (const int call : {SCMP_SYS(kill), SCMP_SYS(tkill)})
        rules.endIf(call, {1, SCMP_CMP_MASKED_EQ, 0xffffffff, signal});
      rules.endIf(SCMP_SYS(tgkill), {2, SCMP_CMP_MASKED_EQ, 0xffffffff, signal});
    }
  // clone3's flags lie in memory, where a filter cannot look; glibc falls back to clone.
  rules.deny(SCMP_SYS(clone3), ENOSYS);
  if (tasks == Tasks::None) {
    rules.deny(SCMP_SYS(clone));
  } else {
    for (std::uint64_t bit = 1; bit <= kNewNamespace; bit <<= 1)
      if ((kNewNamespace & bit) != 0)
        rules.denyIf(SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, bit, bit});
    if (tasks == Tasks::Threads)
      rules.denyIf(SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0});
  }
  if (tasks != Tasks::Processes)
    for (const int call : kProcessCalls)
      rules.deny(call);
  return rules.good();
}

/// Everything in `fd`, a file that was just written.
std::string contents(int fd) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(fd, 0, SEEK_END))), '\0');
  const ssize_t count = ::pread(fd, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  return text;
}

/// `add` puts the rules into a filter that allows everything else.
template <class Add> Result<std::string> exported(const Add &add) {
  const auto file = TRY(anonymousFile({}));
  const std::unique_ptr<void, void (*)(void *)> filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter || !add(filter.get()) || seccomp_export_bpf(filter.get(), file->get()) != 0)
    return bugError("libseccomp could not build the system call filter");
  return contents(file->get());
}

} // namespace

OwnedDescriptor::~OwnedDescriptor() {
  ::close(fd_);
}

Result<std::shared_ptr<OwnedDescriptor>> anonymousFile(const std::string &text) {
  const int fd = ::memfd_create("sandbox", MFD_CLOEXEC);
  if (fd < 0)
    return userError(std::string("cannot create an anonymous file: ") + std::strerror(errno),
                     "raise the limit of open files (ulimit -n)");
  auto owner = std::make_shared<OwnedDescriptor>(fd);
  if (::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    return userError(std::string("cannot write an anonymous file: ") + std::strerror(errno), "free some memory");
  return owner;
}

Result<std::string> askingProgram() {
  return exported([](scmp_filter_ctx filter) {
    return std::ranges::all_of(kAsked,
                               [&](int call) { return seccomp_rule_add(filter, SCMP_ACT_NOTIFY, call, 0) == 0; });
  });
}

Result<std::string> seccompProgram(Tasks tasks, bool ownSignals) {
  static const std::array<std::array<Result<std::string>, 2>, 3> programs = [] {
    const auto make = [](Tasks kind, bool own) {
      return exported([&](scmp_filter_ctx filter) { return addRules(filter, kind, own); });
    };
    const auto both = [&](Tasks kind) { return std::array{make(kind, false), make(kind, true)}; };
    return std::array{both(Tasks::None), both(Tasks::Threads), both(Tasks::Processes)};
  }();
  return programs[static_cast<std::size_t>(tasks)][ownSignals ? 1 : 0];
}

} // namespace agentic
