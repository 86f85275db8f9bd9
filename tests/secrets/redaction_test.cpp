// Tests hostile contents: keys of every shape and in every kind of quotes go, keys of JSON and ordinary words stay.
#include "tool/base/files.h"
#include "tool/secrets/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string redacted(std::string_view text, std::vector<std::string> environment = {}) {
  return Redaction({.environment = std::move(environment), .host = "heart-of-gold.example", .user = {}, .home = {}})
      .of(text);
}

struct Row {
  const char *text, *clean;
};
void PrintTo(const Row &row, std::ostream *out) {
  *out << row.text;
}

/// Each row as a text, inside a string of JSON, and in a line of JSON lines.
class RedactionOf : public testing::TestWithParam<Row> {};

TEST_P(RedactionOf, TextAndJson) {
  const auto &[text, clean] = GetParam();
  EXPECT_EQ(redacted(text), clean);
  const json value = {{"args", json::array({text})}}, expected = {{"args", json::array({clean})}};
  EXPECT_EQ(redacted(value.dump()), expected.dump());
  EXPECT_EQ(redacted("not JSON\n" + value.dump() + "\n"), "not JSON\n" + expected.dump() + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RedactionOf,
    testing::Values(
        Row{"-DFOO_TOKEN=planted", "-DFOO_TOKEN=[redacted]"},
        Row{"-DFOO_TOKEN:STRING=planted", "-DFOO_TOKEN:[redacted]"}, Row{"-DAUTH=planted", "-DAUTH=[redacted]"},
        Row{"-DSMTP_PASS=two planted words", "-DSMTP_PASS=[redacted]"},
        Row{"DB_PASSWORD=two\nplanted lines", "DB_PASSWORD=[redacted]"},
        Row{"env DB_PASSWORD=planted run", "env DB_PASSWORD=[redacted] run"},
        Row{"env DB_PASSWORD='planted one' run", "env DB_PASSWORD='[redacted]' run"},
        Row{R"(sh -c "export API_KEY=\"planted one\"; run")", R"(sh -c "export API_KEY=\"[redacted]\"; run")"},
        Row{R"(got {"api_key": "pla\"nted", "n": 1})", R"(got {"api_key": "[redacted]", "n": 1})"},
        Row{"curl --token planted x", "curl --token [redacted] x"},
        Row{"curl --token=planted x", "curl --token=[redacted] x"},
        Row{"the password: planted", "the password: [redacted]"},
        Row{"push to https://bob:planted@git.example/x", "push to https://[redacted]@git.example/x"},
        Row{"scp bob:planted@git.example", "scp [redacted]@git.example"},
        Row{"a@b bob:pl@anted@git.example, see c@d", "a@b [redacted]@git.example, see c@d"},
        Row{"https://bob:pl@anted@git.example/x@y", "https://[redacted]@git.example/x@y"},
        Row{"x-auth: Bearer planted x", "x-auth: [redacted] x"},
        Row{"-H 'Authorization: token planted'", "-H 'Authorization: [redacted]'"},
        Row{"DB_PASSWORD = planted", "DB_PASSWORD = [redacted]"},
        Row{"GET /x?token=planted-0123&y=1", "GET /x?token=[redacted]"},
        Row{"is glpat-abcdefghijklmnopqrst, no", "is [redacted], no"},
        Row{"is xoxb-123456789012-abcdefghijkl, no", "is [redacted], no"},
        Row{"is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4 no", "is [redacted] no"},
        Row{"a\n-----BEGIN RSA PRIVATE KEY-----\nplanted\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted]\nb"},
        Row{"a -----BEGIN PRIVATE KEY-----\nplanted", "a [redacted]"}, Row{"on heart-of-gold.example!", "on host!"},
        Row{"on heart-of-gold", "on host"}));

INSTANTIATE_TEST_SUITE_P(
    WhatStays, RedactionOf,
    testing::Values(Row{"-DTOKENIZERS_PARALLELISM=false", "-DTOKENIZERS_PARALLELISM=false"},
                    Row{"monkey=1 PWD=/src keyboard: us", "monkey=1 PWD=/src keyboard: us"},
                    Row{"src/token.cpp:12:3: error: auth::check(key == 1)",
                        "src/token.cpp:12:3: error: auth::check(key == 1)"},
                    Row{"git@git.example:group/x.git, mail@x.example", "git@git.example:group/x.git, mail@x.example"},
                    Row{"the key of the server; tokens_in=5", "the key of the server; tokens_in=5"},
                    Row{"heart-of-golden", "heart-of-golden"}, Row{"", ""}));

