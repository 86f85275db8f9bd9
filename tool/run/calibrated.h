// Provides the result of `calibrate` on this machine to the commands that measure.
#pragma once

#include "tool/evaluate/calibration/calibration_store.h"
#include "tool/run/messages.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace agentic {

/// The name of the file that all projects of a user share (Surroundings::cacheFile).
inline constexpr const char *kCalibrationFile = "calibration.json";

/// Returns this machine's calibration if it is not older than 90 days. `note` says why there is none, also if the
/// machine was never measured.
StoredCalibration machineCalibrationNow(const std::string &file);

/// Returns the smallest gain that counts, as a share: the user's, in percent, else this machine's, else 2 %. Reports a
/// value other than 2 %, and warns of a calibration that no longer counts.
double settleThreshold(Messages &messages, std::optional<double> chosenPercent, const StoredCalibration &stored);

/// Returns one line for `status`, and the same as JSON (null without a calibration).
std::string calibrationLine(const StoredCalibration &stored);
nlohmann::json calibrationJson(const StoredCalibration &stored);

} // namespace agentic
