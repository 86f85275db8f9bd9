// Clients that others wrote drive the server, offline: coding agents with a scripted model, and an inspector in each
// era of the protocol.
#include "tests/e2e/project.h"
#include "tests/llm/peer_process.h"

#include "tool/base/text.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead =
    "#include \"binary_gemm.h\"\n\nnamespace bmm {\n\n"
    "void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {\n";
const std::string kTail = "}\n\n} // namespace bmm\n";

const std::string kWrong = kHead +
                           "  for (std::size_t i = 0; i < M * K; ++i)\n"
                           "    C[i] = (B[i % K] & 1u) ? A[i] : -A[i];\n" +
                           kTail;
const std::string kForbidden = kHead +
                               "  static std::size_t calls = 0;\n"
                               "  ++calls;\n"
                               "  for (std::size_t i = 0; i < M * K; ++i)\n"
                               "    C[i] = A[i];\n" +
                               kTail;
// The original reads a bit for each product; this one reads a word for 32 columns of four rows. It is 50 times as fast.
const std::string kFast = kHead + R"(  constexpr std::size_t kRows = 4;
  for (std::size_t i = 0; i < M; i += kRows) {
    const std::size_t rows = M - i < kRows ? M - i : kRows;
    for (std::size_t w = 0; w < K / 32; ++w) {
      float sums[kRows][32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + w];
        float signs[32];
        for (unsigned b = 0; b < 32; ++b)
          signs[b] = (word >> b & 1u) ? 1.0f : -1.0f;
        for (std::size_t r = 0; r < rows; ++r)
          for (unsigned b = 0; b < 32; ++b)
            sums[r][b] += A[(i + r) * K + p] * signs[b];
      }
      for (std::size_t r = 0; r < rows; ++r)
        for (unsigned b = 0; b < 32; ++b)
          C[(i + r) * K + w * 32 + b] = sums[r][b];
    }
  }
)" + kTail;

const std::vector<std::string> kTools = {"list_kernels", "describe_kernel", "evaluate", "attempts", "search_knowledge",
                                         "memory",       "insight",         "finish",   "status",   "cancel"};

json evaluation(const std::string &name, const std::string &source) {
  return {{"tool", "evaluate"},
          {"arguments",
           {{"kernel", "binary_gemm"}, {"name", name}, {"source", source}, {"hypothesis", "reads fewer words of B"}}}};
}

json script() {
  return {{{"tool", "list_kernels"}, {"arguments", json::object()}},
          evaluation("wrong", kWrong),
          evaluation("forbidden", kForbidden),
          evaluation("words", kFast),
          {{"tool", "finish"}, {"arguments", {{"kernel", "binary_gemm"}}}}};
}

/// Agents wrap what a tool says in words of their own.
json objectIn(const std::string &text) {
  const std::size_t begin = text.find('{'), end = text.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    return nullptr;
  return json::parse(text.substr(begin, end - begin + 1), nullptr, false);
}

/// What a client of a test has of the machine: its own home folder, the tool, and no network beyond loopback.
struct Place {
  fs::path home, project;
  std::string buildDir, modelUrl;
  std::string modules; ///< node_modules of the clients

