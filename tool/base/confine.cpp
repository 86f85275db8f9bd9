#include "tool/base/confine.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace agentic {
namespace {

// Older headers lack these; the numbers are the same on all architectures.
constexpr long kLandlockAddRule = 445, kLandlockRestrictSelf = 446;
constexpr unsigned kPathBeneath = 1;
constexpr std::uint64_t kReadFile = 1u << 2, kReadFolder = 1u << 3;

bool dropCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  return ::syscall(SYS_capset, &header, none) == 0;
}

sock_fprog programOf(const void *instructions, std::size_t bytes) {
  return {static_cast<unsigned short>(bytes / sizeof(sock_filter)),
          static_cast<sock_filter *>(const_cast<void *>(instructions))};
}

bool installFilter(const void *instructions, std::size_t bytes) {
  const sock_fprog program = programOf(instructions, bytes);
  // Without SPEC_ALLOW kernels before 5.16 slow the program down against speculation.
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}

/// abort() and raise() signal by tgkill; every other way of signalling is in the parent's filter.
bool allowSignalsToSelf() {
  const auto self = static_cast<__u32>(::getpid());
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return installFilter(program, sizeof program);
}

bool restrictFiles(int ruleset) {
  struct [[gnu::packed]] {
    std::uint64_t access = kReadFile | kReadFolder;
    std::int32_t folder = -1;
  } rule;
  rule.folder = ::open("/proc/self", O_PATH | O_CLOEXEC);
  // Without /proc there is nothing to allow.
  if (rule.folder >= 0 && ::syscall(kLandlockAddRule, ruleset, kPathBeneath, &rule, 0) != 0)
    return false;
  return ::syscall(kLandlockRestrictSelf, ruleset, 0) == 0;
}

/// Sends descriptor `fd` through `socket`.
bool sendDescriptor(int socket, int fd) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  __builtin_memcpy(CMSG_DATA(header), &fd, sizeof fd);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

bool installListener(const ProcessConfinement &confinement) {
  const sock_fprog program = programOf(confinement.seccompProgram.data(), confinement.seccompProgram.size());
  const long listener = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (listener < 0 || !sendDescriptor(confinement.listenerSocket, static_cast<int>(listener)))
    return false;
  ::close(static_cast<int>(listener));
  ::close(confinement.listenerSocket);
  return true;
}

} // namespace

bool confineSelf(const ProcessConfinement &confinement, int ruleset) {
  if (confinement.listenerSocket >= 0)
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && installListener(confinement);
  if (!dropCapabilities() || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return false;
  if (ruleset >= 0 && !restrictFiles(ruleset))
    return false;
  if (confinement.signalsOnlyItself && !allowSignalsToSelf())
    return false;
  return confinement.seccompProgram.empty() ||
         installFilter(confinement.seccompProgram.data(), confinement.seccompProgram.size());
}

} // namespace agentic
