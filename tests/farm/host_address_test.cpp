#include "tool/farm/farm_hosts.h"

#include "tool/base/files.h"

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

class FarmFileTest : public testing::Test {
protected:
  Result<std::vector<HostAddress>> read(const std::string &text) const {
    EXPECT_TRUE(writeFileAtomic(folder_->path() / "farm.json", text));
    return parseFarm("farm.json;local", folder_->path().string());
  }
  Result<ScratchDirectory> folder_ = ScratchDirectory::create(fs::temp_directory_path(), "farm-");
};

TEST_F(FarmFileTest, HasHostsWithTheirCoresFoldersAndPatience) {
  const auto hosts = read(R"({"hosts": [
    {"address": "ssh:box1,box2", "cores": "2-5,8", "folder": "/scratch/my kernels", "wait_minutes": 0.5},
    {"address": "command:./there.sh"}]})");
  ASSERT_TRUE(hosts) << hosts.error().message;
  ASSERT_EQ(hosts->size(), 4u);
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ((*hosts)[i].name, i == 0 ? "ssh:box1" : "ssh:box2");
    EXPECT_EQ((*hosts)[i].cores, "2-5,8");
    EXPECT_EQ((*hosts)[i].folder, "/scratch/my kernels");
    EXPECT_EQ((*hosts)[i].queueSeconds, 30);
  }
  EXPECT_THAT((*hosts)[2].words, ElementsAre((folder_->path() / "there.sh").string())) << "beside the file";
  EXPECT_EQ((*hosts)[2].cores, "");
  EXPECT_EQ((*hosts)[3].name, "local");
}

TEST_F(FarmFileTest, MistakesAreNamedWithTheFile) {
  struct Mistake {
    const char *text, *named;
  };
  for (const Mistake &mistake :
       {Mistake{"{", "not JSON"}, Mistake{"[]", "list of hosts"}, Mistake{R"({"hosts": []})", "list of hosts"},
        Mistake{R"({"hosts": ["ssh:box1"]})", "no address"}, Mistake{R"({"hosts": [{"address": 3}]})", "no address"},
        Mistake{R"({"hosts": [{"address": "ssh:box1"}], "host": 1})", "'host'"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "core": "1"}]})", "'core'"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "cores": "1;reboot"}]})", "1;reboot"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "cores": "-a"}]})", "-a"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "cores": 2}]})", "'cores' is 2"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "folder": "scratch"}]})", "scratch"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "folder": "/a\nb"}]})", "folder"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "wait_minutes": 0}]})", "wait_minutes"},
        Mistake{R"({"hosts": [{"address": "ssh:box1", "wait_minutes": 1e9}]})", "wait_minutes"},
        Mistake{R"({"hosts": [{"address": "farm.json"}]})", "no engine 'farm.json'"},
        Mistake{R"({"hosts": [{"address": "ssh:-oProxyCommand=x"}]})", "-oProxyCommand"}}) {
    const auto hosts = read(mistake.text);
    ASSERT_FALSE(hosts) << mistake.text;
    EXPECT_THAT(hosts.error().message, testing::ContainsRegex("^--farm: '/.*farm.json' is wrong: ")) << mistake.text;
    EXPECT_THAT(hosts.error().message, HasSubstr(mistake.named)) << mistake.text;
    EXPECT_FALSE(hosts.error().next.empty()) << mistake.text;
  }
  const auto missing = parseFarm("nowhere.json", folder_->path().string());
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("nowhere.json"));
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
