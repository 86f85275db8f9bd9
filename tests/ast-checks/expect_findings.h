// Runs all checks on a piece of code and compares everything they find with what is expected: one finding too many
// fails.
#pragma once

#include "ast-checks/checks.h"

#include <string>
#include <vector>

namespace agentic::checks {

struct Expected {
  std::string check;
  unsigned line = 0;
  bool operator==(const Expected &) const = default;
};

struct Unit {
  std::string mocks; ///< declarations of a library before the code, not own text
  std::vector<std::string> arguments = {"-std=c++20"};
  std::vector<std::string> allowedFunctions = {};
  std::string kernelSymbol = "agentic_kernel_test"; ///< empty: `code` is a baseline
  std::string kernelFunction = {};
  std::string canonicalType = {};
  bool addKernel = true; ///< adds an empty kernel after the code, not own text
  Policy policy = {};
  std::string baseline = {};
  std::vector<Permission> permissions = {};
};

/// `lines` refer to `code`, from 1. Clang errors fail the test.
void expectFindings(const std::string &code, const std::vector<Expected> &expected, const Unit &unit = {});

/// The same for notes; any finding fails.
void expectNotes(const std::string &code, const std::vector<Expected> &expected, const Unit &unit = {});

/// All messages of the findings, for tests of the wording.
std::vector<std::string> messagesOf(const std::string &code, const Unit &unit = {});

CheckOutcome outcomeOf(const std::string &code, const Unit &unit = {});

} // namespace agentic::checks
