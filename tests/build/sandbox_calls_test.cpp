// Real programs try the system calls that are denied.
#include "tests/build/sandbox_fixture.h"

#include <gmock/gmock.h>

#include <sstream>

namespace agentic {
namespace {

class SandboxCalls : public SandboxTest {};
INSTANTIATE_TEST_SUITE_P(, SandboxCalls, testing::ValuesIn(kConfining), strengthName);

// Prints a line for every call that was allowed.
constexpr const char *kCalls = R"(
  #include <cerrno>
  #include <csignal>
  #include <cstdio>
  #include <fcntl.h>
  #include <sched.h>
  #include <sys/ioctl.h>
  #include <sys/ipc.h>
  #include <sys/mman.h>
  #include <sys/mount.h>
  #include <sys/prctl.h>
  #include <sys/ptrace.h>
  #include <sys/resource.h>
  #include <sys/shm.h>
  #include <sys/socket.h>
  #include <sys/syscall.h>
  #include <sys/time.h>
  #include <sys/timex.h>
  #include <time.h>
  #include <unistd.h>
  #define TRY(call) do { errno = 0; if ((long)(call) != -1) std::printf("allowed: %s\n", #call); else if (errno != EPERM && errno != EACCES) std::printf("errno %d: %s\n", errno, #call); } while (0)
  int main() {
    char buffer[4096] = {};
    timeval now{1, 0}; timespec time{1, 0}; timex change{}; cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one);
    sched_param parameter{}; rlimit64 limits{1, 1}; int slot = 0;
    TRY(socket(AF_INET, SOCK_STREAM, 0)); TRY(socket(AF_UNIX, SOCK_STREAM, 0)); TRY(socket(AF_NETLINK, SOCK_RAW, 0));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)buffer));
    TRY(shmget(1, 4096, IPC_CREAT | 0600)); TRY(syscall(SYS_msgget, 1, IPC_CREAT)); TRY(syscall(SYS_semget, 1, 1, IPC_CREAT));
    TRY(ptrace(PTRACE_TRACEME, 0, 0, 0)); TRY(syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
    TRY(syscall(SYS_pidfd_open, getppid(), 0)); TRY(syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0));
    TRY(syscall(SYS_move_pages, getppid(), 0, 0, 0, 0, 0)); TRY(syscall(SYS_migrate_pages, 0, 0, 0, 0));
    TRY(setsid()); TRY(setpgid(0, 0));
    TRY(mount("none", "/tmp", "tmpfs", 0, 0)); TRY(umount2("/tmp", MNT_DETACH)); TRY(chroot("/tmp"));
    TRY(syscall(428 /*open_tree*/, -100, "/", 1)); TRY(syscall(430 /*fsopen*/, "tmpfs", 0)); TRY(syscall(429, 0, "", 0, "", 0));
    TRY(syscall(457 /*statmount*/, 0, 0, 0, 0)); TRY(syscall(458 /*listmount*/, 0, 0, 0, 0)); TRY(syscall(467, -100, "/", 1, 0, 0));
    TRY(unshare(CLONE_NEWUSER)); TRY(setns(0, 0)); TRY(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    TRY(name_to_handle_at(AT_FDCWD, "/usr", (file_handle *)buffer, &slot, 0)); TRY(open_by_handle_at(3, (file_handle *)buffer, 0));
    TRY(memfd_create("x", 0)); TRY(syscall(447 /*memfd_secret*/, 0)); TRY(syscall(SYS_fanotify_init, 0, 0));
    TRY(sched_setaffinity(0, sizeof one, &one)); TRY(sched_setscheduler(0, SCHED_BATCH, &parameter));
    TRY(setpriority(PRIO_PROCESS, 0, 5)); TRY(syscall(SYS_ioprio_set, 1, 0, 0)); TRY(syscall(SYS_personality, 0x0040000));
    TRY(madvise(mmap(nullptr, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4 << 20, MADV_HUGEPAGE));
    TRY(prctl(PR_SET_DUMPABLE, 0)); TRY(prctl(PR_SET_PDEATHSIG, 0)); TRY(prctl(PR_SET_TSC, PR_TSC_SIGSEGV)); TRY(prctl(PR_SET_TIMERSLACK, 1000000));
    TRY(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)); TRY(prctl(PR_SET_CHILD_SUBREAPER, 1)); TRY(prctl(PR_SET_SECCOMP, 1));
    TRY(syscall(SYS_prctl, 0x500000000ul + PR_SET_DUMPABLE, 0)); /* the kernel looks at 32 bits of it */
    TRY(syscall(SYS_seccomp, 1, 0, 0)); TRY(syscall(SYS_bpf, 0, 0, 0)); TRY(syscall(SYS_userfaultfd, 0)); TRY(syscall(SYS_perf_event_open, 0, 0, 0, 0, 0));
    TRY(syscall(425 /*io_uring_setup*/, 1, buffer)); TRY(syscall(SYS_keyctl, 0, 0)); TRY(syscall(SYS_vmsplice, 0, 0, 0, 0));
    TRY(settimeofday(&now, nullptr)); TRY(clock_settime(CLOCK_REALTIME, &time)); change.modes = ADJ_OFFSET; TRY(adjtimex(&change));
    TRY(syscall(SYS_reboot, 0, 0, 0, 0)); TRY(syscall(SYS_swapon, "/", 0)); TRY(syscall(SYS_init_module, 0, 0, "")); TRY(syscall(SYS_syslog, 2, buffer, 1));
    TRY(syscall(SYS_prlimit64, getppid() + 1, RLIMIT_NOFILE, &limits, 0)); TRY(ioctl(0, TIOCSTI, "x"));
    TRY(syscall(SYS_rt_sigqueueinfo, getppid(), 0, buffer)); TRY(syscall(SYS_iopl, 3)); TRY(syscall(SYS_modify_ldt, 0, buffer, 1));
  #ifdef SYS_arch_prctl
    TRY(syscall(SYS_arch_prctl, 0x1012 /*SET_CPUID*/, 0));
  #endif
    std::puts("done");
  })";

