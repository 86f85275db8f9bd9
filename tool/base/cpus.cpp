#include "tool/base/cpus.h"

#include <cstddef>
#include <sched.h>

namespace agentic {

std::vector<int> usableCpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(std::size_t(cpu), &allowed))
      cpus.push_back(cpu);
  return cpus;
}

std::optional<int> measuringCpu() {
  const std::vector<int> cpus = usableCpus();
  return cpus.empty() ? std::nullopt : std::optional(cpus.back());
}

bool confineThread(const std::vector<int> &cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus)
    CPU_SET(std::size_t(cpu), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

} // namespace agentic
