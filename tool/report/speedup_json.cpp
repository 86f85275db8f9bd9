#include "tool/report/speedup_json.h"

#include "tool/model/figures.h"
#include "tool/model/words.h"

#include <nlohmann/json.hpp>

namespace agentic {

nlohmann::json speedupJson(const Speedup &speedup) {
  return {{"ratio", speedup.ratio}, {"low", speedup.low}, {"high", speedup.high}, {"estimate", !speedup.isConfirmed}};
}

nlohmann::json known(const std::string &text) {
  return text.empty() ? nlohmann::json() : nlohmann::json(text);
}
nlohmann::json known(double figure) {
  return figure > 0 ? nlohmann::json(figure) : nlohmann::json();
}
nlohmann::json known(const std::optional<double> &value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}
nlohmann::json known(const std::optional<Speedup> &speedup) {
  return speedup ? speedupJson(*speedup) : nlohmann::json();
}

nlohmann::json known(const std::optional<EndToEnd> &application) {
  if (!application)
    return {};
  const bool isMeasured = application->pairs > 0;
  nlohmann::json object = {{"outcome", wordOf(application->outcome)},
                           {"application", application->application},
                           {"metric", application->metric},
                           {"printed", application->printed},
                           {"text", endToEndText(*application)}};
  object["kernel_share"] = application->kernelShare >= 0 ? nlohmann::json(application->kernelShare) : nlohmann::json();
  object["speedup"] = isMeasured ? speedupJson(application->speedup) : nlohmann::json();
  object["spread"] = isMeasured ? nlohmann::json(application->spread) : nlohmann::json();
  object["pairs"] = application->pairs;
  return object;
}

nlohmann::json rolesJson(const std::map<std::string, CallTotals> &roles) {
  nlohmann::json result;
  for (const auto &[role, totals] : roles)
    result[role] = {{"calls", totals.calls},           {"answered", totals.answered},
                    {"tokens_in", totals.inputTokens}, {"tokens_out", totals.outputTokens},
                    {"cost_usd", totals.usd},          {"call_seconds", totals.seconds}};
  return result;
}

} // namespace agentic
