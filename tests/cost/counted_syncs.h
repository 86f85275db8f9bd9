// Counts how often and how long this program waits for the disk: its own fsync() instead of libc's.
#pragma once

namespace agentic::cost {

struct Syncs {
  int count = 0;
  double seconds = 0;
};

/// Returns the count since the program began, over all of its threads.
Syncs countedSyncs();

} // namespace agentic::cost
