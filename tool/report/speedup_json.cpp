#include "tool/report/speedup_json.h"

#include <nlohmann/json.hpp>

namespace agentic {

nlohmann::json speedupJson(const Speedup &speedup) {
  return {{"ratio", speedup.ratio}, {"low", speedup.low}, {"high", speedup.high}, {"estimate", !speedup.isConfirmed}};
}

} // namespace agentic
