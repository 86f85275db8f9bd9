#include "tool/farm/host_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> namesOf(const std::string &text) {
  std::vector<std::string> names;
  const auto hosts = parseFarm(text, "/project");
  EXPECT_TRUE(hosts) << hosts.error().message;
  if (hosts)
    for (const HostAddress &host : *hosts)
      names.push_back(host.name);
  return names;
}

TEST(HostAddress, HostsOfSeveralEngines) {
  EXPECT_THAT(namesOf("ssh:box1,user@box2;local;local"), ElementsAre("ssh:box1", "ssh:user@box2", "local", "local#2"));
  EXPECT_THAT(namesOf("slurm:partition=bench,nodes=2"), ElementsAre("slurm:1", "slurm:2"));
}

TEST(HostAddress, SshNeitherAsksNorTrustsByItself) {
  const auto hosts = parseFarm("ssh:box1", "/");
  ASSERT_TRUE(hosts);
  EXPECT_THAT(hosts->front().words, IsSupersetOf({"BatchMode=yes", "StrictHostKeyChecking=yes", "ForwardAgent=no"}));
  EXPECT_EQ(hosts->front().words.front(), "ssh");
  EXPECT_EQ(hosts->front().words.back(), "box1");
}

TEST(HostAddress, SlurmJobsAreExclusiveAndGetNoneOfTheEnvironment) {
  const auto hosts = parseFarm("slurm:partition=bench,constraint=zen4", "/");
  ASSERT_TRUE(hosts);
  EXPECT_THAT(hosts->front().words,
              IsSupersetOf({"--exclusive", "--export=HOME,XDG_CACHE_HOME", "--partition=bench", "--constraint=zen4"}));
}

TEST(HostAddress, AProgramIsFoundFromWhereTheUserIs) {
  const auto hosts = parseFarm("command:./there.sh --box 3", "/project");
  ASSERT_TRUE(hosts);
  EXPECT_THAT(hosts->front().words, ElementsAre("/project/there.sh", "--box", "3"));
}

TEST(HostAddress, MistakesAreNamed) {
  struct Mistake {
    const char *text, *named;
  };
  for (const Mistake &mistake :
       {Mistake{"kubernetes:pod", "kubernetes"}, Mistake{"ssh:", "ssh:"}, Mistake{"ssh:-oProxyCommand=evil", "-oProxy"},
        Mistake{"ssh:a,,b", "a,,b"}, Mistake{"ssh:box;rm", "rm"}, Mistake{"ssh:$(id)", "$(id)"},
        Mistake{"slurm:nodes=0", "nodes=0"}, Mistake{"slurm:nodes=many", "many"}, Mistake{"slurm:wrap=x", "wrap=x"},
        Mistake{"command:", "command:"}, Mistake{"", "engine"}}) {
    const auto hosts = parseFarm(mistake.text, "/");
    ASSERT_FALSE(hosts) << mistake.text;
    EXPECT_THAT(hosts.error().message, HasSubstr(mistake.named)) << mistake.text;
    EXPECT_FALSE(hosts.error().next.empty()) << mistake.text;
  }
}

} // namespace
} // namespace agentic
