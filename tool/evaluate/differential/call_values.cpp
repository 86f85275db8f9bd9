#include "tool/evaluate/differential/call_values.h"

#include "tool/evaluate/differential/element_type.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace agentic {
namespace {

void collectNames(const Expression &expression, std::set<std::string> &names) {
  if (expression.kind == Expression::Kind::Name)
    names.insert(expression.text);
  for (const Expression &operand : expression.operands)
    collectNames(operand, names);
}

} // namespace

CallValues valuesOf(const RecordedCall &call, const std::vector<GlueParameter> &parameters) {
  CallValues values;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const GlueParameter &parameter = parameters[i];
    if (const std::optional<double> value = scalarValue(parameter, call.arguments[i].bytes))
      values.emplace(parameter.name, *value);
    if (parameter.kind == GlueParameter::Kind::Range)
      values.emplace(parameter.name + ".size()",
                     double(call.arguments[i].bytes.size() / std::max<std::size_t>(1, parameter.elementSize)));
  }
  return values;
}

NameValue lookupIn(const CallValues &values) {
  return [&values](std::string_view name, bool isSize) -> std::optional<double> {
    const auto found = values.find(isSize ? std::string(name) + ".size()" : std::string(name));
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

std::optional<double> scalarValue(const GlueParameter &parameter, const std::vector<std::byte> &bytes) {
  std::optional<double> result;
  if (parameter.kind == GlueParameter::Kind::Scalar && bytes.size() == parameter.size)
    withElementType(parameter.element, bytes.size(), [&]<class T>(T value) {
      std::memcpy(&value, bytes.data(), sizeof value);
      result = static_cast<double>(value);
    });
  if (!result && parameter.kind == GlueParameter::Kind::Scalar && parameter.element == GlueParameter::Element::Bytes &&
      bytes.size() == parameter.size && bytes.size() <= 8) {
    std::uint64_t value = 0; // for enumerations and bool
    std::memcpy(&value, bytes.data(), bytes.size());
    result = static_cast<double>(value);
  }
  return result;
}

ContractRules::ContractRules(const Contract &contract) {
  for (const Extent &extent : contract.extents)
    if (Result<Expression> expression = parseExpression(extent.text))
      collectNames(*expression, sizes_);
  for (const std::string &requirement : contract.requirements)
    if (Result<Expression> expression = parseExpression(requirement))
      requirements_.push_back(std::move(*expression));
}

bool ContractRules::isLegal(const CallValues &values) const {
  return std::ranges::all_of(requirements_, [&](const Expression &requirement) {
    const std::optional<double> value = valueOf(requirement, lookupIn(values));
    return value && *value != 0;
  });
}

} // namespace agentic
