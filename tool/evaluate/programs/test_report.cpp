// Parses GoogleTest's JSON report as hostile input.
#include "tool/evaluate/programs/test_stage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace agentic {
namespace {

using nlohmann::json;

/// "The difference between a and b is 2.5, which exceeds 0.1": only the difference; the rest names expected values.
std::optional<double> differenceIn(const std::string &message) {
  std::size_t end = message.find(", which exceeds ");
  if (end == std::string::npos)
    return std::nullopt;
  std::size_t begin = message.rfind(" is ", end);
  if (begin == std::string::npos)
    return std::nullopt;
  std::string number = message.substr(begin + 4, std::min<std::size_t>(end - begin - 4, 40));
  char *rest = nullptr;
  double value = std::strtod(number.c_str(), &rest);
  if (rest == number.c_str())
    return std::nullopt;
  return std::abs(value);
}

const json *member(const json &object, const char *name) {
  if (!object.is_object())
    return nullptr;
  auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string text(const json &object, const char *name) {
  const json *value = member(object, name);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

TestCase testCase(const json &test) {
  TestCase result;
  if (const json *failures = member(test, "failures"); failures && failures->is_array() && !failures->empty()) {
    result.state = TestCase::State::Failed;
    result.failures = int(std::min<std::size_t>(failures->size(), 1000000));
    for (const json &failure : *failures)
      if (std::optional<double> difference = differenceIn(text(failure, "failure")))
        result.largestDifference = std::max(result.largestDifference.value_or(0), *difference);
    return result;
  }
  std::string status = text(test, "status"), outcome = text(test, "result");
  if (status != "RUN")
    result.state = TestCase::State::NotRun;
  else if (outcome == "COMPLETED")
    result.state = TestCase::State::Completed;
  else if (outcome == "SKIPPED")
    result.state = TestCase::State::Skipped;
  return result;
}

} // namespace

std::optional<TestReport> parseTestReport(std::string_view reportText) {
  json report = json::parse(reportText, nullptr, false);
  const json *suites = member(report, "testsuites");
  if (!suites || !suites->is_array())
    return std::nullopt;
  TestReport result;
  for (const json &suite : *suites) {
    const json *tests = member(suite, "testsuite");
    if (!tests || !tests->is_array())
      return std::nullopt;
    std::string suiteName = text(suite, "name");
    for (const json &test : *tests) {
      // A failure outside tests (an environment's SetUp) is reported as a test without a name in a suite without one.
      std::string name = suiteName + "." + text(test, "name");
      if (!result.emplace(std::move(name), testCase(test)).second)
        return std::nullopt;
    }
  }
  return result;
}

} // namespace agentic
