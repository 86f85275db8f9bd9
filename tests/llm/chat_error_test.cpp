// Tests the meaning of providers' answers: one row for each known case.
#include "tool/llm/chat_error.h"
#include "tool/llm/retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const ErrorContext kContext{.provider = "openrouter", .model = "m", .keyName = "OPENROUTER_API_KEY", .unixTime = 1000};

struct Row {
  ChatErrorKind kind;
  int status;
  std::string body;
  HttpHeaders headers = {};
  bool maybeBilled = false;
};

void PrintTo(const Row &row, std::ostream *out) {
  *out << row.status << " " << row.body;
}

class Classified : public testing::TestWithParam<Row> {};

TEST_P(Classified, AsTheTableSays) {
  const Row &row = GetParam();
  const ChatError error = errorOfAnswer(row.status, row.headers, row.body, kContext);
  EXPECT_STREQ(chatErrorKindName(error.kind), chatErrorKindName(row.kind)) << error.message;
  EXPECT_EQ(error.maybeBilled, row.maybeBilled);
  EXPECT_THAT(error.message, HasSubstr("openrouter"));
  EXPECT_LE(error.message.size(), 4096u);
  EXPECT_FALSE(error.next.empty());
}

using enum ChatErrorKind;
INSTANTIATE_TEST_SUITE_P(
    Providers, Classified,
    testing::Values(
        Row{Key, 401, R"({"error":{"code":"invalid_api_key","message":"Incorrect API key provided"}})"},
        Row{Key, 401, "<html>who are you</html>"}, Row{Key, 403, R"({"error":{"message":"not in your region"}})"},
        Row{Key, 400, R"([{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}])"},
        Row{Money, 402, R"({"error":{"code":402,"message":"Insufficient credits"}})"},
        Row{Rate,
            402,
            R"({"error":{"metadata":{"limit_source":"openrouter_in_flight_budget"}}})",
            {{"retry-after", "3"}}},
        Row{Money, 429, R"({"error":{"type":"insufficient_quota","code":"credit_balance_exhausted","message":"x"}})"},
        Row{Money, 429, R"({"error":{"type":"insufficient_quota","message":"x"}})"},
        Row{Money, 429, R"({"error":{"code":"project_spend_limit_exceeded","message":"x"}})"},
        Row{Money, 429,
            R"({"type":"error","error":{"type":"rate_limit_error","message":"x",)"
            R"("details":{"error_code":"enforced_spend_limit_reached"}}})"},
        Row{Money, 400, R"({"type":"error","error":{"message":"Your credit balance is too low to access"}})"},
        Row{Model, 404, R"({"error":{"message":"The model `x` does not exist"}})"},
        Row{Model, 400, R"({"error":{"code":400,"metadata":{"error_type":"model_not_found"},"message":"x"}})"},
        Row{Model, 404, R"({"error":"model 'x' not found, try pulling it first"})"},
        Row{Model, 404, R"({"error":{"metadata":{"error_type":"no_endpoints"},"message":"No endpoints found"}})"},
        Row{TooLong, 400, R"({"error":{"code":"context_length_exceeded","message":"x"}})"},
        Row{TooLong, 400,
            R"({"type":"error","error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}})"},
        Row{TooLong, 413, R"({"error":{"type":"request_too_large"}})"},
        Row{TooLong, 400, R"({"error":{"type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}})"},
        Row{TooLong, 500, R"({"error":"the request exceeds the available context size"})", {}, true},
        Row{TooLong, 400, R"({"object":"error","message":"This model's maximum context length is 4096 tokens."})"},
        Row{TooLong, 400,
            R"({"error":"Trying to keep the first 9 tokens: tokens to keep from the initial prompt)"
            R"( is greater than the context length"})"},
        Row{TooLong, 400,
            R"([{"error":{"message":"The input token count (9) exceeds the maximum number of tokens"}}])"},
        Row{Tools, 400, R"({"error":"registry.ollama.ai/library/x does not support tools"})"},
        Row{Tools, 400,
            R"({"error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice and)"
            R"( --tool-call-parser to be set"}})"},
        Row{Tools, 400,
            R"({"error":{"message":"Function tools with reasoning_effort are not supported for m in)"
            R"( /v1/chat/completions. To use function tools, use /v1/responses"}})"},
        Row{Tools, 404, R"({"error":{"message":"No endpoints found that support tool use"}})"},
        Row{Rate, 429, R"({"error":{"message":"slow down"}})"}, Row{Rate, 429, ""},
        Row{Rate, 400, R"([{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"x"}}])"},
        Row{Overload, 529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"},
        Row{Overload, 429, R"({"error":{"code":"slow_down","message":"x"}})"},
        Row{Overload, 503, R"({"error":{"message":"Loading model","type":"unavailable_error"}})"},
        Row{Overload, 503, R"({"error":"server busy, please try again.  maximum pending requests exceeded"})"},
        Row{Overload, 500, R"({"error":{"message":"boom"}})", {}, true}, Row{Overload, 502, "<html>", {}, true},
        Row{Overload, 504, "", {}, true}, Row{Overload, 524, "", {}, true}, Row{Overload, 408, "", {}, true},
        Row{Overload, 409, ""}, Row{Request, 400, R"({"error":{"message":"temperature is not what I like"}})"},
        Row{Request, 422, R"({"detail":"x"})"}, Row{Request, 302, ""},
        Row{Request, 429, R"({"error":{"message":"x"}})", {{"x-should-retry", "false"}}},
        Row{Overload, 400, R"({"error":{"message":"x"}})", {{"x-should-retry", "true"}}},
        Row{Overload, 500, R"({"error":{"message":"invalid model state"}})", {}, true}));

