// The names that a contract's expressions may use: the kernel's parameters.
#pragma once

#include "tool/base/error.h"
#include "tool/model/contract_clauses.h"
#include "tool/model/expression.h"

#include <span>
#include <string>

namespace agentic {

/// Errors (User) complete a sentence that begins with the macro: "names 'x', which is no parameter of the kernel".
class ContractScope {
public:
  explicit ContractScope(std::span<const ContractParameter> parameters) : parameters_(parameters) {}

  /// Finds a parameter by name; the error suggests the name that was probably meant.
  Result<const ContractParameter *> parameter(const std::string &name) const;
  /// Accepts integer literals, integer parameters, sizes, + - * / % and parentheses.
  Result<void> checkExtent(const std::string &text) const;
  /// Accepts a condition over integers, floating-point numbers and truth values.
  Result<void> checkCondition(const std::string &text) const;

private:
  Result<void> checkExtentNode(const Expression &expression) const;
  Result<void> checkConditionNode(const Expression &expression) const;
  /// `wantsInteger`: the expression is an operand of % or of a bit operation.
  Result<void> checkNumber(const Expression &expression, bool wantsInteger) const;
  Result<void> checkName(const ContractParameter &target, const Expression &expression, bool inCondition) const;
  bool isBoolean(const Expression &expression) const;

  std::span<const ContractParameter> parameters_;
};

} // namespace agentic
