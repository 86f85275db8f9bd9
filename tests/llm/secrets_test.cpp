#include "tool/llm/secrets.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

constexpr const char *kKey = "correct/horse+battery\"9";

TEST(Secrets, LoadedOnesAreFoundInEveryForm) {
  Redactor redactor;
  redactor.add(std::string(" ") + kKey + "\n");
  redactor.add("correct/horse"); // the begin of the other
  const std::string forms[] = {
      std::string("key ") + kKey + " refused",
      R"({"key":"correct/horse+battery\"9"})",              // in JSON
      "https://x.example/?q=correct%2Fhorse%2Bbattery%229", // in a URL
      "Basic Y29ycmVjdC9ob3JzZStiYXR0ZXJ5Ij",               // base64
  };
  for (const std::string &text : forms) {
    EXPECT_TRUE(redactor.containsSecret(text)) << text;
    const std::string clean = redactor.redact(text);
    EXPECT_EQ(clean.find("horse"), std::string::npos) << clean;
    EXPECT_EQ(clean.find("battery"), std::string::npos) << clean;
    EXPECT_NE(clean.find("[redacted]"), std::string::npos) << clean;
    EXPECT_FALSE(redactor.containsSecret(clean)) << clean;
  }
}

TEST(Secrets, ShapesThatCarryKeysAreFoundWithoutKnowingThem) {
  const Redactor redactor;
  const std::pair<const char *, const char *> rows[] = {
      {"Authorization: Bearer abcdefgh1234", "Authorization: Bearer [redacted]"},
      {R"({"authorization":"Bearer abcdefgh1234","a":1})", R"({"authorization":"Bearer [redacted]","a":1})"},
      {"x-api-key: abcdefgh1234\r\n", "x-api-key: [redacted]\r\n"},
      {"X-Goog-Api-Key=abcdefgh1234", "X-Goog-Api-Key=[redacted]"},
      {"http://me:secret@proxy.example:3128/x", "http://[redacted]@proxy.example:3128/x"},
      {"http://me:se@cr@et@proxy.example/x@y", "http://[redacted]@proxy.example/x@y"},
      {"https://h/v1?a=b&key=abcdefgh1234&c=d", "https://h/v1?a=b&key=[redacted]&c=d"},
      {"Incorrect API key: sk-proj-abcdefgh12345678abcd.", "Incorrect API key: [redacted]."},
      {"glpat-abcdefghijklmnopqrst", "[redacted]"},
      {"xoxb-123456789012-abcdefghijkl", "[redacted]"},
      {"(eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4)", "([redacted])"},
  };
  for (const auto &[text, clean] : rows) {
    EXPECT_EQ(redactor.redact(text), clean);
    EXPECT_EQ(redactor.redact(clean), clean);
  }
}

TEST(Secrets, OrdinaryTextStays) {
  Redactor redactor;
  redactor.add("short"); // too short to look for
  redactor.add("");
  for (const char *text :
       {"a short text", "for (int i = 0; i < n; ++i) a[i] = b[i] & key;", "the cookie jar", "https://example.com/a@b",
        "risk-averse-but-long-enough-to-look-odd", "x ? key : other", "authorization is needed", "sk-", "eyJust.a.name",
        "xoxb-short", "the api-key of the server"}) {
    EXPECT_EQ(redactor.redact(text), text);
    EXPECT_FALSE(redactor.containsSecret(text)) << text;
  }
}

TEST(Secrets, WritersRefuseWhatHoldsOne) {
  const Redactor redactor;
  EXPECT_TRUE(redactor.containsSecret("authorization: Bearer abcdefgh1234"));
  EXPECT_TRUE(redactor.containsSecret("sk-proj-abcdefgh12345678abcd"));
  EXPECT_FALSE(redactor.containsSecret("authorization: Bearer [redacted]"));
}

} // namespace
} // namespace agentic
