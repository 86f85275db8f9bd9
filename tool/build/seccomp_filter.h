// The system calls that sandboxed programs are denied, as a BPF program.
#pragma once

#include "tool/base/error.h"

#include <memory>
#include <string>

namespace agentic {

/// What a program may start. Candidates get no more than the baseline's tests need.
enum class Tasks { None, Threads, Processes };

/// A descriptor; closed with its last owner.
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

/// struct sock_filter[]. Denied calls fail with EPERM. `ownSignals`: signals to other processes are left to the
/// caller's own means (Landlock, a PID name space); else all of them are denied but for tgkill. With `ownSignals` and
/// no processes, one that sends SIGKILL or SIGSTOP ends with SIGSYS. Made once per process (a few ms).
Result<std::string> seccompProgram(Tasks tasks, bool ownSignals);

/// Asks a listener before every call that opens, makes or removes a file, starts a program or opens a socket.
Result<std::string> askingProgram();

/// An anonymous file that holds `text`, to be read once, from its start.
Result<std::shared_ptr<OwnedDescriptor>> anonymousFile(const std::string &text);

} // namespace agentic
