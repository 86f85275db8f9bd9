#include "tool/build/seccomp_filter.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace agentic {
namespace {

// Ways out of the process, to other processes' memory, or to kernel features with a history of holes. No name space can
// be made or entered, and no file can be executed that lies on no file system.
constexpr std::array kDenied = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(bpf),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(memfd_create),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(kexec_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(quotactl),
    SCMP_SYS(personality),
};

constexpr std::array kProcessCalls = {SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone)};

bool addRules(scmp_filter_ctx filter, bool allowThreads) {
  // SIGSYS would hide the reason; EPERM shows up in the program's own error handling.
  for (const int call : kDenied)
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) != 0)
      return false;
  if (allowThreads)
    return true;
  for (const int call : kProcessCalls)
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) != 0)
      return false;
  // glibc falls back to clone, which then fails with the right error
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

} // namespace

OwnedDescriptor::~OwnedDescriptor() {
  ::close(fd_);
}

Result<std::shared_ptr<OwnedDescriptor>> makeSeccompFilter(bool allowThreads) {
  const int fd = ::memfd_create("seccomp", MFD_CLOEXEC);
  if (fd < 0)
    return userError(std::string("cannot create an anonymous file: ") + std::strerror(errno),
                     "raise the limit of open files (ulimit -n)");
  auto owner = std::make_shared<OwnedDescriptor>(fd);
  const std::unique_ptr<void, void (*)(void *)> filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter || !addRules(filter.get(), allowThreads) || seccomp_export_bpf(filter.get(), fd) != 0 ||
      ::lseek(fd, 0, SEEK_SET) != 0)
    return bugError("libseccomp could not build the system call filter");
  return owner;
}

} // namespace agentic
