// How often and how long this program waits for the disk: its own fsync() instead of libc's.
#pragma once

namespace agentic::cost {

struct Syncs {
  int count = 0;
  double seconds = 0;
};

/// Since the program began, by all of its threads.
Syncs countedSyncs();

} // namespace agentic::cost