TEST(ChatErrors, InsideASuccess) {
  const auto kindOf = [](const char *body) {
    const Json json = Json::parse(body);
    EXPECT_TRUE(isErrorBody(json)) << body;
    const ChatError error = errorOfBody(200, {}, json, kContext);
    EXPECT_TRUE(error.maybeBilled);
    return std::string(chatErrorKindName(error.kind));
  };
  EXPECT_EQ(kindOf(R"({"error":{"code":429,"message":"x","metadata":{"error_type":"rate_limit_exceeded"}}})"), "rate");
  EXPECT_EQ(kindOf(R"({"error":{"code":402,"message":"x"}})"), "money");
  EXPECT_EQ(kindOf(R"({"error":{"code":502,"message":"provider went away"}})"), "overload");
  EXPECT_EQ(kindOf(R"({"object":"error","message":"maximum context length is 9 tokens","code":400})"), "too-long");
  EXPECT_EQ(kindOf(R"({"type":"error","error":{"type":"overloaded_error"}})"), "overload");
  EXPECT_EQ(kindOf(R"([{"error":{"code":503}}])"), "overload");
  EXPECT_EQ(kindOf(R"({"error":"something broke"})"), "overload");
  for (const char *body : {R"({"error":null})", R"({"choices":[]})", "[]", "[1]", "7", R"({"error":""})"})
    EXPECT_FALSE(isErrorBody(Json::parse(body))) << body;
}

TEST(ChatErrors, TheKeysVariableIsNamedWhereItHelps) {
  EXPECT_THAT(errorOfAnswer(401, {}, "{}", kContext).next, HasSubstr("OPENROUTER_API_KEY"));
  EXPECT_THAT(errorOfAnswer(500, {}, "{}", kContext).next, Not(HasSubstr("OPENROUTER_API_KEY")));
}

TEST(ChatErrors, AWaitThatTheServerAsksForIsKept) {
  EXPECT_EQ(errorOfAnswer(429, {{"retry-after", "17"}}, "{}", kContext).retryAfterSeconds, 17);
  EXPECT_EQ(errorOfAnswer(503, {}, R"({"error":{"availability":{"retry_after":4}}})", kContext).retryAfterSeconds, 4);
}

TEST(ChatErrors, AHostileTextIsCut) {
  std::string body = R"({"error":{"message":")";
  for (int i = 0; i < 100'000; ++i)
    body += "model model ";
  const ChatError error = errorOfAnswer(400, {}, body + "\"}}", kContext);
  EXPECT_LE(error.message.size(), 4096u);
  EXPECT_LE(errorOfAnswer(400, {}, std::string(100'000, '['), kContext).message.size(), 4096u);
  EXPECT_LE(garbageError("x", std::string(100'000, 'y'), kContext).message.size(), 4096u);
}

TEST(ChatErrors, HowAnExchangeEnded) {
  const auto of = [](HttpEnd end) { return errorOfOutcome({.end = end, .reason = "why"}, kContext); };
  EXPECT_EQ(of(HttpEnd::Cancelled).kind, Cancelled);
  EXPECT_EQ(of(HttpEnd::NotSent).kind, Network);
  EXPECT_FALSE(of(HttpEnd::NotSent).maybeBilled);
  EXPECT_TRUE(of(HttpEnd::Broken).maybeBilled);
  EXPECT_EQ(of(HttpEnd::NoFirst).kind, Network);
  EXPECT_EQ(of(HttpEnd::TooLarge).kind, Garbage);
  EXPECT_EQ(of(HttpEnd::Unacceptable).kind, Request);
}

} // namespace
} // namespace agentic