TEST(Redaction, ChangesValuesOfJsonAlone) {
  const std::string text = R"({ "kernel":"a kernel",
  "kernels" : ["kernel", 1.50e3, "kernelize", {"kernel": true}], "kernel_key": "kernel-0123",
  "tab": "\t\u00e9\/", "z": 1, "a": 2 })";
  const std::string clean = R"({ "kernel":"a user",
  "kernels" : ["user", 1.50e3, "kernelize", {"kernel": true}], "kernel_key": "user-0123",
  "tab": "\t\u00e9\/", "z": 1, "a": 2 })";
  EXPECT_EQ(redacted(text, {"USER=kernel"}), clean);
}

TEST(Redaction, FieldsAndOptionsOfJsonNameSecrets) {
  EXPECT_EQ(
      redacted(R"({"apiKey": "planted", "password":["planted", "more"], "policy_key": "0123", "tokens_in": "7"})"),
      R"({"apiKey": "[redacted]", "password":["[redacted]", "[redacted]"], "policy_key": "0123", "tokens_in": "7"})");
  EXPECT_EQ(redacted(R"({"credentials": {"of": [{"value": "planted"}]}, "env": {"DEPLOY_KEY": "planted", "A": "a"}})"),
            R"({"credentials": {"of": [{"value": "[redacted]"}]}, "env": {"DEPLOY_KEY": "[redacted]", "A": "a"}})");
  EXPECT_EQ(redacted(R"(["--token", "planted", "x", "--tokens", "5"])"),
            R"(["--token", "[redacted]", "x", "--tokens", "5"])");
}

TEST(Redaction, KnownSecretsGoInEveryForm) {
  const std::vector<std::string> environment = {"MY_SECRET=two\nplanted-lines", "DB_PASSWORD=pa55\"w", "PIN_KEY=1",
                                                "USE_AUTH=true"};
  for (const char *text : {R"({"a": "two\nplanted-lines"})", "planted-lines", R"({"a": "pa55\"w"})", "pa55\"w",
                           R"({"a": "[\"pa55\\\"w\"]"})"}) {
    EXPECT_THAT(redacted(text, environment), Not(HasSubstr("planted"))) << text;
    EXPECT_THAT(redacted(text, environment), Not(HasSubstr("pa55"))) << text;
  }
  EXPECT_EQ(redacted(R"({"a": "1 is true"})", environment), R"({"a": "1 is true"})");
}

TEST(Redaction, HostileTextTakesLinearTime) {
  const std::size_t much = 1 << 18;
  for (const std::string piece :
       {"\\", "\"", "@", "a:", "eyJ.", "eyJ.eyJ", "token=", "key \"", "-----BEGIN ", "[", "\n"}) {
    std::string text;
    while (text.size() < much)
      text += piece;
    redacted("token=\"" + text); // quadratic time would meet the limit of the test
    redacted(json(text).dump());
  }
}

TEST(Redaction, TornLinesAreText) {
  EXPECT_EQ(redacted("{\"a\": \"DB_PASSWORD=planted\"}\n{\"b\": \"DB_PASSWORD=plan"),
            "{\"a\": \"DB_PASSWORD=[redacted]\"}\n{\"b\": \"DB_PASSWORD=[redacted]");
  const std::string binary = redacted("{\"token\": \"planted\xff\"}\n");
  EXPECT_THAT(binary, Not(HasSubstr("planted")));
}

TEST(Redaction, HomeOfEnvironmentAndAccount) {
  const std::string text =
      R"({"s": "-I/home/ed/src /home/ed /home/edna /srv/accounts/ed2/x, ed's; edited by a machine"})";
  const std::string clean = R"({"s": "-I~/src ~ /home/edna ~/x, user's; edited by a machine"})";
  const Redaction redaction({.environment = {"HOME=/home/ed//", "USER=ed", "LOGNAME="},
                             .host = "a",
                             .user = "ed",
                             .home = "/srv/accounts/ed2"});
  EXPECT_EQ(redaction.of(text), clean);
  EXPECT_EQ(Redaction({.environment = {"HOME=/", "USER=a"}, .host = "", .user = {}, .home = {}}).of("/a b/"), "/a b/");
}

TEST(Redaction, HomeByItsOtherPath) {
  auto scratch = ScratchDirectory::create(testing::TempDir(), "agentic-home-");
  ASSERT_TRUE(scratch.has_value());
  const fs::path real = fs::canonical(scratch->path()) / "disk", link = scratch->path() / "home";
  fs::create_directories(real);
  fs::create_symlink(real, link);
  EXPECT_EQ(redacted(real.string() + "/x " + link.string() + "/x", {"HOME=" + link.string()}), "~/x ~/x");
}

} // namespace
} // namespace agentic
