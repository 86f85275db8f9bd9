#include "tests/cost/counted_syncs.h"

#include "tool/base/clock.h"

#include <atomic>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<int> count = 0;
std::atomic<double> seconds = 0;
} // namespace

extern "C" int fsync(int fd) {
  const double begin = agentic::steadySeconds();
  const long result = syscall(SYS_fsync, fd);
  seconds += agentic::steadySeconds() - begin;
  ++count;
  return static_cast<int>(result);
}

namespace agentic::cost {

Syncs countedSyncs() {
  return {count, seconds};
}

} // namespace agentic::cost
