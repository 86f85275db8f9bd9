// Tests the project's policy and the checks as a user meets them: `agentic-kernel check` on candidates of the
// quickstart.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>

namespace agentic::e2e {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kPolicy = ".agentic-kernel.json";

class PolicyFile : public testing::Test {
protected:
  void SetUp() override {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  Outcome check(const std::string &body, const std::string &before = {}) const {
    project_.write("candidate.cpp", before +
                                        "void columnSums(const float *matrix, float *sums, std::size_t rows, "
                                        "std::size_t columns) {\n" +
                                        body + "\n}\n");
    return project_.tool({"check", "--kernel", "column_sums", (project_.source() / "candidate.cpp").string()});
  }
  static std::vector<std::string> namesIn(const Outcome &outcome, const char *list) {
    std::vector<std::string> names;
    for (const auto &finding : outcome.json[list])
      names.push_back(finding["check"]);
    return names;
  }

  Project project_{"examples/quickstart"};
};

TEST_F(PolicyFile, AllowsAndForbidsByName) {
  const std::string body =
      "float *writable = (float *)matrix; sums[0] = writable[0] + float(rows == 1024 ? columns : 2);";
  Outcome outcome = check(body);
  EXPECT_EQ(outcome.status, 3) << outcome.all();
  EXPECT_THAT(namesIn(outcome, "findings"), ElementsAre("const-casts"));
  EXPECT_THAT(namesIn(outcome, "notes"), ElementsAre("literal-shape"));
  EXPECT_THAT(outcome.err, HasSubstr("note: 'rows' is compared with 1024"));

  project_.write(kPolicy, R"({"allow": {"checks": ["const-casts"]}})");
  outcome = check(body);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(namesIn(outcome, "notes"), Contains("literal-shape"));

  project_.write(kPolicy, R"({"allow": {"checks": ["const-casts"]}, "forbid": {"checks": ["literal-shape"]}})");
  outcome = check(body);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(namesIn(outcome, "findings"), ElementsAre("literal-shape"));

  project_.write(kPolicy, R"({"allow": {"headers": ["<bitset>"]}, "forbid": {"headers": ["<cmath>"]}})");
  EXPECT_EQ(check("sums[0] = float(std::bitset<8>(rows).count());", "#include <bitset>\n").status, 0);
  EXPECT_EQ(check("sums[0] = 1;", "#include <cmath>\n").status, 3);
}

TEST_F(PolicyFile, AMistakeInItIsOneError) {
  project_.write(kPolicy, R"({"alow": {}})");
  expectOneError(check("sums[0] = 1;"), 1, {kPolicy, "unknown key 'alow'", "did you mean 'allow'?"});
  project_.write(kPolicy, R"({"allow": {"checks": ["state-outlives-call"]}})");
  expectOneError(check("sums[0] = 1;"), 1, {kPolicy, "state-outlives-call", "no policy can allow it"});
  project_.write(kPolicy, "{");
  expectOneError(check("sums[0] = 1;"), 1, {kPolicy, "it is not JSON"});
}

// A candidate's included file is never opened, so no line of it can come back.
TEST_F(PolicyFile, UnlistedFilesAreNotRead) {
  const std::string secret = "the_secret_of_the_tests";
  project_.write("secret.inc", secret + " = 42;\n");
  const std::string path = (project_.source() / "secret.inc").string();
  for (const char *include :
       {"#include \"secret.inc\"\n", "#include \"/etc/passwd\"\n", "#include </proc/self/environ>\n",
        "#include \"/proc/self/maps\"\n", "#include_next \"secret.inc\"\n", "#import \"secret.inc\"\n",
        "#embed \"secret.inc\"\n", "%:include \"secret.inc\"\n", "#/**/include/**/\"secret.inc\"\n"}) {
    const Outcome outcome = check("sums[0] = 1;", include);
    EXPECT_EQ(outcome.status, 3) << include << outcome.all();
    EXPECT_THAT(outcome.all(), Not(HasSubstr(secret))) << include;
    EXPECT_THAT(outcome.all(), Not(HasSubstr("root:"))) << include;
    EXPECT_THAT(outcome.all(), Not(HasSubstr("PATH="))) << include;
  }
  const Outcome computed = check("#define NAME \"" + path + "\"\n#include NAME\nsums[0] = 1;");
  EXPECT_EQ(computed.status, 3);
  EXPECT_THAT(computed.all(), Not(HasSubstr(secret)));
}

// What the kernel itself does with addresses is no finding, and its candidates may do just the same.
TEST_F(PolicyFile, WhatTheKernelDoesWithAddressesIsPermitted) {
  const std::string align = "(const float *)(((std::uintptr_t)matrix + 15) & ~std::uintptr_t(15))";
  project_.replace("column_sums.cpp", "#include <cstddef>", "#include <cstddef>\n#include <cstdint>");
  project_.replace("column_sums.cpp", "{\n  for",
                   "{\n  const float *at = " + align + "; if (at == sums) return;\n  for");
  Outcome outcome = project_.tool({"check", "--kernel", "column_sums"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(namesIn(outcome, "notes"), ElementsAre("forged-pointers", "addresses-as-numbers"));
  EXPECT_THAT(outcome.err,
              HasSubstr("column_sums.cpp:11:21: note: candidates of kernel 'column_sums' may do the same: '" + align +
                        "' [forged-pointers]"));

  outcome = check("float x = *" + align + "; sums[0] = x;");
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(outcome.err, HasSubstr("permitted, since the original does the same: '" + align + "'"));
  outcome = check("sums[0] = *(const float *)(((std::uintptr_t)sums + 15) & ~std::uintptr_t(15));");
  EXPECT_EQ(outcome.status, 3) << outcome.all();
  EXPECT_THAT(namesIn(outcome, "findings"), ElementsAre("forged-pointers", "addresses-as-numbers"));

  const std::string line = "line 11: '" + align + "' [forged-pointers]";
  EXPECT_THAT(project_.tool({"doctor", "--offline"}).all(), HasSubstr("column_sums, " + line));
  outcome = project_.tool({"status"});
  EXPECT_EQ(outcome.json["kernels"][0]["permissions"][0]["line"], 11) << outcome.all();
  EXPECT_EQ(outcome.json["kernels"][0]["permissions"][0]["text"], align);
}

} // namespace
} // namespace agentic::e2e
