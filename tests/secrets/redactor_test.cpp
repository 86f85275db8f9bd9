#include "tool/secrets/environment_secrets.h"
#include "tool/secrets/redactor.h"

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

TEST(Secrets, RecordsKeepAllButTheSecret) {
  Redactor redactor;
  redactor.add("loaded-0123456789");
  const std::pair<const char *, const char *> rows[] = {
      {R"({"text":"see https://me@host/?key=abcdefgh1234"})", R"({"text":"see https://me@host/?key=abcdefgh1234"})"},
      {R"({"text":"// loaded-0123456789"})", R"({"text":"// [redacted]"})"},
      {R"({"text":"Authorization: Bearer abcdefgh1234"})", R"({"text":"Authorization: Bearer [redacted]"})"},
      {R"({"text":"sk-proj-abcdefgh12345678abcd"})", R"({"text":"[redacted]"})"},
  };
  for (const auto &[line, written] : rows)
    EXPECT_EQ(redactor.forRecords(line), written);
}

TEST(Secrets, OfTheEnvironmentAreKnownByTheirNames) {
  Redactor redactor;
  const std::vector<std::string> environment = {"OPENAI_API_KEY=short-10ch",
                                                "AGENTIC_KERNEL_API_KEY=key-of-a-url",
                                                "GITHUB_TOKEN=token-0123456789",
                                                "DB_PASSWORD=password-0123456789",
                                                "AWS_SECRET_ACCESS_KEY=access-01234567",
                                                "MAX_TOKEN=password-01",
                                                "HOME=/home/somebody",
                                                "NOTHING",
                                                "CLIENT_SECRET=a=b=0123456789"};
  const std::vector<std::string> keyNames = {"AGENTIC_KERNEL_API_KEY", "OPENAI_API_KEY"};
  addSecretsOf(environment, keyNames, redactor);
  for (const char *secret :
       {"short-10ch", "key-of-a-url", "token-0123456789", "password-0123456789", "access-01234567", "a=b=0123456789"})
    EXPECT_EQ(redactor.redactLoaded(secret), "[redacted]");
  for (const char *word : {"password-01 is short", "/home/somebody", "NOTHING"})
    EXPECT_EQ(redactor.redactLoaded(word), word);
}

TEST(Secrets, WritersRefuseWhatHoldsOne) {
  const Redactor redactor;
  EXPECT_TRUE(redactor.containsSecret("authorization: Bearer abcdefgh1234"));
  EXPECT_TRUE(redactor.containsSecret("sk-proj-abcdefgh12345678abcd"));
  EXPECT_FALSE(redactor.containsSecret("authorization: Bearer [redacted]"));
}

} // namespace
} // namespace agentic
