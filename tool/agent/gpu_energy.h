// What this machine's NVIDIA GPUs draw, by the counters of their driver: for the electricity of a local model.
//
// The driver's library (NVML) is opened while the tool runs; nothing of it is needed to build the tool. A machine
// without it pays a failed look-up.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace agentic {

/// As the dynamic linker finds it; its name is part of NVML's interface.
inline constexpr const char *kNvmlLibrary = "libnvidia-ml.so.1";

class GpuEnergy {
public:
  /// `library`: kNvmlLibrary, or another one's path; empty: no GPU is looked for. Costs what the driver takes to wake
  /// up, up to seconds where nothing else uses the GPUs. GPUs without an energy counter (before Volta) are left out:
  /// their power at two moments would not say what they drew between them.
  explicit GpuEnergy(const std::string &library);
  ~GpuEnergy();
  GpuEnergy(const GpuEnergy &) = delete;
  GpuEnergy &operator=(const GpuEnergy &) = delete;

  bool canBeRead() const;

  /// Joules of all GPUs since the last call (or the construction): gross, of all that ran on them. A GPU whose counter
  /// cannot be read this time, or began again, adds nothing for that time. nullopt: none could be read.
  std::optional<double> joules();

private:
  struct State;
  std::unique_ptr<State> state_; ///< empty: there is nothing to read
};

} // namespace agentic
