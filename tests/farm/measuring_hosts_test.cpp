// The hosts of a farm with the real worker, on this machine, and the tiny programs of the stages' tests.
#include "tests/evaluate/stage_fixture.h"
#include "tests/farm/built_worker.h"

#include "tool/evaluate/remote/measuring_hosts.h"

namespace agentic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MeasuringHostsTest : public StageTest {
protected:
  void SetUp() override {
    StageTest::SetUp();
    options_.worker = builtWorker(scratch_->path() / "cache");
    request_.benchmark.programs = &programs_;
    request_.benchmark.filter = "BM_Square";
    request_.benchmark.reference = library("honest");
  }
  /// A host whose results are changed by a script of sed on their way, so that no test depends on how quiet this
  /// machine is.
  void addHost(const std::string &name, const std::string &changes, const std::string &cache = {}) {
    const fs::path engine = scratch_->path() / name;
    ASSERT_TRUE(writeFileAtomic(engine, "#!/bin/bash\nset -o pipefail\n" +
                                            (cache.empty() ? "" : "export XDG_CACHE_HOME=" + cache + "\n") +
                                            "sh -c \"$1\" | sed -u '" + changes + "'\n"));
    fs::permissions(engine, fs::perms::owner_all);
    options_.hosts.push_back({.name = name, .words = {engine.string()}});
  }
  std::unique_ptr<MeasuringHosts> opened() {
    auto hosts = MeasuringHosts::open(context_, request_);
    EXPECT_TRUE(hosts) << hosts.error().message << warnings_;
    return hosts ? std::move(*hosts) : nullptr;
  }
  Result<BenchmarkOutcome> measured(MeasuringHosts &hosts, std::size_t host, std::string question = {},
                                    const std::string &candidate = "slow") const {
    BenchmarkRequest request = request_.benchmark;
    request.candidate = library(candidate);
    request.question = std::move(question);
    return hosts.measure(host, context_, request);
  }

  std::vector<TestProgram> programs_ = program("square_bench");
  std::string warnings_;
  FarmOptions options_;
  FarmRequest request_{.options = &options_,
                       .features = {},
                       .benchmark = {},
                       .facts = nullptr,
                       .data = {},
                       .note = [](const std::string &) {},
                       .warn = [this](const std::string &text) { warnings_ += "\n" + text; }};
};

/// What the comparisons of a learning task (it has facts) and of all others come to.
std::string comparisons(const std::string &learning, const std::string &later) {
  const auto become = [](const std::string &word) {
    return "s/\"comparison\":\"[a-z-]*\"/\"comparison\":\"" + word + "\"/g";
  };
  return "/\"facts\"/" + become(learning) + ";/\"facts\"/!" + become(later);
}

TEST_F(MeasuringHostsTest, AHostThatIsDisturbedLaterIsLeftOut) {
  options_.controlEvery = 2;
  addHost("quiet", comparisons("same", "same"));
  addHost("disturbed", comparisons("same", "too-noisy"));
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 2u) << warnings_;
  for (const std::size_t host : {0, 1}) {
    const auto first = measured(*hosts, host);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_TRUE(first->measurement) << first->rejection << first->undecided;
  }
  EXPECT_THAT(hosts->takeWarnings(), IsEmpty());
  const auto again = measured(*hosts, 0);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->host, "quiet");
  EXPECT_FALSE(measured(*hosts, 1));
  EXPECT_TRUE(hosts->isLost(1));
  EXPECT_FALSE(hosts->isLost(0));
  EXPECT_THAT(hosts->takeWarnings(),
              ElementsAre(HasSubstr("host 'disturbed': the unchanged kernel measured against itself is too noisy "
                                    "there: something disturbs it: it is left out from here on")));
}

TEST_F(MeasuringHostsTest, AHostThatIsDisturbedFromTheStartIsSetAside) {
  addHost("quiet", comparisons("same", "same"));
  addHost("disturbed", comparisons("faster", "same"));
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  EXPECT_EQ(hosts->size(), 1u);
  EXPECT_THAT(warnings_, HasSubstr("host 'disturbed' is set aside: the unchanged kernel measured against itself is not "
                                   "the same there"));
}

TEST_F(MeasuringHostsTest, AWorkerOfAnotherVersionIsSetAside) {
  addHost("old", "s/\"version\":\"[^\"]*\"/\"version\":\"0.0.1\"/");
  const auto hosts = MeasuringHosts::open(context_, request_);
  ASSERT_FALSE(hosts);
  EXPECT_THAT(hosts.error().message, HasSubstr("no host of --farm is left"));
  EXPECT_THAT(warnings_, HasSubstr("host 'old' is set aside: its worker is of version 0.0.1, this tool of "));
}

TEST_F(MeasuringHostsTest, AHostileCandidateIsRejectedThereAndTheHostGoesOn) {
  addHost("quiet", comparisons("same", "slower"));
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  for (const char *kind : {"aborts", "exits", "exits_early", "fake_output"}) {
    const auto outcome = measured(*hosts, 0, {}, kind);
    ASSERT_TRUE(outcome) << kind << ": " << outcome.error().message;
    EXPECT_NE(outcome->rejection, "") << kind;
  }
  EXPECT_FALSE(hosts->isLost(0));
  const auto honest = measured(*hosts, 0);
  ASSERT_TRUE(honest) << honest.error().message;
  EXPECT_TRUE(honest->measurement) << honest->rejection << honest->undecided;
}

// A process of the run measured on the second host and was killed; the next one asks the first host.
TEST_F(MeasuringHostsTest, WhatAHostFinishedForTheRunIsNotMeasuredAgain) {
  const std::string run = "0123456789abcdef01234567";
  options_.run = run;
  for (const char *name : {"first", "second"})
    addHost(name, comparisons("same", "slower"), (scratch_->path() / name).string() + "-cache");
  BenchmarkOutcome before;
  {
    const auto hosts = opened();
    ASSERT_TRUE(hosts);
    ASSERT_EQ(hosts->size(), 2u) << warnings_;
    before = measured(*hosts, 1, "old new").value_or(BenchmarkOutcome());
    ASSERT_TRUE(before.measurement) << before.rejection << before.undecided;
  }
  const auto isThat = [&](const Result<BenchmarkOutcome> &outcome) { // no two measurements take the same time
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome && outcome->host == "second" && outcome->seconds == before.seconds;
  };
  options_.isResumed = true;
  options_.run = "fedcba9876543210fedcba98";
  const auto other = opened();
  ASSERT_TRUE(other);
  EXPECT_FALSE(isThat(measured(*other, 1, "old new"))) << "another run's";
  options_.run = run;
  const auto resumed = opened();
  ASSERT_TRUE(resumed);
  EXPECT_FALSE(isThat(measured(*resumed, 1))) << "a confirmation's pairs are fresh";
  EXPECT_FALSE(isThat(measured(*resumed, 1, "old newer"))) << "another question";
  EXPECT_TRUE(isThat(measured(*resumed, 0, "old new")));
  EXPECT_FALSE(isThat(measured(*resumed, 1, "old new"))) << "it counts once";
}

} // namespace
} // namespace agentic
