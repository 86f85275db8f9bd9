#include "tool/evaluate/benchmark/benchmark_json.h"

#include "tool/model/json.h"

namespace agentic {

using nlohmann::json;

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
