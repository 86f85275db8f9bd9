#include "tool/evaluate/baseline/facts.h"

#include "tool/base/hash.h"
#include "tool/base/version.h"
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/model/json.h"
#include "tool/model/keyed_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kSchema = 5;

json toJson(const TestProgramFacts &facts) {
  json tests = json::object();
  for (const auto &[name, test] : facts.tests)
    tests[name] = int(test.state);
  return {{"target", facts.target},
          {"tests", tests},
          {"seconds", facts.seconds},
          {"shuffles", facts.shuffles},
          {"isGoogleTest", facts.isGoogleTest}};
}

TestProgramFacts testFacts(const json &object) {
  TestProgramFacts facts;
  facts.target = object.at("target");
  facts.seconds = object.at("seconds");
  facts.shuffles = object.at("shuffles");
  facts.isGoogleTest = object.at("isGoogleTest");
  for (const auto &[name, state] : object.at("tests").items())
    facts.tests[name].state = TestCase::State(state.get<int>());
  return facts;
}

json toJson(const Calibration &calibration) {
  return {{"testSeconds", calibration.testSeconds},
          {"benchmarkSeconds", calibration.benchmarkSeconds},
          {"endToEndSeconds", calibration.endToEndSeconds},
          {"compileSeconds", calibration.compileSeconds},
          {"smallestDifference", calibration.smallestDifference},
          {"baselineNs", calibration.baselineNs},
          {"testCount", calibration.testCount},
          {"observed", calibration.observed}};
}

Calibration calibrationOf(const json &object) {
  Calibration calibration;
  calibration.testSeconds = object.at("testSeconds");
  calibration.benchmarkSeconds = object.at("benchmarkSeconds");
  calibration.endToEndSeconds = object.at("endToEndSeconds");
  calibration.compileSeconds = object.at("compileSeconds");
  calibration.smallestDifference = object.at("smallestDifference");
  calibration.baselineNs = object.at("baselineNs");
  calibration.testCount = object.at("testCount");
  calibration.observed = object.at("observed").get<ObservedValues>();
  return calibration;
}

json toJson(const RecordingFacts &recording) {
  return {{"uncovered", recording.uncovered},
          {"notReplayable", recording.notReplayable},
          {"kept", recording.kept},
          {"incomplete", recording.incomplete},
          {"comparedInProcess", recording.comparedInProcess},
          {"glueLibrary", recording.glueLibrary},
          {"callsFile", recording.callsFile},
          {"testShapes", recording.testShapes},
          {"benchmarkShapes", recording.benchmarkShapes},
          {"overlaps", recording.overlaps},
          {"callers", recording.callers}};
}

RecordingFacts recordingOf(const json &object) {
  RecordingFacts recording;
  recording.uncovered = object.at("uncovered").get<std::vector<std::string>>();
  recording.notReplayable = object.at("notReplayable");
  recording.kept = object.at("kept");
  recording.incomplete = object.at("incomplete");
  recording.comparedInProcess = object.at("comparedInProcess");
  recording.glueLibrary = object.at("glueLibrary");
  recording.callsFile = object.at("callsFile");
  recording.testShapes = object.at("testShapes").get<std::vector<std::string>>();
  recording.benchmarkShapes = object.at("benchmarkShapes").get<std::vector<std::string>>();
  recording.overlaps = object.at("overlaps").get<std::vector<AliasPair>>();
  recording.callers = object.at("callers").get<CallingThreads>();
  return recording;
}

} // namespace

std::optional<BaselineFacts> loadFacts(const std::string &file, const std::string &key) {
  std::optional<json> object = loadKeyed(file, kSchema, key);
  if (!object)
    return std::nullopt;
  try {
    BaselineFacts facts;
    for (const json &program : object->at("tests"))
      facts.tests.push_back(testFacts(program));
    for (const json &program : object->at("benchmarks"))
      facts.benchmarks.push_back(program.get<BenchmarkProgramFacts>());
    for (const json &program : object->at("applications"))
      facts.applications.push_back(program.get<BenchmarkProgramFacts>());
    facts.calibration = calibrationOf(object->at("calibration"));
    facts.recording = recordingOf(object->at("recording"));
    facts.objectHash = object->at("objectHash");
    facts.tasks = object->at("tasks");
    facts.allowedUndefined = object->at("allowedUndefined").get<std::vector<std::string>>();
    return facts;
  } catch (const json::exception &) {
    return std::nullopt;
  }
}

Result<void> saveFacts(const std::string &file, const std::string &key, const BaselineFacts &facts) {
  json object = {{"tests", json::array()},
                 {"benchmarks", json::array()},
                 {"applications", json::array()},
                 {"calibration", toJson(facts.calibration)},
                 {"recording", toJson(facts.recording)},
                 {"objectHash", facts.objectHash},
                 {"tasks", facts.tasks},
                 {"allowedUndefined", facts.allowedUndefined}};
  for (const TestProgramFacts &program : facts.tests)
    object["tests"].push_back(toJson(program));
  for (const BenchmarkProgramFacts &program : facts.benchmarks)
    object["benchmarks"].push_back(program);
  for (const BenchmarkProgramFacts &program : facts.applications)
    object["applications"].push_back(program);
  return saveKeyed(file, kSchema, key, std::move(object));
}

std::optional<KernelSpec> loadSpec(const std::string &file, const std::string &key) {
  std::optional<json> object = loadKeyed(file, kSchema, key);
  if (!object)
    return std::nullopt;
  try {
    for (const auto &[path, hash] : object->at("headers").items())
      if (hash != json(textHash(path)))
        return std::nullopt;
    return object->at("spec").get<KernelSpec>();
  } catch (const json::exception &) {
    return std::nullopt;
  }
}

Result<void> saveSpec(const std::string &file, const std::string &key, const KernelSpec &spec) {
  json headers = json::object();
  for (const std::string &header : spec.projectHeaders)
    headers[header] = textHash(header);
  return saveKeyed(file, kSchema, key, {{"headers", headers}, {"spec", spec}});
}

std::string toolIdentity() {
  struct stat status{};
  if (::stat("/proc/self/exe", &status) != 0)
    return kVersion;
  return fmt::format("{} {} {}.{}", kVersion, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

} // namespace agentic
