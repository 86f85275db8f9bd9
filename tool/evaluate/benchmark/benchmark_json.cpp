#include "tool/evaluate/benchmark/benchmark_json.h"

#include "tool/model/json.h"

#include <nlohmann/json.hpp>

namespace agentic {

using nlohmann::json;

void to_json(json &object, const BenchmarkProgramFacts &facts) {
  object = {{"target", facts.target},
            {"names", facts.names},
            {"repetitions", facts.repetitions},
            {"seconds", facts.seconds},
            {"wallPerCpu", facts.wallPerCpu},
            {"pausedPerIteration", facts.pausedPerIteration},
            {"minTimeSuffix", facts.minTimeSuffix},
            {"leftOut", facts.leftOut},
            {"filter", facts.filter},
            {"printed", facts.printed},
            {"byWallTime", facts.byWallTime},
            {"unseen", facts.unseen},
            {"cpuShare", facts.cpuShare},
            {"kernelShare", facts.kernelShare}};
}

void from_json(const json &object, BenchmarkProgramFacts &facts) {
  facts.target = object.at("target");
  facts.names = object.at("names").get<std::vector<std::string>>();
  facts.repetitions = object.at("repetitions");
  facts.seconds = object.at("seconds");
  facts.wallPerCpu = object.at("wallPerCpu");
  facts.pausedPerIteration = object.at("pausedPerIteration");
  facts.minTimeSuffix = object.at("minTimeSuffix");
  facts.leftOut = object.at("leftOut").get<std::map<std::string, std::string>>();
  facts.filter = object.at("filter");
  facts.printed = object.at("printed");
  facts.byWallTime = object.at("byWallTime").get<std::set<std::string>>();
  facts.unseen = object.at("unseen").get<std::set<std::string>>();
  facts.cpuShare = object.at("cpuShare");
  facts.kernelShare = object.at("kernelShare");
}

void to_json(json &object, const DecisionRule &rule) {
  object = {{"threshold", rule.threshold},       {"stages", rule.stages},
            {"minimumPairs", rule.minimumPairs}, {"bootstrapSamples", rule.bootstrapSamples},
            {"confidence", rule.confidence},     {"seed", rule.seed},
            {"needsPromise", rule.needsPromise}, {"isClaim", rule.isClaim}};
}

void from_json(const json &object, DecisionRule &rule) {
  rule.threshold = object.at("threshold");
  rule.stages = object.at("stages").get<std::vector<int>>();
  rule.minimumPairs = object.at("minimumPairs");
  rule.bootstrapSamples = object.at("bootstrapSamples");
  rule.confidence = object.at("confidence");
  rule.seed = object.at("seed");
  rule.needsPromise = object.at("needsPromise");
  rule.isClaim = object.at("isClaim");
}

void to_json(json &object, const BenchmarkOutcome &outcome) {
  object = {{"rejection", outcome.rejection}, {"isAuditFault", outcome.isAuditFault},
            {"undecided", outcome.undecided}, {"pairs", outcome.pairs},
            {"seconds", outcome.seconds},     {"ownSeconds", outcome.ownSeconds}};
  if (outcome.measurement)
    object["measurement"] = *outcome.measurement;
}

void from_json(const json &object, BenchmarkOutcome &outcome) {
  outcome.rejection = object.at("rejection");
  outcome.isAuditFault = object.at("isAuditFault");
  outcome.undecided = object.at("undecided");
  outcome.pairs = object.at("pairs");
  outcome.seconds = object.at("seconds");
  outcome.ownSeconds = object.at("ownSeconds");
  if (const auto measurement = object.find("measurement"); measurement != object.end())
    outcome.measurement = measurement->get<Measurement>();
}

} // namespace agentic
