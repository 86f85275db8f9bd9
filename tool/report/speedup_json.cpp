#include "tool/report/speedup_json.h"

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

} // namespace agentic
