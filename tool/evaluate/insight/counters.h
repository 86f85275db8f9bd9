// Hardware counters of child processes. A set of events counts the children that the calling thread starts between its
// creation and its reading. It counts one process and is never used twice, because Linux may swap inherited events
// between parent and child until the child executes its program.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace agentic {

struct CounterEvent {
  std::string name;
  std::uint32_t type = 0; ///< as in perf_event_attr
  std::uint64_t config = 0;
};

/// Cycles, instructions, branch misses, cache misses, page faults, task clock.
std::vector<CounterEvent> usualEvents();

/// The requests to the Linux kernel; a test answers in its place.
class CounterKernel {
public:
  virtual ~CounterKernel() = default;
  virtual std::expected<int, int> open(const CounterEvent &event) = 0; ///< descriptor, or errno
  struct Reading {
    std::uint64_t value = 0, enabled = 0, running = 0; ///< the last two in ns
  };
  virtual std::expected<Reading, int> read(int descriptor) = 0;
  virtual void close(int descriptor) = 0;
};
std::unique_ptr<CounterKernel> linuxCounters();

struct CounterValue {
  std::string name;
  std::uint64_t value = 0; ///< scaled if the event shared its counter with others
  bool isScaled = false;
};

struct Counters {
  std::vector<CounterValue> values;
  std::vector<std::string> missing; ///< "cycles: the machine or the kernel offers no such counter"
};

/// The events of one process.
class CounterSet {
public:
  explicit CounterSet(CounterKernel &kernel);
  CounterSet(const CounterSet &) = delete;
  CounterSet &operator=(const CounterSet &) = delete;
  ~CounterSet();
  /// Reads the counters, once, after the process has ended.
  Counters take();

private:
  struct Open {
    std::string name;
    int descriptor = -1;
  };
  CounterKernel &kernel_;
  std::vector<Open> open_;
  std::vector<std::string> missing_;
};

std::string countersText(const Counters &counters);

} // namespace agentic
