// What `calibrate` found on this machine, for the commands that measure.
#pragma once

#include "tool/evaluate/calibration/calibration_store.h"
#include "tool/run/messages.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace agentic {

/// Of the files that all projects of a user share (Surroundings::cacheFile).
inline constexpr const char *kCalibrationFile = "calibration.json";

/// Of this machine and not older than 90 days. `note` says why there is none, also where nothing was ever measured.
StoredCalibration machineCalibrationNow(const std::string &file);

/// The smallest gain that counts, as a share: that of the user, in percent, else this machine's, else 2 %. Says so
/// where it is not 2 %, and warns of a calibration that does not count any more.
double settleThreshold(Messages &messages, std::optional<double> chosenPercent, const std::string &file);

/// One line for `status`, and the same as JSON (null without a calibration).
std::string calibrationLine(const StoredCalibration &stored);
nlohmann::json calibrationJson(const StoredCalibration &stored);

} // namespace agentic
