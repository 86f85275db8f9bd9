// Replaces the GPU driver's library in tests: answers from the file named by AGENTIC_TEST_NVML in the environment, with
// lines of "<key> <number>": init, shutdown, count.status, handle.<i>, energy.<i>.status (statuses, 0 if missing),
// count, energy.<i> (millijoules). Read anew in every call; each call of init and shutdown is noted in <file>.calls.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

std::string file() {
  const char *name = std::getenv("AGENTIC_TEST_NVML");
  return name ? name : "";
}

unsigned long long valueOf(const std::string &key) {
  std::ifstream in(file());
  std::string name;
  unsigned long long value = 0;
  while (in >> name >> value)
    if (name == key)
      return value;
  return 0;
}

int statusOf(const std::string &key) {
  return static_cast<int>(valueOf(key));
}

void note(const char *call) {
  std::ofstream(file() + ".calls", std::ios::app) << call << "\n";
}

[[maybe_unused]] std::string numberOf(void *device) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(device) - 1);
}

} // namespace

extern "C" int nvmlInit_v2() {
  note("init");
  return statusOf("init");
}

extern "C" int nvmlShutdown() {
  note("shutdown");
  return statusOf("shutdown");
}

extern "C" int nvmlDeviceGetCount_v2(unsigned *count) {
  *count = static_cast<unsigned>(valueOf("count"));
  return statusOf("count.status");
}

extern "C" int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
  *device = reinterpret_cast<void *>(std::uintptr_t{index} + 1);
  return statusOf("handle." + std::to_string(index));
}

#ifndef AGENTIC_WITHOUT_ENERGY
extern "C" int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
  *millijoules = valueOf("energy." + numberOf(device));
  return statusOf("energy." + numberOf(device) + ".status");
}
#endif
