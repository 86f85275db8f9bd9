#include "tool/evaluate/instruments/sanitize.h"

#include "tool/model/keyed_json.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr int kSchema = 1;

} // namespace

Result<void> saveSanitizeFacts(const std::string &file, const std::string &key, const SanitizeFacts &facts) {
  return saveKeyed(file, kSchema, key,
                   {{"flags", facts.flags},
                    {"runtimes", facts.runtimes},
                    {"runsCalls", facts.runsCalls},
                    {"callSeconds", facts.callSeconds},
                    {"remarks", facts.remarks}});
}

std::optional<SanitizeFacts> loadSanitizeFacts(const std::string &file, const std::string &key) {
  const std::optional<nlohmann::json> kept = loadKeyed(file, kSchema, key);
  if (!kept)
    return std::nullopt;
  try {
    const nlohmann::json &json = *kept;
    SanitizeFacts facts;
    facts.flags = json.at("flags").get<std::vector<std::string>>();
    facts.runtimes = json.at("runtimes").get<std::vector<std::string>>();
    facts.runsCalls = json.at("runsCalls").get<bool>();
    facts.callSeconds = json.at("callSeconds").get<double>();
    facts.remarks = json.at("remarks").get<std::vector<std::string>>();
    std::error_code error;
    for (const std::string &runtime : facts.runtimes)
      if (!fs::exists(runtime, error))
        return std::nullopt;
    return facts;
  } catch (const nlohmann::json::exception &) {
    return std::nullopt;
  }
}

Result<SanitizeFacts> keptSanitizeFacts(const InstrumentedContext &context, const std::string &file,
                                        const std::string &key) {
  if (std::optional<SanitizeFacts> kept = loadSanitizeFacts(file, key))
    return *std::move(kept);
  SanitizeFacts learnt = TRY(learnSanitize(context));
  TRY(saveSanitizeFacts(file, key, learnt));
  return learnt;
}

} // namespace agentic
