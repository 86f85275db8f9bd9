#include "tool/agent/gpu_energy.h"

#include <dlfcn.h>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr double kMilli = 1e-3;
constexpr unsigned kMostGpus = 256; ///< a larger number is an error

// The used part of NVML's C interface. A status of 0 is success; devices are opaque pointers.
using NvmlDevice = void *;
using NvmlPlain = int (*)();                                  // nvmlInit_v2, nvmlShutdown
using NvmlCount = int (*)(unsigned *count);                   // nvmlDeviceGetCount_v2
using NvmlHandle = int (*)(unsigned index, NvmlDevice *);     // nvmlDeviceGetHandleByIndex_v2
using NvmlEnergy = int (*)(NvmlDevice, unsigned long long *); // nvmlDeviceGetTotalEnergyConsumption, millijoules
constexpr int kSuccess = 0;

struct Nvml {
  NvmlPlain init = nullptr, shutdown = nullptr;
  NvmlCount count = nullptr;
  NvmlHandle handle = nullptr;
  NvmlEnergy energy = nullptr;
};

template <class Function> bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

/// The library stays loaded: drivers' libraries are not made to be unloaded.
std::optional<Nvml> openNvml(const std::string &path) {
  void *library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  Nvml nvml;
  const bool isWhole = library && find(library, "nvmlInit_v2", nvml.init) &&
                       find(library, "nvmlShutdown", nvml.shutdown) &&
                       find(library, "nvmlDeviceGetCount_v2", nvml.count) &&
                       find(library, "nvmlDeviceGetHandleByIndex_v2", nvml.handle) &&
                       find(library, "nvmlDeviceGetTotalEnergyConsumption", nvml.energy);
  return isWhole ? std::optional(nvml) : std::nullopt;
}

} // namespace

struct GpuEnergy::State {
  struct Gpu {
    NvmlDevice device;
    std::optional<unsigned long long> last; ///< millijoules; nullopt: not readable
  };
  explicit State(const Nvml &opened) : nvml(opened) {}
  ~State() { nvml.shutdown(); }

  std::optional<unsigned long long> read(NvmlDevice device) const {
    unsigned long long millijoules = 0;
    return nvml.energy(device, &millijoules) == kSuccess ? std::optional(millijoules) : std::nullopt;
  }

  Nvml nvml;
  std::vector<Gpu> gpus;
};

GpuEnergy::GpuEnergy(const std::string &library) {
  const std::optional<Nvml> nvml = openNvml(library);
  if (!nvml || nvml->init() != kSuccess)
    return;
  auto state = std::make_unique<State>(*nvml); // State shuts NVML down
  unsigned count = 0;
  if (nvml->count(&count) != kSuccess || count > kMostGpus)
    count = 0;
  for (unsigned i = 0; i < count; ++i) {
    NvmlDevice device = nullptr;
    if (nvml->handle(i, &device) != kSuccess)
      continue; // belongs to another user's container, or is broken
    if (const auto now = state->read(device))
      state->gpus.push_back({device, now});
  }
  if (!state->gpus.empty())
    state_ = std::move(state);
}

GpuEnergy::~GpuEnergy() = default;

bool GpuEnergy::canBeRead() const {
  return state_ != nullptr;
}

std::optional<double> GpuEnergy::joules() {
  std::optional<double> sum;
  if (!state_)
    return sum;
  for (State::Gpu &gpu : state_->gpus) {
    const auto now = state_->read(gpu.device);
    if (now && gpu.last && *now >= *gpu.last) // less: the driver was loaded again
      sum = sum.value_or(0) + double(*now - *gpu.last) * kMilli;
    gpu.last = now;
  }
  return sum;
}

} // namespace agentic
