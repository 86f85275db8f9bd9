#include "tool/evaluate/differential/tried_values.h"

#include "tool/base/text.h"
#include "tool/evaluate/differential/call_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr std::string_view kCompared = "compared with ";

bool hasElements(const GlueParameter &parameter) {
  return (parameter.kind == GlueParameter::Kind::Pointer || parameter.kind == GlueParameter::Kind::Range) &&
         parameter.elementSize > 0;
}

std::optional<double> numberOf(const GlueParameter &parameter, const RecordedArgument &argument) {
  if (hasElements(parameter))
    return argument.header.role == wire::Role::Null
               ? std::nullopt
               : std::optional(double(argument.bytes.size() / parameter.elementSize));
  return scalarValue(parameter, argument.bytes);
}

} // namespace

std::string triedValues(const Plan &plan, const GlueDescription &kernel) {
  std::vector<bool> isRun(plan.calls.size());
  for (const PlanStep &step : plan.steps)
    isRun[step.header.call] = true;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const GlueParameter &parameter = kernel.parameters[i];
    std::optional<std::pair<double, double>> range;
    for (std::size_t call = 0; call < plan.calls.size(); ++call)
      if (isRun[call] && i < plan.calls[call].call.arguments.size())
        if (const std::optional<double> number = numberOf(parameter, plan.calls[call].call.arguments[i]);
            number && std::isfinite(*number))
          range = {std::min(*number, range ? range->first : *number),
                   std::max(*number, range ? range->second : *number)};
    if (!range)
      continue;
    const auto &[least, most] = *range;
    const std::string numbers =
        least == most ? fmt::format("{:.10g}", least) : fmt::format("{:.10g} to {:.10g}", least, most);
    const char *only = least == most ? " only" : "";
    parts.push_back(hasElements(parameter) ? fmt::format("'{}' of {} elements{}", parameter.name, numbers, only)
                                           : fmt::format("'{}' {}{}", parameter.name, numbers, only));
  }
  return parts.empty() ? std::string() : std::string(kCompared) + join(parts, ", ");
}

bool isTriedValues(std::string_view remark) {
  return remark.starts_with(kCompared);
}

} // namespace agentic
