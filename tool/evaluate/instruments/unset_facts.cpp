#include "tool/base/files.h"
#include "tool/evaluate/instruments/unset_values.h"
#include "tool/model/keyed_json.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr int kUnsetSchema = 1;

std::string factsFile(const std::string &folder) {
  return folder + "/facts.json";
}

/// The facts hold for the clang with which they were learnt.
std::string keyOf(const std::string &key, const MemoryTools &tools) {
  return key + " " + tools.compiler.path + " " + tools.compiler.version;
}

} // namespace

Result<void> saveUnsetFacts(const std::string &folder, const std::string &key, UnsetFacts &facts) {
  if (facts.steps == 0) // the reason for that may be gone before the next process
    return {};
  TRY(createDirectories(folder));
  if (!facts.baseline.empty()) {
    const std::string kept = folder + "/baseline.so";
    const std::string object = TRY(readFile(facts.baseline));
    TRY(writeFileAtomic(kept, object));
    facts.baseline = kept;
  }
  return saveKeyed(
      factsFile(folder), kUnsetSchema, keyOf(key, facts.tools),
      {{"steps", facts.steps}, {"baseline", facts.baseline}, {"seconds", facts.seconds}, {"remarks", facts.remarks}});
}

Result<std::optional<UnsetFacts>> loadUnsetFacts(const InstrumentedContext &context, const std::string &folder,
                                                 const std::string &key) {
  std::error_code error;
  if (!fs::exists(factsFile(folder), error))
    return std::nullopt;
  UnsetFacts facts;
  facts.tools = TRY(buildMemoryTools(context));
  const std::optional<nlohmann::json> kept = loadKeyed(factsFile(folder), kUnsetSchema, keyOf(key, facts.tools));
  if (!kept || !facts.tools.problem.empty())
    return std::nullopt;
  try {
    facts.steps = kept->at("steps").get<std::size_t>();
    facts.baseline = kept->at("baseline").get<std::string>();
    facts.seconds = kept->at("seconds").get<double>();
    facts.remarks = kept->at("remarks").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception &) {
    return std::nullopt;
  }
  if (!facts.baseline.empty() && !fs::exists(facts.baseline, error))
    return std::nullopt;
  return facts;
}

Result<UnsetFacts> keptUnsetFacts(const InstrumentedContext &context, const std::string &folder,
                                  const std::string &key) {
  if (std::optional<UnsetFacts> kept = TRY(loadUnsetFacts(context, folder, key)))
    return *std::move(kept);
  UnsetFacts learnt = TRY(learnUnset(context));
  TRY(saveUnsetFacts(folder, key, learnt));
  return learnt;
}

} // namespace agentic
