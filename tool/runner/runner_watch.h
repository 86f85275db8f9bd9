// Whether outputs are read before they are written: their pages are inaccessible until they are touched, and the first
// access to each tells.
#pragma once

#include "tool/runner/runner_memory.h"

#include <cstddef>
#include <vector>

namespace agentic::runner {

/// Elements of one page share their fate: one that was written lets the others be read.
class OutputWatch {
public:
  /// Makes the open pages of `regions` inaccessible. More than 64 MiB together: nothing is watched.
  void arm(const std::vector<Region *> &regions);
  void disarm();
  bool wasRead() const { return wasRead_; }

  /// Of the fault handler: false if the address is none of the watched ones. Opens its page.
  bool onAccess(const char *address, bool isWrite);

private:
  std::vector<Region *> regions_;
  bool wasRead_ = false;
};

} // namespace agentic::runner
