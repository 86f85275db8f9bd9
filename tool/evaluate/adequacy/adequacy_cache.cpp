#include "tool/evaluate/adequacy/adequacy_cache.h"

#include "tool/model/keyed_json.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;

json toJson(const JudgedMutant &mutant) {
  return {{"kind", mutant.kind},     {"line", mutant.line},     {"column", mutant.column},    {"change", mutant.change},
          {"advice", mutant.advice}, {"killed", mutant.killed}, {"killedBy", mutant.killedBy}};
}

JudgedMutant mutantOf(const json &object) {
  return {.kind = object.at("kind"),
          .line = object.at("line"),
          .column = object.at("column"),
          .change = object.at("change"),
          .advice = object.at("advice"),
          .killed = object.at("killed"),
          .killedBy = object.at("killedBy")};
}

AdequacyCache cacheOf(const json &object) {
  AdequacyCache cache;
  for (const auto &[hash, outcome] : object.at("outcomes").items())
    cache.outcomes[hash] = {static_cast<MutantOutcome::State>(outcome.at(0).get<int>()), outcome.at(1)};
  cache.mostMutants = object.at("mostMutants");
  const json &report = object.at("report");
  cache.report.kernel = report.at("kernel");
  cache.report.source = report.at("source");
  for (const json &mutant : report.at("mutants"))
    cache.report.mutants.push_back(mutantOf(mutant));
  cache.report.equivalent = report.at("equivalent");
  cache.report.invalid = report.at("invalid");
  cache.report.notTried = report.at("notTried");
  return cache;
}

} // namespace

AdequacyCache loadAdequacy(const std::string &file, const std::string &key) {
  const std::optional<json> object = loadKeyed(file, kSchema, key);
  if (!object)
    return {};
  try {
    return cacheOf(*object);
  } catch (const json::exception &) {
    return {};
  }
}

Result<void> saveAdequacy(const std::string &file, const std::string &key, const AdequacyCache &cache) {
  json outcomes = json::object(), mutants = json::array();
  for (const auto &[hash, outcome] : cache.outcomes)
    outcomes[hash] = {static_cast<int>(outcome.state), outcome.killedBy};
  for (const JudgedMutant &mutant : cache.report.mutants)
    mutants.push_back(toJson(mutant));
  const json object = {{"outcomes", outcomes},
                       {"mostMutants", cache.mostMutants},
                       {"report",
                        {{"kernel", cache.report.kernel},
                         {"source", cache.report.source},
                         {"mutants", mutants},
                         {"equivalent", cache.report.equivalent},
                         {"invalid", cache.report.invalid},
                         {"notTried", cache.report.notTried}}}};
  return saveKeyed(file, kSchema, key, object);
}

} // namespace agentic
