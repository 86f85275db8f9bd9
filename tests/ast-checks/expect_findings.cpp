#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace agentic::checks {
namespace {

std::string prefixOf(const Unit &unit) {
  return unit.mocks.empty() ? "" : unit.mocks + "\n";
}

void expectExactly(const CheckOutcome &outcome, std::vector<Finding> CheckOutcome::*list,
                   const std::vector<Expected> &expected) {
  for (const Finding &error : outcome.errors)
    ADD_FAILURE() << "clang: " << error.file << ":" << error.line << ": " << error.message;
  std::vector<Expected> wanted = expected;
  for (const Finding &finding : outcome.*list) {
    auto match = std::ranges::find(wanted, Expected{finding.check, finding.line});
    if (match != wanted.end())
      wanted.erase(match);
    else
      ADD_FAILURE() << "unexpected: line " << finding.line << ":" << finding.column << " [" << finding.check << "] "
                    << finding.message;
  }
  for (const Expected &missing : wanted)
    ADD_FAILURE() << "missing: line " << missing.line << " [" << missing.check << "]";
}

} // namespace

CheckOutcome outcomeOf(const std::string &code, const Unit &unit) {
  CheckRequest request;
  std::string prefix = prefixOf(unit);
  request.path = "/nowhere/candidate.cpp";
  request.text = prefix + code + "\n";
  request.own = {{prefix.size(), request.text.size()}};
  if (unit.addKernel && !unit.kernelSymbol.empty())
    request.text += "extern \"C\" void " + unit.kernelSymbol + "() {}\n";
  request.arguments = unit.arguments;
  request.kernelSymbol = unit.kernelSymbol;
  request.kernelFunction = unit.kernelFunction;
  request.canonicalType = unit.canonicalType;
  request.allowedFunctions = unit.allowedFunctions;
  request.policy = unit.policy;
  request.baseline = unit.baseline;
  request.permissions = unit.permissions;
  auto outcome = runChecks(request);
  if (!outcome) {
    ADD_FAILURE() << outcome.error().message;
    return {};
  }
  const auto skipped = static_cast<unsigned>(std::ranges::count(prefix, '\n'));
  for (Finding &finding : outcome->findings)
    finding.line -= skipped;
  for (Finding &note : outcome->notes)
    note.line -= skipped;
  for (Permission &permission : outcome->permissions)
    permission.line -= skipped;
  return *outcome;
}

void expectFindings(const std::string &code, const std::vector<Expected> &expected, const Unit &unit) {
  expectExactly(outcomeOf(code, unit), &CheckOutcome::findings, expected);
}

void expectNotes(const std::string &code, const std::vector<Expected> &expected, const Unit &unit) {
  const CheckOutcome outcome = outcomeOf(code, unit);
  expectExactly(outcome, &CheckOutcome::findings, {});
  expectExactly(outcome, &CheckOutcome::notes, expected);
}
std::vector<std::string> messagesOf(const std::string &code, const Unit &unit) {
  std::vector<std::string> messages;
  for (const Finding &finding : outcomeOf(code, unit).findings)
    messages.push_back(finding.message);
  return messages;
}

} // namespace agentic::checks
