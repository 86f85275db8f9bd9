// Detects whether outputs are read before they are written: their pages are inaccessible until they are touched, and
// the first access to each page tells.
#pragma once

#include "tool/runner/runner_memory.h"

#include <cstddef>
#include <vector>

namespace agentic::runner {

/// Elements on one page share their state: a write to one lets the others be read.
class OutputWatch {
public:
  /// Makes the open pages of `regions` inaccessible; watches nothing if they exceed 64 MiB together.
  void arm(const std::vector<Region *> &regions);
  void disarm();
  bool wasRead() const { return wasRead_; }

  /// For the fault handler: opens the page of the address; returns false if the address is not watched.
  bool onAccess(const char *address, bool isWrite);

private:
  std::vector<Region *> regions_;
  bool wasRead_ = false;
};

} // namespace agentic::runner
