// Measuring on other machines: a real sshd on loopback, which the tests start and end, and engines that fail.
#include "tests/e2e/farm_project.h"

#include <gmock/gmock.h>

#include <set>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

class SshFarm : public Farm {
protected:
  using Farm::Farm;
  void SetUp() override {
    if (::access("/usr/sbin/sshd", X_OK) != 0 || ::access("/usr/bin/ssh", X_OK) != 0)
      GTEST_SKIP() << "the packages openssh-server and openssh-client are not installed";
    Farm::SetUp();
    if (::geteuid() == 0)
      fs::create_directories("/run/sshd"); // sshd wants it, whatever its configuration
    for (const char *key : {"host", "user"})
      ASSERT_EQ(runCommand({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", (root() / key).string()}).status, 0);
    std::string config, known;
    for (const char *name : {"box1", "box2"}) {
      const std::uint16_t port = freePort();
      serve(name, port);
      config +=
          fmt("Host %s\n  HostName 127.0.0.1\n  Port %s\n  IdentityFile %s\n  IdentitiesOnly yes\n"
              "  UserKnownHostsFile %s\n  ControlMaster auto\n  ControlPath %s/c-%%C\n  ControlPersist 30\n",
              {name, std::to_string(port), (root() / "user").string(), (root() / "known").string(), root().string()});
      known += "[127.0.0.1]:" + std::to_string(port) + " " + readFile(root() / "host.pub").value_or("");
    }
    ASSERT_TRUE(writeFileAtomic(root() / "config", config));
    ASSERT_TRUE(writeFileAtomic(root() / "known", known));
    script(root() / "bin/ssh", "exec /usr/bin/ssh -F " + (root() / "config").string() + " \"$@\"\n");
  }
  static std::string fmt(std::string text, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      text.replace(text.find("%s"), 2, value);
    return replaceAll(std::move(text), "%%", "%");
  }
  void serve(const std::string &name, std::uint16_t port) {
    const fs::path config = root() / (name + ".conf");
    ASSERT_TRUE(writeFileAtomic(
        config, fmt("Port %s\nListenAddress 127.0.0.1\nHostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\n"
                    "PasswordAuthentication no\nPermitRootLogin prohibit-password\nPidFile none\n"
                    "SetEnv XDG_CACHE_HOME=%s\n",
                    {std::to_string(port), (root() / "host").string(), (root() / "user.pub").string(),
                     (root() / (name + "-cache")).string()})));
    start(name, {"/usr/sbin/sshd", "-D", "-e", "-f", config.string()});
    ASSERT_TRUE(eventually([&] { return accepts(port); }, 60));
  }
};

class SshFarmOfBinaryGemm : public SshFarm {
protected:
  SshFarmOfBinaryGemm() : SshFarm(kBinaryGemm) {}
};

TEST_F(SshFarmOfBinaryGemm, GivesTheVerdictsOfThisMachine) {
  const std::vector<std::string> here = verdictsHere(); // before: `explain` tells of the last run
  const Outcome there = optimize({"--farm", "ssh:box1,box2", "--parallel", "2"});
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), testing::UnorderedElementsAreArray(here)) << there.all();
  EXPECT_THAT(there.err, HasSubstr("measuring on ssh:box1, ssh:box2 ("));

  EXPECT_THAT(readFile(there.json["run_dir"].get<std::string>() + "/journal.jsonl").value_or(""),
              HasSubstr(R"("host":"ssh:box)"));
  EXPECT_THAT(project_.tool({"explain", there.json["best"]["candidate"].get<std::string>()}).out,
              HasSubstr("measured on ssh:box"));

  // Nothing but the programs, their libraries and the candidates went there.
  std::size_t sources = 0;
  for (const char *name : {"box1-cache", "box2-cache"})
    for (const auto &entry : fs::recursive_directory_iterator(root() / name))
      if (entry.is_regular_file() &&
          readFile(entry.path()).value_or("").find("void matmul(const float") != std::string::npos)
        ++sources;
  EXPECT_EQ(sources, 0u);
}

TEST_F(SshFarm, AllProgramsRunOnTwoHosts) {
  const std::vector<std::string> here = verdictsHere();
  const Outcome there = optimize({"--farm", "ssh:box1,box2", "--run-on-hosts", "--parallel", "2"});
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), testing::UnorderedElementsAreArray(here)) << there.all();
  EXPECT_THAT(there.err, HasSubstr("running the programs on ssh:box1, ssh:box2 ("));
}

TEST_F(SshFarm, AHostThatNobodyKnowsIsNotTrusted) {
  ASSERT_TRUE(writeFileAtomic(root() / "known", ""));
  const Outcome refused = optimize({"--farm", "ssh:box1"});
  expectOneError(refused, 1, {"no host of --farm is left"});
  EXPECT_THAT(refused.err, HasSubstr("Host key verification failed"));
}

TEST_F(Farm, AConnectionThatBreaksAfterEachAnswerLosesNothing) {
  const std::string flaky = engine("flaky.sh", kThreeAnswers);
  const Outcome there = optimize({"--farm", flaky});
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), areAllJudged()) << there.all();
  EXPECT_THAT(there.err, Not(HasSubstr("left out")));
}

