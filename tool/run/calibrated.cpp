#include "tool/run/calibrated.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>

namespace agentic {
namespace {

std::string dateOf(std::int64_t unixSeconds) {
  const std::time_t time = unixSeconds;
  std::tm date{};
  char text[16] = {};
  if (::gmtime_r(&time, &date) != nullptr)
    std::strftime(text, sizeof text, "%Y-%m-%d", &date);
  return text;
}

} // namespace

StoredCalibration machineCalibrationNow(const std::string &file) {
  return storedCalibration(file, machineFingerprint(), std::time(nullptr));
}

double settleThreshold(Messages &messages, std::optional<double> chosenPercent, const StoredCalibration &stored) {
  if (chosenPercent)
    return *chosenPercent / 100;
  const DecisionRule usual;
  if (!stored.note.empty())
    messages.warn(stored.note);
  if (!stored.calibration || stored.calibration->threshold <= usual.threshold)
    return usual.threshold;
  messages.note(fmt::format("  gains below {:.1f} % do not count: identical code differs that much on this machine "
                            "(calibrated {})",
                            100 * stored.calibration->threshold, dateOf(stored.calibration->unixSeconds)));
  return stored.calibration->threshold;
}

std::string calibrationLine(const StoredCalibration &stored) {
  if (!stored.calibration)
    return stored.note.empty() ? "not calibrated: run 'agentic-kernel calibrate'" : stored.note;
  const MachineCalibration &calibration = *stored.calibration;
  std::string line = fmt::format("calibrated {}: identical code accepted {} of {} times (at most {:.1f} %)",
                                 dateOf(calibration.unixSeconds), calibration.falseAccepts, calibration.comparisons,
                                 100 * calibration.falseAcceptsAtMost());
  if (calibration.gains > 0)
    line += fmt::format(", a gain of 5 % {} of {} times", calibration.gainsAccepted, calibration.gains);
  for (const CalibratedSubject &subject : calibration.subjects)
    if (subject.smallestGain < 1)
      line += fmt::format("; {}: gains of {:.1f} % are seen", subject.name, 100 * subject.smallestGain);
  return line + fmt::format("; gains below {:.1f} % do not count", 100 * calibration.threshold);
}

nlohmann::json calibrationJson(const StoredCalibration &stored) {
  return stored.calibration ? nlohmann::json::parse(calibrationText(*stored.calibration)) : nlohmann::json();
}

} // namespace agentic
