// Reads the energy counters of this machine's NVIDIA GPUs from their driver, for the electricity of a local model.
//
// The driver's library (NVML) is opened at run time; the build does not need it. On a machine without it, this costs a
// failed look-up.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace agentic {

/// The library's name for the dynamic linker; it is part of NVML's interface.
inline constexpr const char *kNvmlLibrary = "libnvidia-ml.so.1";

class GpuEnergy {
public:
  /// `library`: kNvmlLibrary, or another one's path; empty: no GPUs. Costs the driver's time to wake up, up to seconds
  /// if nothing else uses the GPUs. GPUs without an energy counter (before Volta) are left out: their power at two
  /// moments does not give the energy between them.
  explicit GpuEnergy(const std::string &library);
  ~GpuEnergy();
  GpuEnergy(const GpuEnergy &) = delete;
  GpuEnergy &operator=(const GpuEnergy &) = delete;

  bool canBeRead() const;

  /// Returns the joules of all GPUs since the last call (or the construction): gross, of everything that ran on them. A
  /// GPU whose counter cannot be read this time, or began again, adds nothing for that time. nullopt: none could be
  /// read.
  std::optional<double> joules();

private:
  struct State;
  std::unique_ptr<State> state_; ///< empty: there is nothing to read
};

} // namespace agentic
