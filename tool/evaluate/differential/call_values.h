// The numbers of a call by name, and what a contract demands of them.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/model/contract.h"
#include "tool/model/expression_value.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

/// Scalars by their name, lengths of ranges as "data.size()".
using CallValues = std::map<std::string, double, std::less<>>;

CallValues valuesOf(const RecordedCall &call, const std::vector<GlueParameter> &parameters);
NameValue lookupIn(const CallValues &values);

/// Returns the value of a scalar argument, if it is a number of a usual type.
std::optional<double> scalarValue(const GlueParameter &parameter, const std::vector<std::byte> &bytes);

class ContractRules {
public:
  /// Clauses that cannot be parsed are left out.
  explicit ContractRules(const Contract &contract);

  /// Returns whether all requirements hold; one that cannot be computed does not.
  bool isLegal(const CallValues &values) const;
  /// Returns whether a declared extent names it.
  bool isSize(const std::string &name) const { return sizes_.contains(name); }

private:
  std::vector<Expression> requirements_;
  std::set<std::string> sizes_;
};

} // namespace agentic