TEST_P(SandboxCalls, RefusesWhatNoProgramNeeds) {
  for (const Tasks tasks : {Tasks::None, Tasks::Processes})
    EXPECT_EQ(runProgram(kCalls, seeing({}, {}, tasks)).out, "done\n");
}

constexpr const char *kTasks = R"(
  #include <cstdio>
  #include <cstdlib>
  #include <sys/wait.h>
  #include <thread>
  #include <unistd.h>
  int main() {
    try { std::thread([] {}).join(); std::puts("thread"); } catch (...) {}
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) std::puts("process");
    if (system("exit 7") == 7 << 8) std::puts("command");
    if (vfork() == 0) { puts("vfork"); fflush(stdout); _exit(0); }
  })";

TEST_P(SandboxCalls, GrantsNoMoreTasksThanItIsTold) {
  const auto started = [&](Tasks tasks) { return runProgram(kTasks, seeing({}, {}, tasks)).out; };
  EXPECT_EQ(started(Tasks::None), "");
  EXPECT_EQ(started(Tasks::Threads), "thread\n");
  EXPECT_THAT(started(Tasks::Processes), testing::StartsWith("thread\nprocess\ncommand\nvfork\n"));
}

constexpr const char *kUseful = R"(
  #include <cassert>
  #include <chrono>
  #include <cstdio>
  #include <cstdlib>
  #include <filesystem>
  #include <fstream>
  #include <pthread.h>
  #include <random>
  #include <string>
  #include <sys/mman.h>
  #include <sys/resource.h>
  #include <sys/stat.h>
  #include <thread>
  #include <unistd.h>
  int main() {
    const char *folder = getenv("TMPDIR");
    std::string file = std::string(folder ? folder : "/tmp") + "/data";
    std::ofstream(file) << "text";
    std::string text; std::ifstream(file) >> text;
    assert(text == "text");
    std::filesystem::rename(file, file + "2");
    assert(mkfifo((file + "f").c_str(), 0600) == 0);
    void *memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED && madvise(memory, 1 << 20, MADV_DONTNEED) == 0 && mprotect(memory, 4096, PROT_READ) == 0);
    assert(std::random_device()() != std::random_device()());
    assert(std::thread::hardware_concurrency() > 0 && sysconf(_SC_NPROCESSORS_ONLN) > 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    rusage usage; assert(getrusage(RUSAGE_SELF, &usage) == 0);
    pthread_attr_t attributes; assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    assert(std::filesystem::exists("/proc/cpuinfo") && std::ifstream("/proc/cpuinfo").good());
    assert(std::ifstream("/proc/self/maps").good());
    std::puts("useful");
  })";

TEST_P(SandboxCalls, LetsAProgramDoWhatTestsDo) {
  const auto result = runProgram(kUseful, seeing({}, {}, Tasks::None));
  EXPECT_EQ(result.out, "useful\n") << result.err;
}

TEST_P(SandboxCalls, AnAbortEndsAProgram) {
  for (const Tasks tasks : {Tasks::None, Tasks::Threads, Tasks::Processes})
    EXPECT_EQ(runProgram("#include <cstdlib>\nint main() { std::abort(); }", seeing({}, {}, tasks)).end,
              ProcessResult::End::Signalled);
}

TEST_P(SandboxCalls, AProgramThatKillsItselfIsDead) {
  for (const Tasks tasks : {Tasks::None, Tasks::Threads, Tasks::Processes})
    EXPECT_EQ(runProgram("#include <csignal>\nint main() { std::raise(SIGKILL); }", seeing({}, {}, tasks)).end,
              ProcessResult::End::Signalled);
}

} // namespace
} // namespace agentic
