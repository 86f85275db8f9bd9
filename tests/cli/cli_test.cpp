// Tests the command line's behaviour with the real binary: no build tree, no compiler.
#include "tool/base/files.h"
#include "tool/base/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

ProcessResult tool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), AGENTIC_KERNEL_BINARY);
  auto result = runProcess({.argv = arguments, .timeoutSeconds = 300});
  EXPECT_TRUE(result);
  return result ? *result : ProcessResult{};
}

nlohmann::json lastLine(const std::string &out) {
  const std::string text = out.substr(0, out.find_last_not_of('\n') + 1);
  const std::size_t begin = text.rfind('\n');
  return nlohmann::json::parse(begin == std::string::npos ? text : text.substr(begin + 1), nullptr, false);
}

TEST(Cli, HelpAndVersionSucceed) {
  const ProcessResult help = tool({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char *name : {"init", "optimize", "suite", "evaluate", "apply", "check", "status", "runs", "calibrate"})
    EXPECT_THAT(help.out, HasSubstr(name));
  EXPECT_THAT(help.out, Not(HasSubstr("check-baseline"))); // CMake calls it, not people
  EXPECT_THAT(help.out, Not(HasSubstr("calibration-kernel")));
  const ProcessResult version = tool({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, "agentic-kernel " AGENTIC_KERNEL_VERSION "\n");
  EXPECT_EQ(tool({"optimize", "--help"}).code, 0);
  const ProcessResult suite = tool({"suite", "--help"});
  EXPECT_EQ(suite.code, 0);
  for (const char *option : {"--agent", "--max-seconds", "--kernel", "--csv", "--markdown", "--cold", "--no-write"})
    EXPECT_THAT(suite.out, HasSubstr(option));
}

TEST(Cli, AgentsAreListedWithTheNamesOfTheirKeysOnly) {
  const ProcessSpec spec{.argv = {AGENTIC_KERNEL_BINARY, "agents", "--offline", "--json"},
                         .environment = {{"OPENAI_API_KEY=sk-very-secret-0123456789", "OLLAMA_HOST=box:9"}},
                         .timeoutSeconds = 300};
  const auto result = runProcess(spec);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->code, 0);
  EXPECT_THAT(result->out + result->err, Not(HasSubstr("very-secret")));
  std::set<std::string> names;
  const auto listed = lastLine(result->out);
  for (const auto &agent : listed["agents"]) {
    names.insert(agent["name"]);
    EXPECT_TRUE(agent["reachable"].is_null()) << agent; // nobody was asked
    EXPECT_EQ(agent["key_set"].get<bool>(), agent["key_variable"] == "OPENAI_API_KEY") << agent;
    if (agent["name"] == "ollama:<model>") {
      EXPECT_EQ(agent["base_url"], "http://box:9");
    }
  }
  for (const char *name : {"builtin", "openai:<model>", "openrouter:<model>", "anthropic:<model>", "gemini:<model>",
                           "ollama:<model>", "llamacpp:<model>", "vllm:<model>", "<http-url>#<model>"})
    EXPECT_TRUE(names.contains(name)) << name;
  const ProcessResult text = tool({"agents", "--offline"});
  EXPECT_THAT(text.out, HasSubstr("ANTHROPIC_API_KEY"));
}

TEST(Cli, AMisspeltSubcommandIsGuessed) {
  const ProcessResult result = tool({"optimise"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("there is no subcommand 'optimise'"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'optimize'?"));
  EXPECT_EQ(result.out, "");
}

TEST(Cli, AWrongOptionPointsToTheSubcommandsHelp) {
  const ProcessResult result = tool({"optimize", "--max-minutes", "3"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("--max-minutes"));
  EXPECT_THAT(result.err, HasSubstr("agentic-kernel optimize --help"));
  EXPECT_EQ(tool({"optimize", "--max-seconds", "-3"}).code, 1);
  EXPECT_EQ(tool({"optimize", "--threshold", "0.5%"}).code, 1); // smaller gains cannot be told from noise
  EXPECT_THAT(tool({"optimize", "--threshold", "3 percent"}).err, HasSubstr("no percentage from 1 to 50"));
  EXPECT_THAT(tool({"optimize", "--threshold", "3%", "-B", "/nowhere"}).err, HasSubstr("/nowhere"));
}

TEST(Cli, AWrongWordOfAnOptionIsGuessed) {
  for (const auto &[option, word, meant] :
       {std::tuple("--history", "compct", "'compct' is none of full, compact, best; did you mean 'compact'?"),
        std::tuple("--protocol", "tool", "'tool' is none of text, tools; did you mean 'tools'?"),
        std::tuple("--agent-choice", "random", "'random' is none of turn, gain"),
        std::tuple("--feedback", "mca,remark", "'remark' is none of remarks, mca, counters, roofline; did you mean"),
        std::tuple("--optimization", "O4", "'O4' is none of O0")}) {
    const ProcessResult result = tool({"optimize", option, word});
    EXPECT_EQ(result.code, 1) << option;
    EXPECT_THAT(result.err, HasSubstr(std::string(option) + ": " + meant));
  }
}

TEST(Cli, ANumberThatIsNoneIsSaidWithWhatIsOne) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
      {{"optimize", "--max-failures", "-1"}, "'-1' is not a whole number from 0"},
      {{"optimize", "--max-failures", "99999999999"}, "'99999999999' is not a whole number from 0 to 2147483647"},
      {{"optimize", "--max-iterations", "many"}, "'many' is not a whole number from 0"},
      {{"show", "0"}, "'0' is not a whole number from 1"},
      {{"optimize", "--max-output-tokens", "3"}, "'3' is not a whole number from 256 to 1048576"},
      {{"optimize", "--call-seconds", "0"}, "'0' is not a number above 0"},
      {{"optimize", "--max-seconds", "5s"}, "'5s' is not a number from 0"},
      {{"verify", "--min-speedup", "0.5"}, "'0.5' is not a number from 1 to 1000000"},
  };
  for (const auto &[arguments, words] : rows) {
    const ProcessResult result = tool(arguments);
    EXPECT_EQ(result.code, 1) << words;
    EXPECT_THAT(result.err, HasSubstr(words));
  }
}

TEST(Cli, ABudgetIsAnAmount) {
  for (const char *command : {"optimize", "compare", "prompt"})
    for (const char *budget : {"nan", "inf", "-inf", "-1", "-nan", "1e300", "1e999", "1000001", "5$", "5,5", "0x5"}) {
      const ProcessResult result =
          tool({command, "-k", "x", "--build-dir", "/nowhere", std::string("--budget-usd=") + budget});
      EXPECT_EQ(result.code, 1);
      EXPECT_THAT(result.err, HasSubstr("is not a number from 0 to 1000000")) << command << " " << budget;
    }
  for (const char *budget : {"0", "0.05", "5", "1e2", "1000000"})
    EXPECT_THAT(tool({"optimize", "--build-dir", "/nowhere", "--budget-usd", budget}).err, HasSubstr("/nowhere"))
        << budget;
}

TEST(Cli, AFolderThatIsNoBuildTreeIsNamed) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "cli");
  ASSERT_TRUE(scratch);
  for (const char *command : {"optimize", "suite", "status", "check", "runs"}) {
    const ProcessResult result = tool({command, "--build-dir", scratch->path().string()});
    EXPECT_EQ(result.code, 1) << command;
    EXPECT_THAT(result.err, HasSubstr(scratch->path().string())) << command;
    EXPECT_THAT(result.err, HasSubstr("next: ")) << command;
  }
}

TEST(Cli, JsonIsTheLastLineAlsoOfAFailure) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "cli");
  ASSERT_TRUE(scratch);
  const std::string candidate = (scratch->path() / "c.cpp").string();
  ASSERT_TRUE(writeFileAtomic(candidate, "void f() {}\n"));
  const ProcessResult evaluate =
      tool({"evaluate", "--build-dir", scratch->path().string(), "--kernel", "gemm", candidate, "--json"});
  EXPECT_EQ(evaluate.code, 1);
  const nlohmann::json result = lastLine(evaluate.out);
  ASSERT_TRUE(result.is_object()) << evaluate.out;
  EXPECT_EQ(result["kernel"], "gemm");
  EXPECT_TRUE(result["error"]["message"].is_string());
  EXPECT_FALSE(result["error"]["next"].get<std::string>().empty());

  const nlohmann::json optimize =
      lastLine(tool({"optimize", "--build-dir", scratch->path().string(), "--kernel", "gemm", "--json"}).out);
  ASSERT_TRUE(optimize.is_object());
  for (const char *key : {"kernel", "baseline_ns", "best", "iterations", "rejected", "wall_seconds", "run_dir"})
    EXPECT_TRUE(optimize.contains(key)) << key;
  EXPECT_TRUE(lastLine(tool({"evaluate", "--json"}).out).contains("error")); // wrong arguments too
}

