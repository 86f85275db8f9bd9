#include "tests/llm/aimock_fixture.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr DialectRow kDialects[] = {
    {"chat", "URL/v1#m", "chat", true, false, true},
    {"openrouter", "openrouter:maker/m", "chat", true, true, true},
    {"anthropic", "anthropic+URL#m", "anthropic", true, false, true},
    {"responses", "responses+URL/v1#m", "responses", true, false, true},
    {"ollama", "ollama+URL#m", "ollama", false, false, false}, // aimock's Ollama reports zero tokens
};

Json usage() {
  return {{"prompt_tokens", 321}, {"completion_tokens", 45}, {"input_tokens", 321}, {"output_tokens", 45}};
}

Json failing(int status, const char *message, const char *type, const char *code) {
  return {{"response", {{"status", status}, {"error", {{"message", message}, {"type", type}, {"code", code}}}}}};
}

Expected error(ChatErrorKind kind, std::optional<double> retryAfter = std::nullopt) {
  return {.error = kind, .retryAfter = retryAfter};
}

const std::vector<Scenario> &scenarios() {
  static const std::vector<Scenario> kScenarios = [] {
    const std::string text = "Here is the kernel.\n```cpp\nint f() { return 1; }\n```\n";
    const std::string arguments = "{\"name\":\"wide\",\"source\":\"int f();\"}";
    Json withCost = usage();
    withCost["cost"] = 0.0123;
    Json limited = failing(429, "slow down a little", "rate_limit_error", "rate_limit_exceeded");
    limited["response"]["retryAfter"] = 7;
    Json second = {{"match", {{"sequenceIndex", 1}}}, {"response", {{"content", "recovered"}}}};
    Json first = failing(500, "boom", "server_error", "server_error");
    first["match"] = {{"sequenceIndex", 0}};
    Json answered = {{"match", {{"hasToolResult", true}}}, {"response", {{"content", "after the tool"}}}};
    Json called = {{"match", {{"hasToolResult", false}}},
                   {"response", {{"toolCalls", {{{"name", "evaluate_kernel"}, {"arguments", arguments}}}}}}};
    return std::vector<Scenario>{
        {.name = "plain reply",
         .fixtures = {{{"response", {{"content", text}, {"usage", withCost}}}}},
         .expected = {{.text = text}},
         .usage = true},
        {.name = "thinking first",
         .fixtures = {{{"response", {{"content", "done"}, {"reasoning", "let me see"}}}}},
         .expected = {{.text = "done", .reasoning = "let me see"}}},
        {.name = "tool call",
         .fixtures = {answered, called},
         .expected = {{.finish = ChatFinish::ToolCalls, .calls = {{"", "evaluate_kernel", arguments}}}},
         .tools = true},
        {.name = "output limit",
         .fixtures = {{{"response", {{"content", "int f() {"}, {"finishReason", "length"}}}}},
         .expected = {{.text = "int f() {", .finish = ChatFinish::Length}}},
        {.name = "wrong key",
         .fixtures = {{{"response", {{"content", "never"}}}}},
         .expected = {error(ChatErrorKind::Key)},
         .wrongKey = true},
        {.name = "status 401",
         .fixtures = {failing(401, "Incorrect API key provided", "authentication_error", "invalid_api_key")},
         .expected = {error(ChatErrorKind::Key)}},
        {.name = "status 402",
         .fixtures = {failing(402, "Insufficient credits", "payment_required", "payment_required")},
         .expected = {error(ChatErrorKind::Money)}},
        {.name = "no quota",
         .fixtures = {failing(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota")},
         .expected = {error(ChatErrorKind::Money, 1)}},
        {.name = "rate limit", .fixtures = {limited}, .expected = {error(ChatErrorKind::Rate, 7)}},
        {.name = "too long",
         .fixtures = {failing(400, "This model's maximum context length is 8192 tokens.", "invalid_request_error",
                              "context_length_exceeded")},
         .expected = {error(ChatErrorKind::TooLong)}},
        {.name = "unknown model",
         .fixtures = {failing(404, "The model m does not exist", "not_found_error", "model_not_found")},
         .expected = {error(ChatErrorKind::Model)}},
        {.name = "500 then 200",
         .fixtures = {first, second},
         .expected = {error(ChatErrorKind::Overload), {.text = "recovered"}}},
        {.name = "disconnect",
         .fixtures = {{{"response", {{"content", "x"}}}, {"chaos", {{"disconnectRate", 1}}}}},
         .expected = {error(ChatErrorKind::Network)}},
        {.name = "malformed",
         .fixtures = {{{"response", {{"content", "x"}}}, {"chaos", {{"malformedRate", 1}}}}},
         .expected = {error(ChatErrorKind::Garbage)}},
        {.name = "cut stream",
         .fixtures = {{{"response", {{"content", std::string(400, 'a')}}}, {"truncateAfterChunks", 4}}},
         .expected = {error(ChatErrorKind::Network)},
         .onlyStreamed = true},
    };
  }();
  return kScenarios;
}

} // namespace

std::string AimockCase::message() const {
  return std::string("[") + scenario->name + "|" + dialect->name + "|" + (stream ? "streamed" : "whole") + "]";
}

std::string AimockCase::testName() const {
  std::string name = std::string(dialect->name) + "_" + scenario->name + (stream ? "_streamed" : "_whole");
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::vector<AimockCase> aimockCases() {
  std::vector<AimockCase> cases;
  for (const DialectRow &dialect : kDialects)
    for (const Scenario &scenario : scenarios())
      for (const bool stream : {true, false})
        if ((stream || !scenario.onlyStreamed) &&
            (dialect.reportsLength || scenario.expected[0].finish != ChatFinish::Length))
          cases.push_back({&dialect, &scenario, stream});
  return cases;
}

std::vector<AimockCase> aimockCasesWithTools() {
  std::vector<AimockCase> cases = aimockCases();
  std::erase_if(cases, [](const AimockCase &row) { return !row.scenario->tools; });
  return cases;
}

Result<std::unique_ptr<PeerProcess>> startAimock() {
  Json fixtures = {{"fixtures", Json::array()}};
  for (const AimockCase &row : aimockCases())
    for (Json fixture : row.scenario->fixtures) {
      fixture["match"]["userMessage"] = row.message();
      fixtures["fixtures"].push_back(std::move(fixture));
    }
  const fs::path file = fs::path(AGENTIC_PEERS) / "aimock-fixtures.json";
  if (const auto written = writeFileAtomic(file, fixtures.dump(1)); !written)
    return std::unexpected(written.error());
  // There is a short pause between the pieces of a stream: if cut at once, nothing of it would have been sent.
  return PeerProcess::start({peersNode(), peersFolder() + "/@copilotkit/aimock/dist/cli.js", "-p", "0", "-f",
                             file.string(), "--strict", "-l", "2", "-c", "9"},
                            {{"AIMOCK_API_KEYS", kAimockKey}}, "listening on ");
}

ChatResult<std::unique_ptr<ChatModel>> aimockModel(const PeerProcess &peer, const AimockCase &row) {
  const std::string key = row.scenario->wrongKey ? "wrong-key-0123456789" : kAimockKey;
  ChatSettings settings;
  settings.stream = row.stream;
  settings.environment = [=, url = peer.url()](const std::string &name) -> std::optional<std::string> {
    if (name == "OPENROUTER_BASE_URL")
      return url + "/api/v1";
    if (name == "OPENROUTER_API_KEY" || name == "AGENTIC_KERNEL_API_KEY")
      return key;
    return std::nullopt;
  };
  return makeChatModel(replaceAll(row.dialect->model, "URL", peer.url()), settings);
}

ChatRequest requestOf(const AimockCase &row) {
  ChatRequest request{.messages = {{.role = ChatRole::System, .text = "You write kernels."},
                                   {.role = ChatRole::User, .text = row.message()}},
                      .maxOutputTokens = 1000};
  if (row.scenario->tools)
    request.tools = {{.name = "evaluate_kernel",
                      .description = "tries a candidate",
                      .schema = R"({"type":"object","properties":{"name":{"type":"string"}}})"}};
  return request;
}

} // namespace agentic
