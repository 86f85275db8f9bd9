// The system calls that sandboxed programs are denied, as a BPF program for `bwrap --seccomp`.
#pragma once

#include "tool/base/error.h"

#include <memory>

namespace agentic {

/// A descriptor of an anonymous file; closed with its last owner.
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

/// A new descriptor each time, because whoever reads it moves its position. Denied calls fail with EPERM. Without
/// `allowThreads` so do new threads and processes. Cost ~0.1 ms.
Result<std::shared_ptr<OwnedDescriptor>> makeSeccompFilter(bool allowThreads);

} // namespace agentic
