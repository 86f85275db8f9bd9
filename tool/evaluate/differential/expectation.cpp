#include "tool/evaluate/differential/expectation.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/model/keyed_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

constexpr int kSchema = 5;
constexpr double kLeastTimeout = 5, kSlowestFactor = 10;

nlohmann::json toJson(const ExpectedStep &step) {
  nlohmann::json fields = nlohmann::json::array();
  for (const OutputField &field : step.fields)
    fields.push_back(
        {field.name, int(field.element), field.elementSize, field.bytes, field.contraction, field.rounding});
  return {{"fields", fields},
          {"argumentBytes", step.argumentBytes},
          {"circumstance", step.circumstance},
          {"origin", step.origin},
          {"heldOut", step.isHeldOut},
          {"verbatim", step.isVerbatim},
          {"hash", step.outputHash},
          {"disturbances", step.disturbances},
          {"mayDiffer", step.mayDiffer},
          {"begin", step.begin},
          {"bytes", step.bytes},
          {"uncontracted", step.uncontractedHash}};
}

ExpectedStep stepFrom(const nlohmann::json &json) {
  ExpectedStep step;
  for (const nlohmann::json &field : json.at("fields"))
    step.fields.push_back({field.at(0).get<std::string>(), GlueParameter::Element(field.at(1).get<int>()),
                           field.at(2).get<std::size_t>(), field.at(3).get<std::size_t>(), field.at(4).get<double>(),
                           field.at(5).get<double>()});
  step.argumentBytes = json.at("argumentBytes").get<std::vector<std::size_t>>();
  step.circumstance = json.at("circumstance").get<std::string>();
  step.origin = json.at("origin").get<std::string>();
  step.isHeldOut = json.at("heldOut").get<bool>();
  step.isVerbatim = json.at("verbatim").get<bool>();
  step.outputHash = json.at("hash").get<std::uint64_t>();
  step.disturbances = json.at("disturbances").get<std::uint32_t>();
  step.mayDiffer = json.at("mayDiffer").get<std::size_t>();
  step.begin = json.at("begin").get<std::size_t>();
  step.bytes = json.at("bytes").get<std::size_t>();
  step.uncontractedHash = json.at("uncontracted").get<std::uint64_t>();
  return step;
}

std::string disturbanceText(std::uint32_t disturbances) {
  struct Row {
    std::uint32_t bit;
    const char *text;
  };
  static constexpr Row kRows[] = {
      {wire::kFloatingPointState, "changes the floating-point environment"},
      {wire::kErrno, "sets errno"},
      {wire::kThreads, "leaves another thread behind"},
      {wire::kDescriptors, "opens or closes a file"},
      {wire::kSignalMask, "changes which signals are blocked"},
      {wire::kInputs, "writes to an input"},
      {wire::kMargins, "writes outside of its buffers"},
      {wire::kEarlierResults, "changes results after the call has returned"},
      {wire::kStatics, "keeps something in static memory"},
      {wire::kOutputsRead, "reads an output before it has written to it"},
  };
  std::vector<std::string> texts;
  for (const Row &row : kRows)
    if (disturbances & row.bit)
      texts.emplace_back(row.text);
  return join(texts, ", ");
}

class Judgement {
public:
  Judgement(const Expectation &expectation, const ReplayOutcome &outcome)
      : expectation_(expectation), outcome_(outcome) {}

  /// Empty, or why the candidate is wrong.
  Result<std::string> run() {
    for (std::size_t i = 0; i < outcome_.steps.size(); ++i) {
      Result<std::string> problem = stepProblem(expectation_.steps[i], outcome_.steps[i]);
      if (!problem || !problem->empty())
        return problem;
    }
    if (outcome_.atEnd != 0)
      return disturbanceText(outcome_.atEnd);
    if (outcome_.isComplete)
      return std::string();
    if (outcome_.isNotLoadable)
      return "cannot be loaded without the project's programs, which the baseline can: " + outcome_.message;
    if (outcome_.timedOut)
      return std::string("takes more than ten times as long as the baseline, or hangs");
    return "ends the process that calls it, which " + outcome_.message;
  }

private:
  Result<std::string> stepProblem(const ExpectedStep &expected, const ReplayedStep &actual) {
    const std::string where = expected.isHeldOut ? " in a call that is held out, " + expected.circumstance
                                                 : " in a call " + expected.origin + ", " + expected.circumstance;
    if (actual.header.status == wire::StepStatus::StackOverflow)
      return "uses more stack than 256 KiB" + where;
    if (actual.header.status == wire::StepStatus::Fault)
      return faultText(actual.header, expected.argumentBytes, expectation_.parameters) + where;
    if (const std::uint32_t more = actual.header.disturbances & ~expected.disturbances; more != 0)
      return disturbanceText(more) + where;
    if (actual.header.outputHash == expected.outputHash && actual.outputs.size() == expected.bytes)
      return std::string();
    std::span<const std::byte> outputs = TRY(expectedOutputs(expected));
    const std::vector<Difference> differences =
        compareOutputs(expected.fields, outputs, actual.outputs,
                       expected.isVerbatim ? expectation_.exactness : expectation_.exactness.forMadeContents());
    if (differences.empty() || (differingElements(differences) <= expected.mayDiffer && mayBeRounding(differences)))
      return std::string();
    std::vector<std::string> texts;
    for (const Difference &difference : differences)
      texts.push_back(difference.text());
    const bool isFloating = std::ranges::any_of(
        expected.fields, [](const OutputField &field) { return field.element == GlueParameter::Element::Floating; });
    const std::string undeclared = isFloating && expectation_.exactness.kind == Exactness::Kind::Strict
                                       ? " (no AGENTIC_TOLERANCE is declared)"
                                       : "";
    return "results are not the baseline's " + expectation_.exactness.text() + undeclared + where + ": " +
           join(texts, "; ");
  }

