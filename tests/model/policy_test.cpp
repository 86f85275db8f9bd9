#include "tool/model/policy.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <gmock/gmock.h>

#include <random>

namespace agentic {
namespace {

constexpr std::string_view kGood = R"({
  "allow": {"checks": ["const-casts"], "functions": ["vendor::fast_exp", "blas_*"], "headers": ["<vendor/math.h>"],
            "attributes": ["no_sanitize"], "pragmas": ["GCC diagnostic"]},
  "forbid": {"functions": ["std::sort"], "checks": ["literal-shape"]}
})";

/// Returns the message and the next step for a wrong policy.
std::string complaint(std::string_view text) {
  Result<Policy> policy = parsePolicy(text, "/p/.agentic-kernel.json");
  return policy ? "accepted" : policy.error().message + " | " + policy.error().next;
}

TEST(Policy, ReadsEveryList) {
  Result<Policy> policy = parsePolicy(kGood, "p");
  ASSERT_TRUE(policy) << policy.error().message;
  const PolicyRules allow = {
      {"const-casts"}, {"vendor::fast_exp", "blas_*"}, {"<vendor/math.h>"}, {"no_sanitize"}, {"GCC diagnostic"}};
  EXPECT_EQ(policy->allow, allow);
  EXPECT_EQ(policy->forbid.functions, std::vector<std::string>{"std::sort"});
  EXPECT_EQ(policy->forbid.checks, std::vector<std::string>{"literal-shape"});
  EXPECT_EQ(policy->hash, sha256(kGood));
  EXPECT_TRUE(parsePolicy("{}", "p"));
}

TEST(Policy, AStarStandsForTheRestOfAName) {
  const std::vector<std::string> names = {"blas_*", "exact"};
  EXPECT_TRUE(isListed(names, "blas_sgemm"));
  EXPECT_TRUE(isListed(names, "exact"));
  EXPECT_FALSE(isListed(names, "exactly"));
  EXPECT_FALSE(isListed(names, "my_blas_sgemm"));
}

TEST(Policy, WhatItDoesNotKnowIsAnErrorWithTheNearestName) {
  using testing::AllOf, testing::HasSubstr;
  EXPECT_THAT(complaint(R"({"alow": {}})"), AllOf(HasSubstr("/p/.agentic-kernel.json"), HasSubstr("unknown key 'alow'"),
                                                  HasSubstr("did you mean 'allow'?")));
  EXPECT_THAT(complaint(R"({"allow": {"header": []}})"), HasSubstr("did you mean 'headers'?"));
  EXPECT_THAT(complaint(R"({"something else": {}})"), HasSubstr("known are allow, forbid, limits"));
  EXPECT_THAT(complaint("{\"\xff\": {}}"), HasSubstr("it is not JSON"));
  EXPECT_THAT(complaint(""), HasSubstr("it is not JSON"));
  EXPECT_THAT(complaint("{\n \"allow\": {\n  oops\n}}"), HasSubstr("it is not JSON from line 3 on"));
  EXPECT_THAT(complaint("[]"), HasSubstr("it is not an object"));
  EXPECT_THAT(complaint(R"({"allow": []})"), HasSubstr("'allow' is not an object"));
  EXPECT_THAT(complaint(R"({"allow": {"checks": "calls"}})"), HasSubstr("'allow.checks' is not a list"));
  EXPECT_THAT(complaint(R"({"allow": {"checks": [1]}})"), HasSubstr("holds something that is no name"));
  EXPECT_THAT(complaint(R"({"allow": {"checks": [""]}})"), HasSubstr("holds something that is no name"));
}

TEST(Policy, LimitsAreNumbersInTheirRange) {
  Result<Policy> policy =
      parsePolicy(R"({"limits": {"min_speedup": 1.1, "max_code_bytes": 4096, "max_levels": 2}})", "p");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->limits, (PolicyLimits{1.1, 4096, 2}));
  EXPECT_EQ(parsePolicy("{}", "p")->limits, PolicyLimits());
  for (const char *text : {R"({"limits": {"min_speedup": 0.9}})", R"({"limits": {"min_speedup": "1.1"}})",
                           R"({"limits": {"max_levels": 0}})", R"({"limits": {"max_levels": 1.5}})",
                           R"({"limits": {"max_code_bytes": -1}})", R"({"limits": {"max_levels": 1e99}})"})
    EXPECT_THAT(complaint(text), testing::HasSubstr("is out of range")) << text;
  EXPECT_THAT(complaint(R"({"limits": {"min_speed": 2}})"), testing::HasSubstr("did you mean 'min_speedup'?"));
  EXPECT_THAT(complaint(R"({"limits": 3})"), testing::HasSubstr("'limits' is not an object"));
}

TEST(Policy, AKeyGivenTwiceIsAnError) {
  EXPECT_THAT(complaint(R"({"allow": {}, "forbid": {}, "allow": {"checks": ["calls"]}})"),
              testing::HasSubstr("'allow' is there twice"));
  EXPECT_THAT(complaint(R"({"allow": {"checks": [], "checks": []}})"), testing::HasSubstr("'checks' is there twice"));
  EXPECT_EQ(complaint(R"({"allow": {"checks": []}, "forbid": {"checks": []}})"), "accepted");
}

TEST(Policy, OfAProjectIsTheFileAtItsRoot) {
  auto folder = ScratchDirectory::create(fs::temp_directory_path(), "policy-");
  ASSERT_TRUE(folder);
  Result<Policy> none = readPolicy(folder->path());
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, Policy());
  ASSERT_TRUE(writeFileAtomic(folder->path() / kPolicyFile, kGood));
  Result<Policy> policy = readPolicy(folder->path());
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->hash, sha256(kGood));
  fs::remove(folder->path() / kPolicyFile);
  fs::create_symlink("/nowhere/at/all", folder->path() / kPolicyFile);
  EXPECT_FALSE(readPolicy(folder->path())) << "a link that leads nowhere is not the absence of a policy";
}

/// Any bytes give a policy or an error.
TEST(Policy, SurvivesArbitraryBytes) {
  std::mt19937 random(7);
  auto byte = [&] { return static_cast<char>(random() & 255); };
  for (int i = 0; i < 3000; ++i) {
    std::string text(random() % 64, ' ');
    std::ranges::generate(text, byte);
    (void)parsePolicy(text, "p");
  }
  for (int i = 0; i < 5000; ++i) {
    std::string text(kGood);
    for (unsigned change = random() % 4 + 1; change > 0; --change) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = byte();
        break;
      case 1:
        text.erase(at, random() % 9);
        break;
      case 2:
        text.insert(at, std::string(random() % 3 + 1, "[]{}\":,"[random() % 7]));
        break;
      default:
        text = text.substr(0, at) + std::string(kGood.substr(random() % kGood.size())) + text.substr(at);
      }
      if (text.empty())
        break;
    }
    Result<Policy> policy = parsePolicy(text, "p");
    if (!policy) {
      EXPECT_FALSE(policy.error().next.empty());
    }
  }
  EXPECT_THAT(complaint(std::string(3'000'000, '[')), testing::HasSubstr("larger than 1 MiB"));
  EXPECT_THAT(complaint(std::string(900'000, '[')), testing::HasSubstr("nested too deeply"));
  EXPECT_THAT(complaint("[[[[[[[[[[[[[]]]]]]]]]]]]]"), testing::HasSubstr("nested too deeply"));
}

} // namespace
} // namespace agentic