  Outcome run(const std::vector<std::string> &argv, const Environment &more) const {
    const std::string path = fs::path(toolPath()).parent_path().string() + ":" + std::getenv("PATH");
    std::vector<std::string> words = {"/usr/bin/env", "-i", "PATH=" + path, "HOME=" + home.string()};
    for (const char *proxy : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"})
      words.push_back(std::string(proxy) + "=http://127.0.0.1:9"); // where nobody listens
    words.push_back("NO_PROXY=127.0.0.1");
    for (const auto &[name, value] : more)
      words.push_back(name + "=" + value);
    words.insert(words.end(), argv.begin(), argv.end());
    return runCommand(words, kPatience, {}, project.string());
  }
};

struct Agent {
  const char *name, *program; ///< name: of `agents --setup`; program: below node_modules
  Outcome (*run)(const Place &place, const std::string &program, const std::string &lines);
};

constexpr const char *kTask = "Make the kernel binary_gemm faster.";

Outcome runClaude(const Place &place, const std::string &program, const std::string &) {
  // Its search for tools is switched off: the script's model does not search.
  return place.run({program, "-p", kTask, "--mcp-config", ".mcp.json", "--strict-mcp-config", "--allowedTools",
                    "mcp__agentic-kernel", "--output-format", "json"},
                   {{"ANTHROPIC_BASE_URL", place.modelUrl},
                    {"ANTHROPIC_API_KEY", "none"},
                    {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                    {"MCP_CONNECTION_NONBLOCKING", "0"},
                    {"ENABLE_TOOL_SEARCH", "false"}});
}

Outcome runCodex(const Place &place, const std::string &program, const std::string &lines) {
  const std::string model = "model = \"scripted\"\nmodel_provider = \"scripted\"\n\n"
                            "[model_providers.scripted]\nname = \"scripted\"\nwire_api = \"responses\"\n"
                            "env_key = \"SCRIPTED_KEY\"\nbase_url = \"" +
                            place.modelUrl + "/v1\"\n\n";
  const fs::path folder = place.home / "codex";
  EXPECT_TRUE(createDirectories(folder));
  EXPECT_TRUE(writeFileAtomic(folder / "config.toml", model + lines));
  return place.run({"/bin/sh", "-c", "exec \"$0\" \"$@\" </dev/null", program, "exec", "--json",
                    "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", kTask},
                   {{"CODEX_HOME", folder.string()}, {"SCRIPTED_KEY", "none"}});
}

Outcome runOpencode(const Place &place, const std::string &program, const std::string &) {
  const json config = {{"autoupdate", false},
                       {"share", "disabled"},
                       {"model", "scripted/scripted"},
                       {"small_model", "scripted/scripted"},
                       {"provider",
                        {{"scripted",
                          {{"npm", "@ai-sdk/openai-compatible"},
                           {"options", {{"baseURL", place.modelUrl + "/v1"}, {"apiKey", "none"}}},
                           {"models", {{"scripted", {{"name", "scripted"}}}}}}}}}};
  const fs::path file = place.home / "provider.json";
  EXPECT_TRUE(writeFileAtomic(file, config.dump(1)));
  return place.run({"/bin/sh", "-c", "exec \"$0\" \"$@\" </dev/null", program, "run", "--format", "json", kTask},
                   {{"OPENCODE_CONFIG", file.string()},
                    {"OPENCODE_DISABLE_MODELS_FETCH", "1"},
                    {"OPENCODE_DISABLE_AUTOUPDATE", "1"},
                    {"OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"},
                    {"npm_config_offline", "true"}});
}

constexpr Agent kAgents[] = {
    {"claude", "@anthropic-ai/claude-code-linux-x64/claude", runClaude},
    {"codex", "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", runCodex},
    {"opencode", "opencode-linux-x64/bin/opencode", runOpencode},
};

void PrintTo(const Agent &agent, std::ostream *out) {
  *out << agent.name;
}

/// One configured project for all, of the one kernel with small sizes, so that a run takes a minute.
class McpClients : public testing::Test {
protected:
  static void SetUpTestSuite() {
    if (peersFolder().empty() || !fs::exists(modules() / "@modelcontextprotocol"))
      return;
    project_ = std::make_unique<Project>("kernels");
    project_->replace("binary_gemm/binary_gemm_bench.cpp", "{32, 3072}", "{32, 256}");
    project_->replace("binary_gemm/binary_gemm_test.cpp", "K = 3072", "K = 256");
    const Outcome configured = project_->configure({"-DKERNELS_SET=binary_gemm"});
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  static void TearDownTestSuite() { project_.reset(); }

  void SetUp() override {
    if (!project_)
      GTEST_SKIP() << "the clients are not installed: the tests llm_peers and mcp_clients say why";
    ASSERT_TRUE(createDirectories(place_.home = project_->root() / "home"));
    place_.project = project_->source();
    place_.buildDir = project_->build().string();
  }

  static fs::path modules() { return fs::path(AGENTIC_MCP_CLIENTS) / "node_modules"; }
  fs::path lock() const { return project_->source() / "binary_gemm/generated/binary_gemm.lock.json"; }

  static std::unique_ptr<Project> project_;
  Place place_;
};

std::unique_ptr<Project> McpClients::project_;

class McpAgents : public McpClients, public testing::WithParamInterface<Agent> {};

TEST_P(McpAgents, EvaluatesReadsVerdictsAndFinishes) {
  const Agent &agent = GetParam();
  const fs::path program = modules() / agent.program;
  if (!fs::exists(program))
    GTEST_SKIP() << agent.name << " is not installed: its package is for another machine, or could not be had";
  const Outcome setup = runCommand({toolPath(), "agents", "--setup", agent.name, "--into", place_.project.string(),
                                    "--build-dir", place_.buildDir, "--json"});
  ASSERT_EQ(setup.status, 0) << setup.all();
  const fs::path scriptFile = place_.home / "script.json", record = place_.home / (agent.name + std::string(".jsonl"));
  ASSERT_TRUE(writeFileAtomic(scriptFile, script().dump()));
  const auto model =
      PeerProcess::start({peersNode(), (fs::path(peersFolder()).parent_path() / "scripted_agent.mjs").string(),
                          scriptFile.string(), record.string()},
                         {}, "listening on ");
  ASSERT_TRUE(model) << model.error().message;
  place_.modelUrl = (*model)->url();

  const Outcome outcome = agent.run(place_, program.string(), setup.json["lines"]);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(outcome.out, HasSubstr("All is done.")) << outcome.all();

  const std::vector<std::string> requests = split(readFile(record).value_or(""), '\n');
  ASSERT_GE(requests.size(), 2U) << outcome.all() << (*model)->output();
  const json last = json::parse(requests[requests.size() - 2]);
  for (const std::string &tool : kTools)
    EXPECT_TRUE(std::ranges::any_of(last["tools"],
                                    [&](const json &name) { return name.get<std::string>().ends_with("_" + tool); }))
        << tool << " is not offered: " << last["tools"];
  std::vector<std::string> heard;
  for (const std::string text : last["results"]) {
    const json answer = objectIn(text);
    const json result = answer.is_object() ? answer.value("result", json::object()) : json::object();
    if (result.contains("verdict"))
      heard.push_back(result["verdict"].get<std::string>() + " " + result["stage"].get<std::string>());
    else if (result.contains("outcome"))
      heard.push_back(result["outcome"]);
  }
  EXPECT_THAT(heard, ElementsAre("rejected test", "rejected check", "accepted benchmark", "written"))
      << last["results"].dump(1);
  EXPECT_TRUE(fs::exists(lock()));

  const Outcome dropped = project_->tool({"drop", "--kernel", "binary_gemm"});
  EXPECT_EQ(dropped.status, 0) << dropped.all();
  EXPECT_FALSE(fs::exists(lock())) << "the next client begins as this one";
}

INSTANTIATE_TEST_SUITE_P(All, McpAgents, testing::ValuesIn(kAgents),
                         [](const auto &info) { return std::string(info.param.name); });

class McpInspector : public McpClients, public testing::WithParamInterface<const char *> {
protected:
  /// The inspector's command line with one method, in the era of the test.
  Outcome inspect(std::vector<std::string> more) const {
    const json config = {{"mcpServers",
                          {{"agentic-kernel",
                            {{"type", "stdio"},
                             {"command", "agentic-kernel"},
                             {"args", {"mcp", "--build-dir", place_.buildDir}},
                             {"protocolEra", GetParam()}}}}}};
    EXPECT_TRUE(writeFileAtomic(place_.home / "inspected.json", config.dump()));
    const std::vector<std::string> start = {
        "/bin/sh",
        "-c",
        "exec \"$0\" \"$@\" </dev/null",
        peersNode(),
        (modules() / "@modelcontextprotocol/inspector/clients/launcher/build/index.js").string(),
        "--cli",
        "--config",
        (place_.home / "inspected.json").string(),
        "--server",
        "agentic-kernel",
        "--format",
        "json"};
    more.insert(more.begin(), start.begin(), start.end());
    return place_.run(more, {{"MCP_INSPECTOR_SECRET_STORE", "memory"}});
  }
};

TEST_P(McpInspector, ListsAndCalls) {
  const Outcome list = inspect({"--method", "tools/list", "--strict"});
  EXPECT_EQ(list.status, 0) << "schemas that other clients refuse\n" << list.all();
  std::vector<std::string> names;
  for (const json &tool : list.json["result"]["tools"])
    names.push_back(tool["name"]);
  EXPECT_EQ(names, kTools) << list.all();

  const Outcome kernels = inspect({"--method", "tools/call", "--tool-name", "list_kernels"});
  EXPECT_EQ(kernels.status, 0) << kernels.all();
  EXPECT_EQ(kernels.json["result"]["structuredContent"]["kernels"].size(), 1U) << kernels.all();
  const Outcome unknown = inspect({"--method", "tools/call", "--tool-name", "status", "--tool-arg", "job=no/such"});
  EXPECT_EQ(unknown.status, 5) << unknown.all(); // a result that is an error
  const Outcome page = inspect({"--method", "resources/read", "--uri", "agentic-kernel://checks/calls"});
  EXPECT_EQ(page.status, 0) << page.all();
  const Outcome prompt =
      inspect({"--method", "prompts/get", "--prompt-name", "optimize", "--prompt-args", "kernel=binary_gemm"});
  EXPECT_EQ(prompt.status, 0) << prompt.all();
  EXPECT_THAT(prompt.out, HasSubstr("'binary_gemm'"));
}

INSTANTIATE_TEST_SUITE_P(EachEra, McpInspector, testing::Values("legacy", "modern"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
} // namespace agentic::e2e
