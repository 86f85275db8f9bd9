#include "tool/evaluate/candidate/isolated_check.h"

#include "tool/base/cpu_limit.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"
#include "tool/evaluate/programs/own_program.h"
#include "tool/model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

// CBOR, because texts are bytes: JSON would reject a kernel with a comment in Latin-1.
using nlohmann::json;

constexpr std::uint64_t kMemory = std::uint64_t{4} << 30;
constexpr std::size_t kMostFindings = 500; // the most that fits into a child's output
constexpr int kNotStarted = 126;           // and 127: as shells and ld.so report it
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

std::string bytes(const json &value) {
  std::string out;
  json::to_cbor(value, out);
  return out;
}

json toJson(const checks::CheckRequest &request) {
  json own = json::array();
  for (const checks::OwnText &range : request.own)
    own.push_back({range.begin, range.end});
  return {{"path", request.path},
          {"text", request.text},
          {"arguments", request.arguments},
          {"workingDirectory", request.workingDirectory},
          {"own", own},
          {"kernelSymbol", request.kernelSymbol},
          {"kernelFunction", request.kernelFunction},
          {"canonicalType", request.canonicalType},
          {"allowedFunctions", request.allowedFunctions},
          {"policy", request.policy},
          {"baseline", request.baseline},
          {"permissions", request.permissions}};
}

checks::CheckRequest requestOf(const json &object) {
  checks::CheckRequest request;
  request.path = object.at("path");
  request.text = object.at("text");
  request.arguments = object.at("arguments").get<std::vector<std::string>>();
  request.workingDirectory = object.at("workingDirectory");
  for (const json &range : object.at("own"))
    request.own.push_back({range.at(0), range.at(1)});
  request.kernelSymbol = object.at("kernelSymbol");
  request.kernelFunction = object.at("kernelFunction");
  request.canonicalType = object.at("canonicalType");
  request.allowedFunctions = object.at("allowedFunctions").get<std::vector<std::string>>();
  request.policy = object.at("policy").get<Policy>();
  request.baseline = object.at("baseline");
  request.permissions = object.at("permissions").get<std::vector<Permission>>();
  return request;
}

json toJson(const std::vector<Finding> &findings, const std::vector<std::size_t> &offsets) {
  json list = json::array();
  for (std::size_t i = 0; i < findings.size() && i < kMostFindings; ++i) {
    const std::uint64_t offset = i < offsets.size() && offsets[i] != std::string::npos ? offsets[i] : kNowhere;
    list.push_back(
        {findings[i].check, findings[i].file, findings[i].line, findings[i].column, findings[i].message, offset});
  }
  return list;
}

void readFindings(const json &list, std::vector<Finding> &findings, std::vector<std::size_t> &offsets) {
  for (const json &item : list) {
    findings.push_back({item.at(0), item.at(1), item.at(2), item.at(3), item.at(4)});
    const auto offset = item.at(5).get<std::uint64_t>();
    offsets.push_back(offset == kNowhere ? std::string::npos : static_cast<std::size_t>(offset));
  }
}

/// nullopt: the answer is not ours, so the child broke.
std::optional<Result<checks::CheckOutcome>> outcomeOf(const std::string &answer) {
  const json object = json::from_cbor(answer, true, false);
  if (!object.is_object())
    return std::nullopt;
  try {
    if (const auto error = object.find("error"); error != object.end())
      return std::unexpected(Error{static_cast<ErrorKind>(error->at(0).get<int>()), error->at(1), error->at(2)});
    checks::CheckOutcome outcome;
    readFindings(object.at("findings"), outcome.findings, outcome.offsets);
    readFindings(object.at("notes"), outcome.notes, outcome.noteOffsets);
    readFindings(object.at("errors"), outcome.errors, outcome.errorOffsets);
    outcome.permissions = object.at("permissions").get<std::vector<Permission>>();
    outcome.permissionOffsets = object.at("permissionOffsets").get<std::vector<std::size_t>>();
    return outcome;
  } catch (const json::exception &) {
    return std::nullopt;
  }
}

checks::CheckOutcome beyondLimits(const CheckProcess &process, const ProcessResult &result) {
  checks::CheckOutcome outcome;
  outcome.findings.push_back(
      {kCompileLimits, "", 0, 0,
       hasUsedUpCpu(result, process.cpuSeconds)
           ? fmt::format("took longer than {:.0f} s to parse; avoid deep template recursion, heavy constant "
                         "evaluation and macros that expand into each other",
                         process.cpuSeconds)
           : "made Clang run out of memory or crash; write it with less nesting and fewer templates and macros"});
  outcome.offsets.push_back(std::string::npos);
  return outcome;
}

} // namespace

Result<checks::CheckOutcome> runChecksApart(const CheckProcess &process, const checks::CheckRequest &request) {
  std::error_code error;
  if (!fs::exists(process.program, error))
    return userError("'" + process.program + "' was replaced or removed while it ran", "run the command again");
  std::vector<std::string> arguments = {process.compiler};
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  Sandbox::View view = compileView(arguments, request.workingDirectory, {});
  showProgram(process.program, view);
  ProcessSpec spec;
  spec.argv = {process.program, "check-candidate"};
  spec.workingDirectory = request.workingDirectory;
  spec.environment = std::vector<std::string>();
  spec.input = bytes(toJson(request));
  limitCpu(spec, process.cpuSeconds);
  spec.limits.addressSpaceBytes = kMemory;
  spec.cancelled = process.cancelled;
  auto result = TRY(process.sandbox->run(std::move(spec), view));
  if (result.end == ProcessResult::End::Cancelled)
    return interruptedError();
  if (result.end == ProcessResult::End::TimedOut && !hasUsedUpCpu(result, process.cpuSeconds))
    return starvedError("the check", process.cpuSeconds);
  if (result.end == ProcessResult::End::Exited) {
    if (result.code == kNotStarted || result.code == kNotStarted + 1)
      return bugError("'" + process.program + "' does not start in the sandbox: " + std::string(trim(result.err)));
    if (auto outcome = outcomeOf(result.out))
      return *outcome;
  }
  return beyondLimits(process, result);
}

std::string answerCheckRequest(std::string_view request) {
  const json object = json::from_cbor(request, true, false);
  Result<checks::CheckOutcome> outcome = bugError("check-candidate was not given a request");
  try {
    if (object.is_object())
      outcome = checks::runChecks(requestOf(object));
  } catch (const json::exception &exception) {
    outcome = bugError(std::string("check-candidate was given a broken request: ") + exception.what());
  }
  if (!outcome)
    return bytes({{"error", {static_cast<int>(outcome.error().kind), outcome.error().message, outcome.error().next}}});
  return bytes({{"findings", toJson(outcome->findings, outcome->offsets)},
                {"notes", toJson(outcome->notes, outcome->noteOffsets)},
                {"errors", toJson(outcome->errors, outcome->errorOffsets)},
                {"permissions", outcome->permissions},
                {"permissionOffsets", outcome->permissionOffsets}});
}

} // namespace agentic