TEST(Cli, AMissingCandidateFileIsNamed) {
  const ProcessResult result = tool({"evaluate", "--kernel", "gemm", "/nonexistent/fast.cpp"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/fast.cpp"));
}

TEST(Cli, TheChecksAreListed) {
  const ProcessResult result = tool({"check", "--list"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("state-outlives-call"));
}

TEST(Cli, AReferenceKernelWritesGoogleBenchmarksReport) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "cli");
  ASSERT_TRUE(scratch);
  const std::string file = (scratch->path() / "report.json").string();
  for (const char *kernel : {"cache", "memory"}) {
    const ProcessResult result =
        tool({"calibration-kernel", kernel, "--benchmark_repetitions=2", "--benchmark_min_time=0.001",
              "--benchmark_filter=x", "--benchmark_out=" + file});
    ASSERT_EQ(result.code, 0) << result.err;
    const nlohmann::json report = nlohmann::json::parse(readFile(file).value_or(""), nullptr, false);
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report["benchmarks"].size(), 2u);
    EXPECT_EQ(report["benchmarks"][0]["run_name"], kernel);
    EXPECT_GT(report["benchmarks"][1]["cpu_time"], 0.0);
  }
  const ProcessResult unknown = tool({"calibration-kernel", "disk", "--benchmark_out=" + file});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no calibration kernel 'disk'"));
}

} // namespace
} // namespace agentic
