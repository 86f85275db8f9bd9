// Tests the GPUs' counters through a library that replaces the driver's: their values, and every failure.
#include "tool/agent/energy.h"

#include "tests/agent/scripted_model.h"
#include "tool/llm/cassette.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace agentic {
namespace {

class GpuCounters : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(::setenv("AGENTIC_TEST_NVML", file().c_str(), 1), 0); }
  void TearDown() override {
    ::unsetenv("AGENTIC_TEST_NVML");
    // Every opened library was closed, once.
    const std::string calls = readFile(file() + ".calls").value_or("");
    EXPECT_TRUE(calls.empty() || initFails_ || calls.ends_with("init\nshutdown\n")) << calls;
  }

  std::string file() const { return (root_.path() / "nvml").string(); }
  void set(const std::string &text) const { ASSERT_TRUE(writeFileAtomic(file(), text)); }
  bool isOpened() const { return fs::exists(file() + ".calls"); }
  EnergySources sources() const { return {.packages = root_.path().string(), .gpus = AGENTIC_NVML_FIXTURE}; }
  void setPackage(const std::string &microjoules) const {
    ASSERT_TRUE(writeFileAtomic(root_.path() / "intel-rapl:0" / "energy_uj", microjoules));
  }

  bool initFails_ = false;

private:
  ScratchDirectory root_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "nvml"));
};

TEST_F(GpuCounters, AreSummed) {
  set("count 2 energy.0 1000000 energy.1 500");
  GpuEnergy gpus(AGENTIC_NVML_FIXTURE);
  ASSERT_TRUE(gpus.canBeRead());
  set("count 2 energy.0 1002000 energy.1 1000");
  EXPECT_EQ(gpus.joules(), 2.5);
  EXPECT_EQ(gpus.joules(), 0);
}

TEST_F(GpuCounters, AreAddedToThoseOfThePackages) {
  set("count 1 energy.0 1000");
  setPackage("1000000");
  EnergyCounters counters(sources());
  set("count 1 energy.0 5000");
  setPackage("3500000");
  EXPECT_EQ(counters.joules(), 6.5);
  fs::remove_all(fs::path(sources().packages) / "intel-rapl:0");
  set("count 1 energy.0 7000");
  EXPECT_EQ(counters.joules(), 2) << "the GPUs alone";
}

TEST_F(GpuCounters, OnesWithoutACounterAreLeftOut) {
  set("count 3 energy.0 1000 energy.0.status 3 handle.1 4 energy.1 1000 energy.2 1000");
  GpuEnergy gpus(AGENTIC_NVML_FIXTURE);
  set("count 3 energy.0 9000 energy.1 9000 energy.2 1500");
  EXPECT_EQ(gpus.joules(), 0.5);
}

TEST_F(GpuCounters, ThatBeginAgainAddNothingForThatTime) {
  set("count 2 energy.0 5000 energy.1 0");
  GpuEnergy gpus(AGENTIC_NVML_FIXTURE);
  set("count 2 energy.0 100 energy.1 250"); // the driver was loaded again
  EXPECT_EQ(gpus.joules(), 0.25);
  set("count 2 energy.0 1100 energy.1 250");
  EXPECT_EQ(gpus.joules(), 1);
}

TEST_F(GpuCounters, ThatFailForAWhileAddNothingForThatTime) {
  set("count 1 energy.0 1000");
  GpuEnergy gpus(AGENTIC_NVML_FIXTURE);
  set("energy.0.status 15 energy.0 99000"); // it fell off the bus
  EXPECT_EQ(gpus.joules(), std::nullopt);
  set("energy.0 100000");
  EXPECT_EQ(gpus.joules(), std::nullopt) << "since when, nobody knows";
  set("energy.0 101000");
  EXPECT_EQ(gpus.joules(), 1);
}

TEST_F(GpuCounters, ThatCannotBeOpenedAreNone) {
  const auto canBeRead = [&](const char *text) {
    EXPECT_TRUE(writeFileAtomic(file(), text));
    GpuEnergy gpus(AGENTIC_NVML_FIXTURE);
    EXPECT_EQ(gpus.joules().has_value(), gpus.canBeRead());
    return gpus.canBeRead();
  };
  EXPECT_TRUE(canBeRead("count 1"));
  EXPECT_FALSE(canBeRead("count 0"));
  EXPECT_FALSE(canBeRead("count 1 count.status 9"));
  EXPECT_FALSE(canBeRead("count 4000000000"));
  EXPECT_FALSE(canBeRead("count 1 handle.0 4"));
  EXPECT_FALSE(canBeRead("count 1 energy.0.status 3"));
  EXPECT_TRUE(canBeRead("count 1 shutdown 999"));
  initFails_ = true; // so it is not shut down either
  const std::string before = readFile(file() + ".calls").value_or("");
  std::string each;
  for (int i = 0; i < 7; ++i)
    each += "init\nshutdown\n";
  EXPECT_EQ(before, each);
  EXPECT_FALSE(canBeRead("init 9 count 1"));
  EXPECT_EQ(readFile(file() + ".calls").value_or(""), before + "init\n");
}

TEST_F(GpuCounters, OfALibraryThatIsNoneOrOlderAreNone) {
  set("count 1");
  ASSERT_TRUE(writeFileAtomic(file() + ".so", "no library"));
  for (const std::string &library : {std::string(AGENTIC_NVML_OLD_FIXTURE), file() + ".so", file() + ".missing",
                                     std::string("/"), std::string("libagentic-none.so.1"), std::string()}) {
    GpuEnergy gpus(library);
    EXPECT_FALSE(gpus.canBeRead()) << library;
    EXPECT_EQ(gpus.joules(), std::nullopt) << library;
  }
  EXPECT_FALSE(isOpened());
}

class GpuRun : public GpuCounters {
protected:
  void prepare() {
    run_.settings.isLocal = true;
    run_.settings.prices = pricesOf({.isLocal = true});
    run_.settings.config.usdPerKwh = 0.25;
    run_.settings.config.allowUnknownPrice = true;
    run_.settings.energy = sources();
    run_.script->answers = {[this](const ChatRequest &) {
      set("count 1 energy.0 7200000"); // 7.2 kJ
      return testing_support::replyOf("nothing");
    }};
    set("count 1");
  }
  testing_support::ScriptedRun run_;
};

TEST_F(GpuRun, OfALocalModelCostsWhatTheyDraw) {
  prepare();
  const auto agent = run_.agent();
  ASSERT_TRUE(agent->propose(run_.state));
  EXPECT_EQ(agent->totals().wattHours, 2);
  EXPECT_EQ(agent->totals().usd, 0.0005);
}

TEST_F(GpuRun, WhoseWattsAreGivenOrThatIsElsewhereLeavesTheDriverAlone) {
  prepare();
  run_.settings.config.watts = 100;
  ASSERT_TRUE(run_.agent());
  run_.settings.config.watts = 0;
  run_.settings.isLocal = false;
  ASSERT_TRUE(run_.agent());
  EXPECT_FALSE(isOpened());
}

TEST_F(GpuRun, ThatIsReplayedLeavesTheDriverAlone) {
  prepare();
  const std::string recording = file() + ".jsonl";
  auto recorder = Recorder::open(recording, "scripted", {});
  ASSERT_TRUE(recorder && recorder->add({}, testing_support::replyOf("nothing")));
  auto replay = makeReplayModel("replay:" + recording);
  ASSERT_TRUE(replay) << replay.error().message;
  ASSERT_TRUE(LlmAgent::create(std::move(*replay), run_.settings));
  EXPECT_FALSE(isOpened());
}

} // namespace
} // namespace agentic