TEST_F(Farm, AHostThatDiesIsLeftOutAndTheOthersGoOn) {
  const std::string dead = (root() / "dead").string();
  const std::string dying =
      engine("dying.sh", "[ ! -e " + dead +
                             " ] || { echo No route to host >&2; exit 255; }\n"
                             "case $1 in *exec*farm*) [ -e " +
                             dead + "1 ] && touch " + dead + "; touch " + dead + "1;; esac\n" + kThreeAnswers);
  const Outcome there = optimize({"--farm", dying + ";local"});
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), areAllJudged()) << there.all();
  EXPECT_THAT(there.err, HasSubstr("dying.sh': ")) << there.all();
  EXPECT_THAT(there.err, HasSubstr("it is left out from here on"));
  const Outcome alone = optimize({"--farm", dying});
  expectOneError(alone, 1, {"no host of --farm is left"});
  EXPECT_THAT(alone.err, HasSubstr("No route to host"));
}

TEST_F(Farm, AllProgramsRunThereIfThatIsAskedFor) {
  const std::vector<std::string> here = verdictsHere();
  const Outcome there = optimize({"--farm", "local", "--run-on-hosts"});
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_EQ(verdictsOf(there), here) << there.all();
  EXPECT_THAT(there.err, HasSubstr("running the programs on local ("));
  std::vector<std::string> writing = arguments({"--farm", "local", "--run-on-hosts"});
  std::erase(writing, "--no-write");
  for (int n = 1; n <= kernel_.candidates; ++n)
    fs::remove(agent() / ("taken." + std::to_string(n)));
  const Outcome written =
      runCommand(project_.toolCommand(writing), kPatience, {{"XDG_CACHE_HOME", (root() / "cache").string()}});
  EXPECT_EQ(written.status, 0) << written.all();
  EXPECT_FALSE(written.json["files"].empty()) << written.all();
  expectOneError(optimize({"--run-on-hosts"}), 1, {"--run-on-hosts", "--farm"});
}

/// The seconds of each measurement that a host keeps, or that a run's journal has.
std::multiset<double> keptSeconds(const fs::path &cache) {
  std::multiset<double> seconds;
  for (const auto &entry : fs::recursive_directory_iterator(cache / "agentic-kernel/farm/results"))
    if (const auto result = nlohmann::json::parse(readFile(entry.path()).value_or(""), nullptr, false);
        result.is_object() && result.contains("outcome"))
      seconds.insert(result["outcome"]["seconds"].get<double>());
  return seconds;
}
std::multiset<double> journaledSeconds(const std::vector<nlohmann::json> &evaluations) {
  std::multiset<double> seconds;
  for (const nlohmann::json &evaluation : evaluations)
    for (const nlohmann::json &time : evaluation["times"])
      if (time["name"] == "benchmark")
        seconds.insert(time["seconds"].get<double>());
  return seconds;
}

// The host has learned, measured the first candidate, and finished the comparison of the fourth with it, whose answer
// does not arrive: there the front end is killed.
TEST_F(Farm, ARunThatWasKilledCollectsWhatWasFinished) {
  const fs::path held = root() / "held";
  script(root() / "hold.sh", "n=0\nwhile IFS= read -r line; do\n  case $line in *'\"task\":'*) n=$((n + 1)) ;; esac\n"
                             "  [ $n != 3 ] || { touch " +
                                 held.string() + "; sleep 600; }\n  printf '%s\\n' \"$line\"\ndone\n");
  const std::string host = engine("holding.sh", "[ ! -e " + held.string() + " ] || exec sh -c \"$1\"\n" +
                                                    "exec bash -c 'set -o pipefail; sh -c \"$1\" | " +
                                                    (root() / "hold.sh").string() + "' bash \"$1\"\n");
  Background run(project_.toolCommand(arguments({"--farm", host})), root() / "run.pid");
  ASSERT_TRUE(run.waitUntil([&] { return fs::exists(held); })) << run.finish().all();
  run.signal(SIGKILL);
  run.finish();
  const std::multiset<double> kept = keptSeconds(root() / "holding.sh-cache");
  ASSERT_THAT(kept, testing::SizeIs(2));

  const Outcome resumed = project_.tool(arguments({"--farm", host, "--resume"}));
  EXPECT_EQ(resumed.status, 0) << resumed.all();
  EXPECT_THAT(verdictsOf(resumed), areAllJudged()) << resumed.all();
  EXPECT_EQ(journaledSeconds(evaluationsOf(resumed)), kept) << "both count, once, and nothing was measured again";
}

TEST_F(Farm, MistakesSayWhatToWrite) {
  expectOneError(optimize({"--farm", "kubernetes:x"}), 1, {"no engine 'kubernetes'", "ssh:HOST"});
  expectOneError(project_.tool({"suite", "--farm", "kubernetes:x"}), 1, {"no engine 'kubernetes'", "ssh:HOST"});
  expectOneError(optimize({"--farm", "ssh:-oProxyCommand=x"}), 1, {"-oProxyCommand", "commas"});
}

} // namespace
} // namespace agentic::e2e