  /// The outputs are read only if bits differ.
  Result<std::span<const std::byte>> expectedOutputs(const ExpectedStep &step) {
    if (results_.empty()) {
      results_ = TRY(readFile(expectation_.resultsFile));
    }
    if (step.begin + step.bytes > results_.size())
      return userError("'" + expectation_.resultsFile + "' is damaged", "remove it; it is made again");
    return std::span(reinterpret_cast<const std::byte *>(results_.data()) + step.begin, step.bytes);
  }

  const Expectation &expectation_;
  const ReplayOutcome &outcome_;
  std::string results_;
};

} // namespace

std::string faultText(const wire::StepResult &fault, std::span<const std::size_t> argumentBytes,
                      std::span<const std::string> parameters) {
  const std::size_t argument = static_cast<std::size_t>(fault.argument);
  if (fault.argument < 0 || argument >= argumentBytes.size() || argument >= parameters.size())
    return fmt::format("stops with signal {} (an access outside of all buffers, or a trap)", fault.signal);
  const std::string access = fault.isWrite ? "writes" : "reads";
  const std::int64_t behind = fault.offset - static_cast<std::int64_t>(argumentBytes[argument]);
  if (fault.offset < 0)
    return fmt::format("{} {} bytes before the first element of '{}'", access, -fault.offset, parameters[argument]);
  if (behind == 0)
    return fmt::format("{} the byte right behind the last element of '{}'", access, parameters[argument]);
  if (behind > 0)
    return fmt::format("{} {} bytes behind the last element of '{}'", access, behind, parameters[argument]);
  return fmt::format("{} '{}', which is an input", access, parameters[argument]);
}

Result<void> saveExpectation(const std::string &file, const std::string &key, const Expectation &expectation) {
  nlohmann::json json = {{"plan", expectation.planFile},
                         {"results", expectation.resultsFile},
                         {"uncontracted", expectation.uncontractedFile},
                         {"seconds", expectation.seconds},
                         {"recorded", expectation.recordedCalls},
                         {"generated", expectation.generatedCalls},
                         {"remarks", expectation.remarks},
                         {"parameters", expectation.parameters},
                         {"benchmarkCalls", nlohmann::json::array()},
                         {"steps", nlohmann::json::array()}};
  for (const BenchmarkCall &call : expectation.benchmarkCalls)
    json["benchmarkCalls"].push_back({call.movedBytes, call.callBytes, call.seconds});
  for (const ExpectedStep &step : expectation.steps)
    json["steps"].push_back(toJson(step));
  return saveKeyed(file, kSchema, key, std::move(json));
}

std::optional<Expectation> loadExpectation(const std::string &file, const std::string &key,
                                           const Exactness &exactness) {
  const std::optional<nlohmann::json> kept = loadKeyed(file, kSchema, key);
  if (!kept)
    return std::nullopt;
  try {
    const nlohmann::json &json = *kept;
    Expectation expectation;
    expectation.planFile = json.at("plan").get<std::string>();
    expectation.resultsFile = json.at("results").get<std::string>();
    expectation.uncontractedFile = json.at("uncontracted").get<std::string>();
    expectation.seconds = json.at("seconds").get<double>();
    expectation.recordedCalls = json.at("recorded").get<std::size_t>();
    expectation.generatedCalls = json.at("generated").get<std::size_t>();
    expectation.remarks = json.at("remarks").get<std::vector<std::string>>();
    expectation.parameters = json.at("parameters").get<std::vector<std::string>>();
    expectation.exactness = exactness;
    for (const nlohmann::json &call : json.at("benchmarkCalls"))
      expectation.benchmarkCalls.push_back(
          {call.at(0).get<double>(), call.at(1).get<double>(), call.at(2).get<double>()});
    for (const nlohmann::json &step : json.at("steps"))
      expectation.steps.push_back(stepFrom(step));
    std::error_code error;
    const std::string &uncontracted = expectation.uncontractedFile;
    if (!fs::exists(expectation.planFile, error) || !fs::exists(expectation.resultsFile, error) ||
        (!uncontracted.empty() && !fs::exists(uncontracted, error)))
      return std::nullopt;
    return expectation;
  } catch (const nlohmann::json::exception &) {
    return std::nullopt;
  }
}

Expectation withoutContraction(Expectation expectation) {
  expectation.resultsFile = std::move(expectation.uncontractedFile);
  expectation.uncontractedFile.clear();
  expectation.exactness = {.kind = Exactness::Kind::Bits, .tolerance = {}};
  for (ExpectedStep &step : expectation.steps) {
    step.outputHash = step.uncontractedHash;
    step.mayDiffer = 0;
  }
  return expectation;
}

Result<DifferentialOutcome> judge(const ReplayContext &context, const Expectation &expectation,
                                  const std::string &sharedObject) {
  const double start = steadySeconds();
  ReplayOutcome outcome = TRY(replay(context, expectation.planFile, expectation.steps.size(), sharedObject,
                                     std::max(kLeastTimeout, kSlowestFactor * expectation.seconds)));
  std::string problem = TRY(Judgement(expectation, outcome).run());
  DifferentialOutcome result{.passed = problem.empty(), .detail = std::move(problem)};
  for (const ReplayedStep &step : outcome.steps)
    result.stackBytes = std::max<std::size_t>(result.stackBytes, step.header.stackBytes);
  result.seconds = steadySeconds() - start;
  return result;
}

} // namespace agentic
