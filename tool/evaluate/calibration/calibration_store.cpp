#include "tool/evaluate/calibration/calibration_store.h"

#include "tool/base/files.h"
#include "tool/base/median.h"
#include "tool/evaluate/calibration/calibration_statistics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;
constexpr std::int64_t kSecondsPerDay = 86400, kDays = 90;

/// Returns the pairs of a subject's comparisons of identical code.
std::vector<Pair> pairsOf(const std::vector<CalibrationDecision> &decisions, const std::string &subject,
                          std::optional<bool> busy) {
  std::vector<Pair> pairs;
  for (const CalibrationDecision &decision : decisions)
    if (decision.subject == subject && !decision.isGain && (!busy || decision.isBusy == *busy))
      for (const BenchmarkMeasurement &benchmark : decision.benchmarks)
        pairs.insert(pairs.end(), benchmark.pairs.begin(), benchmark.pairs.end());
  return pairs;
}

CalibratedSubject summarizeSubject(const std::vector<CalibrationDecision> &decisions, const std::string &name,
                                   const DecisionRule &rule) {
  const std::vector<Pair> all = pairsOf(decisions, name, std::nullopt);
  CalibratedSubject subject{.name = name};
  std::vector<double> times;
  for (const Pair &pair : all)
    times.push_back(median(pair.reference));
  subject.nanoseconds = times.empty() ? 0 : median(std::move(times));
  subject.noise = pairNoise(pairsOf(decisions, name, false));
  subject.noiseBusy = pairNoise(pairsOf(decisions, name, true));
  subject.smallestGain = smallestDetectableGain(all, rule);
  return subject;
}

void count(const CalibrationDecision &decision, MachineCalibration &result) {
  if (decision.isGain) {
    ++result.gains;
    result.gainsAccepted += decision.isAccepted;
    return;
  }
  ++result.comparisons;
  result.falseAccepts += decision.isAccepted;
  result.busyComparisons += decision.isBusy;
  result.busyFalseAccepts += decision.isBusy && decision.isAccepted;
  result.undecided += decision.benchmarks.empty() || decision.verdict == "too noisy";
}

json machineJson(const MachineFingerprint &machine) {
  return {{"cpu", machine.cpu},           {"kernel", machine.kernel}, {"microcode", machine.microcode},
          {"governor", machine.governor}, {"tool", machine.tool},     {"cpus", machine.cpus}};
}

bool isShare(double value) {
  return std::isfinite(value) && value >= 0 && value <= 1;
}

} // namespace

bool MachineCalibration::isDisturbedByLoad() const {
  constexpr double kMostNoise = 1.5;
  return std::ranges::any_of(subjects, [](const CalibratedSubject &subject) {
    return subject.noise > 0 && subject.noiseBusy > kMostNoise * subject.noise;
  });
}

double MachineCalibration::falseAcceptsAtMost() const {
  return proportionAtMost(falseAccepts, comparisons);
}

MachineCalibration summarize(const std::vector<CalibrationDecision> &decisions, const DecisionRule &rule) {
  MachineCalibration result;
  result.machine = machineFingerprint();
  result.unixSeconds = std::time(nullptr);
  std::vector<std::string> names;
  std::vector<Speedup> sameCode;
  for (const CalibrationDecision &decision : decisions) {
    if (std::ranges::find(names, decision.subject) == names.end())
      names.push_back(decision.subject);
    count(decision, result);
    if (!decision.isGain && !decision.benchmarks.empty() && decision.verdict != "too noisy")
      sameCode.push_back(decision.speedup);
    result.meanSeconds += decision.ownSeconds / double(decisions.size());
    result.longestSeconds = std::max(result.longestSeconds, decision.ownSeconds);
    result.longestWallSeconds = std::max(result.longestWallSeconds, decision.seconds);
  }
  for (const std::string &name : names)
    result.subjects.push_back(summarizeSubject(decisions, name, rule));
  result.threshold = thresholdFor(sameCode, rule.threshold);
  return result;
}

std::string calibrationText(const MachineCalibration &calibration) {
  json object = {{"schema", kSchema},
                 {"machine", machineJson(calibration.machine)},
                 {"unix_seconds", calibration.unixSeconds},
                 {"full", calibration.full},
                 {"subjects", json::array()},
                 {"comparisons", calibration.comparisons},
                 {"false_accepts", calibration.falseAccepts},
                 {"false_accepts_at_most", calibration.falseAcceptsAtMost()},
                 {"busy_comparisons", calibration.busyComparisons},
                 {"busy_false_accepts", calibration.busyFalseAccepts},
                 {"undecided", calibration.undecided},
                 {"gains", calibration.gains},
                 {"gains_accepted", calibration.gainsAccepted},
                 {"mean_seconds", calibration.meanSeconds},
                 {"longest_seconds", calibration.longestSeconds},
                 {"longest_wall_seconds", calibration.longestWallSeconds},
                 {"threshold", calibration.threshold}};
  for (const CalibratedSubject &subject : calibration.subjects)
    object["subjects"].push_back({{"name", subject.name},
                                  {"nanoseconds", subject.nanoseconds},
                                  {"noise", subject.noise},
                                  {"noise_busy", subject.noiseBusy},
                                  {"smallest_gain", subject.smallestGain}});
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<MachineCalibration> parseCalibration(const std::string &text) {
  const json object = json::parse(text, nullptr, false);
  try {
    if (object.at("schema") != kSchema)
      return std::nullopt;
    MachineCalibration result;
    const json &machine = object.at("machine");
    result.machine = {machine.at("cpu"),      machine.at("kernel"), machine.at("microcode"),
                      machine.at("governor"), machine.at("tool"),   machine.at("cpus")};
    result.unixSeconds = object.at("unix_seconds");
    result.full = object.at("full");
    for (const json &subject : object.at("subjects"))
      result.subjects.push_back({subject.at("name"), subject.at("nanoseconds"), subject.at("noise"),
                                 subject.at("noise_busy"), subject.at("smallest_gain")});
    result.comparisons = object.at("comparisons");
    result.falseAccepts = object.at("false_accepts");
    result.busyComparisons = object.at("busy_comparisons");
    result.busyFalseAccepts = object.at("busy_false_accepts");
    result.undecided = object.at("undecided");
    result.gains = object.at("gains");
    result.gainsAccepted = object.at("gains_accepted");
    result.meanSeconds = object.at("mean_seconds");
    result.longestSeconds = object.at("longest_seconds");
    result.longestWallSeconds = object.at("longest_wall_seconds");
    result.threshold = object.at("threshold");
    if (!isShare(result.threshold) || result.comparisons <= 0)
      return std::nullopt;
    return result;
  } catch (const json::exception &) {
    return std::nullopt;
  }
}

StoredCalibration storedCalibration(const std::string &file, const MachineFingerprint &machine, std::int64_t now) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return {};
  std::optional<MachineCalibration> stored = parseCalibration(*text);
  if (!stored)
    return {std::nullopt, "the calibration in " + file + " cannot be read; run 'agentic-kernel calibrate'"};
  if (stored->machine != machine)
    return {std::nullopt, "the calibration in " + file +
                              " is of another machine, kernel or version of this tool; run 'agentic-kernel calibrate'"};
  const std::int64_t days = (now - stored->unixSeconds) / kSecondsPerDay;
  if (days < 0 || days > kDays)
    return {std::nullopt,
            fmt::format("the calibration of this machine is {} days old; run 'agentic-kernel calibrate'", days)};
  return {std::move(stored), {}};
}

} // namespace agentic
