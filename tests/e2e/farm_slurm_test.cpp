// Measuring on a Slurm cluster: two nodes of this machine, whose daemons the test starts and ends.
#include "tests/e2e/farm_project.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;

class SlurmFarm : public Farm {
protected:
  using Farm::Farm;
  void SetUp() override {
    for (const char *program : {"/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/srun"})
      if (::access(program, X_OK) != 0)
        GTEST_SKIP() << "the packages slurmctld, slurmd, slurm-client and munge are not installed: no " << program;
    if (::geteuid() != 0)
      GTEST_SKIP() << "Slurm's daemons are started as root, and munge's as its own user";
    Farm::SetUp();
    fs::permissions(root(), fs::perms::others_exec | fs::perms::group_exec, fs::perm_options::add);
    ASSERT_EQ(runCommand({"/bin/sh", "-c",
                          "cd \"$0\" && mkdir munge state log && dd if=/dev/urandom of=munge/key bs=1 count=1024 && "
                          "chmod 400 munge/key && chown -R munge: munge",
                          root().string()})
                  .status,
              0);
    const std::string munge = (root() / "munge").string();
    start("munged", {"setpriv", "--reuid=munge", "--regid=munge", "--clear-groups", "/usr/sbin/munged", "--foreground",
                     "--force", "--key-file=" + munge + "/key", "--socket=" + munge + "/socket",
                     "--pid-file=" + munge + "/pid", "--log-file=" + munge + "/log", "--seed-file=" + munge + "/seed"});
    configure();
    ASSERT_TRUE(eventually([&] { return fs::exists(munge + "/socket"); }, 60));
    start("slurmctld", {"/usr/sbin/slurmctld", "-D", "-c", "-f", configuration()});
    for (const std::string node : {"nodeA", "nodeB"})
      start("slurmd." + node, {"/usr/sbin/slurmd", "-D", "-N", node, "-f", configuration()});
    ASSERT_TRUE(eventually(
        [&] { return runCommand({"sinfo", "-h", "-t", "idle", "-o", "%D"}, kPatience, slurm()).out == "2\n"; }, 120))
        << readFile(root() / "log/slurmctld").value_or("");
  }
  void configure() const {
    std::string text = "ClusterName=farm\nSlurmctldHost=localhost(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n"
                       "AuthType=auth/munge\nCredType=cred/munge\nProctrackType=proctrack/linuxproc\n"
                       "TaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                       "SchedulerParameters=batch_sched_delay=0,sched_interval=5,sched_min_interval=0\n"
                       "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
                       "MpiDefault=none\nReturnToService=2\nSwitchType=switch/none\n"
                       "SlurmdParameters=config_overrides\n";
    for (const char *line : {"AuthInfo=socket=@/munge/socket", "StateSaveLocation=@/state", "SlurmdSpoolDir=@/spool.%n",
                             "SlurmctldPidFile=@/ctld.id", "SlurmdPidFile=@/slurmd.%n.id",
                             "SlurmctldLogFile=@/log/slurmctld", "SlurmdLogFile=@/log/slurmd.%n"})
      text += replaceAll(line, "@", root().string()) + "\n";
    text += "SlurmctldPort=" + std::to_string(freePort()) + "\n";
    for (const std::string node : {"nodeA", "nodeB"})
      text += "NodeName=" + node + " NodeHostname=localhost NodeAddr=127.0.0.1 Port=" + std::to_string(freePort()) +
              " CPUs=1 RealMemory=1000\n";
    text += "PartitionName=bench Nodes=nodeA,nodeB Default=YES MaxTime=00:30:00 State=UP OverSubscribe=NO\n";
    ASSERT_TRUE(writeFileAtomic(configuration(), text));
  }
  std::string configuration() const { return (root() / "slurm.conf").string(); }
  Environment slurm() const { return {{"SLURM_CONF", configuration()}}; }
};

class SlurmFarmOfBinaryGemm : public SlurmFarm {
protected:
  SlurmFarmOfBinaryGemm() : SlurmFarm(kBinaryGemm) {}
};

TEST_F(SlurmFarmOfBinaryGemm, GivesTheVerdictsOfThisMachine) {
  const Outcome there = optimize({"--farm", "slurm:partition=bench,nodes=2", "--parallel", "2"}, slurm());
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), testing::UnorderedElementsAreArray(verdictsHere())) << there.all();
  EXPECT_THAT(there.err, HasSubstr("measuring on slurm:1, slurm:2 ("));
  EXPECT_TRUE(eventually([&] { return runCommand({"squeue", "-h"}, kPatience, slurm()).out.empty(); }, 60))
      << "the jobs end with the run";
  expectOneError(optimize({"--farm", "slurm:partition=none"}, slurm()), 1, {"no host of --farm is left"});
}

