// Keeps the result of a machine's calibration in a file for the next runs.
//
// The file counts only on the machine and for the version of the tool that made it, and for 90 days.
#pragma once

#include "tool/base/error.h"
#include "tool/build/machine_fingerprint.h"
#include "tool/evaluate/calibration/calibration.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct CalibratedSubject {
  std::string name;
  double nanoseconds = 0;          ///< per call
  double noise = 0, noiseBusy = 0; ///< spread of the pair ratios, relative; 0 = not measured
  double smallestGain = 0;         ///< smallest gain that is accepted in nine of ten comparisons; 1 = none up to 50 %
};

struct MachineCalibration {
  MachineFingerprint machine;
  std::int64_t unixSeconds = 0; ///< time of the calibration
  bool full = false;
  std::vector<CalibratedSubject> subjects;
  int comparisons = 0, falseAccepts = 0;         ///< comparisons of identical code
  int busyComparisons = 0, busyFalseAccepts = 0; ///< those of them under load
  int undecided = 0;                             ///< comparisons that were too noisy, or took too long
  int gains = 0, gainsAccepted = 0;              ///< comparisons with a gain of 5 %
  double meanSeconds = 0, longestSeconds = 0,
         longestWallSeconds = 0;     ///< per decision; the first two without waiting for other programs
  double threshold = 0.02;           ///< smallest gain that counts here
  double falseAcceptsAtMost() const; ///< upper bound of their share, 95 %
  /// Returns whether identical code differed more than 1.5 times as much while other CPUs were busy; false where that
  /// was not measured.
  bool isDisturbedByLoad() const;
};

/// Sums up. `threshold`: the least one, with which the decisions were made.
MachineCalibration summarize(const std::vector<CalibrationDecision> &decisions, const DecisionRule &rule);

std::string calibrationText(const MachineCalibration &calibration);          ///< JSON for the file
std::optional<MachineCalibration> parseCalibration(const std::string &text); ///< nullopt for anything else

struct StoredCalibration {
  std::optional<MachineCalibration> calibration; ///< if it counts
  std::string note;                              ///< why the file does not count; empty if it does or is absent
};
/// Returns the file's calibration, if `machine` made it less than 90 days before `now`.
StoredCalibration storedCalibration(const std::string &file, const MachineFingerprint &machine, std::int64_t now);

} // namespace agentic
