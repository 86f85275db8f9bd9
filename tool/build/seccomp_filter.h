// Makes the BPF program that denies system calls to sandboxed programs.
#pragma once

#include "tool/base/error.h"

#include <memory>
#include <string>

namespace agentic {

/// The tasks that a program may start. Candidates get no more than the baseline's tests need.
enum class Tasks { None, Threads, Processes };

/// Owns a descriptor, which is closed with its last owner.
class OwnedDescriptor {
public:
  explicit OwnedDescriptor(int fd) : fd_(fd) {}
  OwnedDescriptor(const OwnedDescriptor &) = delete;
  OwnedDescriptor &operator=(const OwnedDescriptor &) = delete;
  ~OwnedDescriptor();
  int get() const { return fd_; }

private:
  int fd_;
};

/// Returns a struct sock_filter[]. Denied calls fail with EPERM. `ownSignals`: the caller restricts signals to other
/// processes by other means (Landlock, a PID name space); else all signals are denied but tgkill. With `ownSignals` and
/// no processes, a program that sends SIGKILL or SIGSTOP ends with SIGSYS. Made once per process (a few ms).
Result<std::string> seccompProgram(Tasks tasks, bool ownSignals);

/// Returns a program that asks a listener before every call that opens, makes or removes a file, starts a program or
/// opens a socket.
Result<std::string> askingProgram();

/// Returns an anonymous file that holds `text`, to be read once, from its start.
Result<std::shared_ptr<OwnedDescriptor>> anonymousFile(const std::string &text);

} // namespace agentic