/// What an operator does to a cluster while a run measures there.
class SlurmFaults : public SlurmFarm {
protected:
  /// Begins a run and returns when its hosts have learned: its journal has begun.
  void begin(const std::string &hosts) {
    ASSERT_TRUE(writeFileAtomic(root() / "farm.json", R"({"hosts": [)" + hosts + "]}"));
    std::vector<std::string> command =
        project_.toolCommand(arguments({"--farm", (root() / "farm.json").string(), "--parallel", "2"}));
    command.insert(command.begin() + 1, "SLURM_CONF=" + configuration()); // after env
    run_ = std::make_unique<Background>(command, root() / "run.pid");
    const fs::path runs = project_.build() / "_agentic/runs";
    ASSERT_TRUE(run_->waitUntil([&] {
      std::error_code none;
      for (const auto &one : fs::directory_iterator(runs, none))
        if (fs::exists(one.path() / "journal.jsonl"))
          return true;
      return false;
    })) << run_->finish().all();
  }
  std::vector<std::string> jobs() const {
    return split(trim(runCommand({"squeue", "-h", "-o", "%i"}, kPatience, slurm()).out), '\n');
  }
  std::string statesOfJobs() const { return runCommand({"squeue", "-h", "-o", "%t"}, kPatience, slurm()).out; }
  void operate(std::vector<std::string> command) const {
    const Outcome done = runCommand(std::move(command), kPatience, slurm());
    EXPECT_EQ(done.status, 0) << done.all();
  }
  std::unique_ptr<Background> run_;
};

constexpr const char *kBothNodes = R"({"address": "slurm:partition=bench,nodes=2", "wait_minutes": 5})";

TEST_F(SlurmFaults, ADrainedNodeGoesOnAndSuspendedJobsLater) {
  ASSERT_NO_FATAL_FAILURE(begin(kBothNodes));
  operate({"scontrol", "update", "nodename=nodeB", "state=drain", "reason=repair"});
  const std::vector<std::string> jobs = this->jobs();
  ASSERT_EQ(jobs.size(), 2u);
  for (const std::string &job : jobs)
    operate({"scontrol", "suspend", job});
  EXPECT_TRUE(eventually([&] { return statesOfJobs() == "S\nS\n"; })) << statesOfJobs();
  for (const std::string &job : jobs)
    operate({"scontrol", "resume", job});
  const Outcome there = run_->finish();
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), areAllJudged()) << there.all();
  EXPECT_THAT(there.err, testing::Not(HasSubstr("left out")));
}

TEST_F(SlurmFaults, AJobThatIsKilledIsStartedAgain) {
  ASSERT_NO_FATAL_FAILURE(begin(kBothNodes));
  const std::vector<std::string> before = jobs();
  ASSERT_EQ(before.size(), 2u);
  for (const std::string &job : before)
    operate({"scancel", "--signal=KILL", job}); // as preemption ends it; the node is free for the next
  EXPECT_TRUE(run_->waitUntil([&] {
    const std::vector<std::string> now = jobs();
    return statesOfJobs().find('R') != std::string::npos &&
           std::ranges::none_of(now, [&](const std::string &job) { return std::ranges::count(before, job) > 0; });
  }));
  const Outcome there = run_->finish();
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), areAllJudged()) << there.all();
  EXPECT_THAT(there.err, testing::Not(HasSubstr("left out")));
}

// The first host confirms: that it is gone is seen. A node that is only set down comes back by itself
// (ReturnToService).
TEST_F(SlurmFaults, ANodeThatTakesNoJobAnyMoreIsLeftOut) {
  ASSERT_NO_FATAL_FAILURE(
      begin(R"({"address": "slurm:partition=bench,nodelist=nodeB", "wait_minutes": 1}, {"address": "local"})"));
  operate({"scontrol", "update", "nodename=nodeB", "state=drain", "reason=power"});
  const std::vector<std::string> job = jobs();
  ASSERT_EQ(job.size(), 1u);
  operate({"scancel", "--signal=KILL", job.front()});
  const Outcome there = run_->finish();
  EXPECT_EQ(there.status, 0) << there.all();
  EXPECT_THAT(verdictsOf(there), areAllJudged()) << there.all();
  EXPECT_THAT(there.err, HasSubstr("it is left out from here on"));
}

} // namespace
} // namespace agentic::e2e
