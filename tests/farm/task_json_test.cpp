// What crosses to another machine and back keeps its meaning.
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/evaluate/remote/program_json.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Value> Value thereAndBack(const Value &value) {
  return json::parse(json(value).dump()).template get<Value>();
}

TEST(TaskJson, RuleFactsAndOutcome) {
  const DecisionRule rule = thereAndBack(DecisionRule{.threshold = 0.015,
                                                      .stages = {4, 9},
                                                      .minimumPairs = 12,
                                                      .bootstrapSamples = 2000,
                                                      .confidence = 0.98,
                                                      .seed = 18446744073709551557u,
                                                      .needsPromise = true,
                                                      .isClaim = true});
  EXPECT_EQ(rule.stages, (std::vector<int>{4, 9}));
  EXPECT_EQ(rule.seed, 18446744073709551557u);
  EXPECT_EQ(rule.threshold, 0.015);
  EXPECT_TRUE(rule.needsPromise && rule.isClaim);
  const BenchmarkProgramFacts facts = thereAndBack(BenchmarkProgramFacts{
      .target = "bench", .names = {"b/1", "b/2"}, .repetitions = 3, .leftOut = {{"b/3", "why"}}, .cpuShare = 0.4});
  EXPECT_EQ(facts.names, (std::vector<std::string>{"b/1", "b/2"}));
  EXPECT_EQ(facts.leftOut.at("b/3"), "why");
  EXPECT_EQ(facts.cpuShare, 0.4);
  BenchmarkOutcome outcome{.measurement = Measurement{}, .pairs = 7, .ownSeconds = 1.25};
  outcome.measurement->comparison = Comparison::Faster;
  outcome.measurement->speedup = {.ratio = 1.0 / 3, .low = 0.1, .high = 0.7, .isInterval = true};
  outcome.measurement->benchmarks.push_back({.benchmark = "b/1", .pairs = {{{1.5, 2.5}, {0.5}}}});
  const BenchmarkOutcome back = thereAndBack(outcome);
  ASSERT_TRUE(back.measurement);
  EXPECT_EQ(back.measurement->speedup.ratio, 1.0 / 3);
  EXPECT_EQ(back.measurement->comparison, Comparison::Faster);
  EXPECT_THAT(back.measurement->benchmarks.at(0).pairs.at(0).reference, ElementsAre(1.5, 2.5));
  EXPECT_EQ(back.pairs, 7);
  EXPECT_FALSE(thereAndBack(BenchmarkOutcome{.rejection = "it died"}).measurement);
}

TEST(TaskJson, ATaskNamesItsFilesByTheirContents) {
  const auto folder = ScratchDirectory::create(fs::temp_directory_path(), "task-");
  ASSERT_TRUE(folder);
  const std::string reference = folder->path() / "reference.so", candidate = folder->path() / "candidate.so";
  ASSERT_TRUE(writeFileAtomic(reference, "one"));
  ASSERT_TRUE(writeFileAtomic(candidate, "two"));
  const std::vector<TestProgram> programs = {{.target = "bench", .file = "/project/bench"}};
  const RunContext context{.kernel = "gemm"};
  const BenchmarkRequest request{.programs = &programs, .reference = reference, .candidate = candidate};
  const auto task = measuringTask(context, request, {}, {.files = {}, .folders = {"/project"}});
  ASSERT_TRUE(task);
  ASSERT_EQ(task->files.size(), 2u);
  EXPECT_EQ(task->files[1].hash, sha256("two"));
  EXPECT_EQ(task->description.at("files").at(0).at("path"), reference);
  const auto again = measuringTask(context, request, {}, {});
  ASSERT_TRUE(again);
  EXPECT_NE(again->id, task->id) << "what is measured again is another task";
}

TEST(TaskJson, AnErrorThereIsOneHere) {
  const auto failed = measuredThere(json::parse(R"({"error": {"kind": 1, "message": "it died", "next": "look"}})"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "it died");
  EXPECT_EQ(failed.error().kind, ErrorKind::User);
  for (const char *text : {"{}", "[]", "null", R"({"outcome": 3})", R"({"outcome": {"rejection": 4}})"})
    EXPECT_FALSE(measuredThere(json::parse(text))) << text;
  EXPECT_FALSE(learnedThere(json::parse(R"({"facts": []})")));
  EXPECT_FALSE(rooflineThere(json::parse(R"({"roofline": "nonsense", "cpu": "x"})")));
}

TEST(TaskJson, ADescriptionThatIsNotUnderstoodIsAResult) {
  const Sandbox sandbox = Sandbox::none();
  for (const char *text : {"{}", "[]", R"({"verb": "measure"})",
                           R"({"verb": "measure", "kernel": "k", "tasks": 0, "folders": [],)"
                           R"("files": [{"hash": "../../etc/passwd", "path": "/x"}]})"}) {
    const TaskResult result =
        performTask(json::parse(text),
                    {.sandbox = &sandbox, .store = "/nowhere", .scratch = "/nowhere", .rooflineFile = "/nowhere"});
    EXPECT_TRUE(result.json.contains("error")) << text;
  }
}

} // namespace
} // namespace agentic
