#include "tool/evaluate/insight/counters.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace agentic {
namespace {

class LinuxCounters : public CounterKernel {
public:
  std::expected<int, int> open(const CounterEvent &event) override {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.disabled = 1;
    attributes.inherit = 1;
    attributes.enable_on_exec = 1; // this process executes nothing: its children do
    attributes.exclude_kernel = event.type == PERF_TYPE_HARDWARE;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    const long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0)
      return std::unexpected(errno);
    return static_cast<int>(descriptor);
  }
  std::expected<Reading, int> read(int descriptor) override {
    std::uint64_t values[3] = {};
    if (::read(descriptor, values, sizeof values) != static_cast<ssize_t>(sizeof values))
      return std::unexpected(errno ? errno : EIO);
    return Reading{values[0], values[1], values[2]};
  }
  void close(int descriptor) override { ::close(descriptor); }
};

std::string reasonOf(int error) {
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP)
    return "the machine offers no such counter";
  if (error == EACCES || error == EPERM)
    return "the system does not permit it (kernel.perf_event_paranoid)";
  return std::strerror(error);
}

} // namespace

std::vector<CounterEvent> usualEvents() {
  return {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
          {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
          {"branch misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
          {"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
          {"page faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
          {"task clock (ns)", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}};
}

std::unique_ptr<CounterKernel> linuxCounters() {
  return std::make_unique<LinuxCounters>();
}

CounterSet::CounterSet(CounterKernel &kernel) : kernel_(kernel) {
  for (const CounterEvent &event : usualEvents())
    if (const auto descriptor = kernel.open(event))
      open_.push_back({event.name, *descriptor});
    else
      missing_.push_back(event.name + ": " + reasonOf(descriptor.error()));
}

CounterSet::~CounterSet() {
  for (const Open &open : open_)
    kernel_.close(open.descriptor);
}

Counters CounterSet::take() {
  Counters counters{.values = {}, .missing = missing_};
  for (const Open &open : open_) {
    const auto reading = kernel_.read(open.descriptor);
    if (!reading) {
      counters.missing.push_back(open.name + ": " + reasonOf(reading.error()));
    } else if (reading->running == 0) {
      counters.missing.push_back(open.name + ": it never got a counter");
    } else {
      CounterValue value{open.name, reading->value, reading->running < reading->enabled};
      if (value.isScaled)
        value.value =
            static_cast<std::uint64_t>(static_cast<double>(reading->value) * static_cast<double>(reading->enabled) /
                                       static_cast<double>(reading->running));
      counters.values.push_back(std::move(value));
    }
  }
  return counters;
}

std::string countersText(const Counters &counters) {
  std::string text;
  double cycles = 0, instructions = 0;
  for (const CounterValue &value : counters.values) {
    text += fmt::format("{}: {}{}\n", value.name, value.value, value.isScaled ? " (scaled)" : "");
    if (value.name == "cycles")
      cycles = static_cast<double>(value.value);
    if (value.name == "instructions")
      instructions = static_cast<double>(value.value);
  }
  if (cycles > 0 && instructions > 0)
    text += fmt::format("instructions per cycle: {:.2f}\n", instructions / cycles);
  for (const std::string &missing : counters.missing)
    text += "not counted: " + missing + "\n";
  return text;
}

} // namespace agentic
