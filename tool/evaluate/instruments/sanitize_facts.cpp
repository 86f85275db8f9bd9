#include "tool/base/files.h"
#include "tool/evaluate/instruments/sanitize.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr int kSchema = 1;

} // namespace

Result<void> saveSanitizeFacts(const std::string &file, const std::string &key, const SanitizeFacts &facts) {
  const nlohmann::json json = {{"schema", kSchema},
                               {"key", key},
                               {"flags", facts.flags},
                               {"runtimes", facts.runtimes},
                               {"runsCalls", facts.runsCalls},
                               {"callSeconds", facts.callSeconds},
                               {"remarks", facts.remarks}};
  return writeFileAtomic(file, json.dump());
}

std::optional<SanitizeFacts> loadSanitizeFacts(const std::string &file, const std::string &key) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(*text);
    if (json.at("schema") != kSchema || json.at("key") != key)
      return std::nullopt;
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

} // namespace agentic
