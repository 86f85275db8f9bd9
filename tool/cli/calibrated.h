// What `calibrate` found on this machine, for the commands that measure.
#pragma once

#include "tool/cli/console.h"
#include "tool/evaluate/calibration/calibration_store.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

std::string calibrationFile(const std::string &buildDir);

/// Of this machine and not older than 90 days. `note` says why there is none, also where nothing was ever measured.
StoredCalibration machineCalibrationNow(const std::string &buildDir);

/// The smallest gain that counts: `chosen` by the user, else this machine's, else 2 %. Says so on stderr where it is
/// not 2 %, and warns of a calibration that does not count any more.
double settleThreshold(Console &console, double chosen, const std::string &buildDir);

/// One line for `status`, and the same as JSON (null without a calibration).
std::string calibrationLine(const StoredCalibration &stored);
nlohmann::json calibrationJson(const StoredCalibration &stored);

} // namespace agentic
