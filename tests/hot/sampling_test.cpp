// The sampler in real programs: what it must stand, and that it disturbs nothing. Whether a sample comes hangs on no
// speed: the programs work for 0.15 s of CPU time, which is 15 ticks of the slowest clock that Linux has.
#include "tests/emulated.h"
#include "tool/base/files.h"
#include "tool/hot/sampling.h"
#include "tool/source/symbols/symbolizer.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::HasSubstr;

class Sampling : public testing::Test {
protected:
  SampledRun sample(std::vector<std::string> argv) {
    Result<SampledRun> run = sampleProgram({.program = {.argv = std::move(argv), .workingDirectory = {}},
                                            .sampler = HOT_SAMPLER,
                                            .preload = "",
                                            .folder = folder_.path().string(),
                                            .cancelled = nullptr});
    EXPECT_TRUE(run) << run.error().message;
    EXPECT_TRUE(fs::is_empty(folder_.path())) << "it leaves nothing";
    return run ? std::move(*run) : SampledRun{};
  }

  /// The share of the samples that are in spin(), or in the clock that it asks.
  static double shareOfSpin(const SampledRun &run) {
    Symbolizer symbolizer;
    double all = 0, spin = 0;
    for (const ProcessSamples &process : run.samples)
      for (const auto &[place, count] : process.places) {
        all += double(count);
        for (const SymbolFrame &frame : symbolizer.framesAt(place.first, place.second))
          spin += frame.name.find("spin(double)") != std::string::npos ? double(count) : 0;
      }
    return all > 0 ? spin / all : 0;
  }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-hot-"));
};

class SampledWay : public Sampling, public testing::WithParamInterface<const char *> {};

TEST_P(SampledWay, IsSampledAndEndsAsItWould) {
  SKIP_UNDER_QEMU_USER("it has no timers on a thread's clock");
  const SampledRun run = sample({HOT_PROGRAM, GetParam()});
  const bool aborts = std::string_view(GetParam()) == "abort";
  EXPECT_EQ(run.process.end, aborts ? ProcessResult::End::Signalled : ProcessResult::End::Exited)
      << run.process.describe();
  EXPECT_EQ(run.process.code, aborts ? SIGABRT : 0);
  EXPECT_GT(shareOfSpin(run), 0.5);
  EXPECT_EQ(run.samples.size(), std::string_view(GetParam()) == "exec" ? 2u : 1u);
  for (const ProcessSamples &samples : run.samples) {
    EXPECT_FALSE(samples.endedEarly);
    EXPECT_FALSE(samples.lacksTimers);
    EXPECT_EQ(samples.program, HOT_PROGRAM);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, SampledWay,
                         testing::Values("plain", "threads", "loads", "fork", "exec", "abort", "defaults", "profiles"),
                         [](const auto &info) { return std::string(info.param); });

TEST_F(Sampling, EndsWhereTheProgramHandlesTheSignalItself) {
  SKIP_UNDER_QEMU_USER("it has no timers on a thread's clock");
  const SampledRun run = sample({HOT_PROGRAM, "takes"});
  EXPECT_TRUE(run.process.ok()) << run.process.describe() << ": a tick reached the program's own handler";
  ASSERT_EQ(run.samples.size(), 1u);
  EXPECT_TRUE(run.samples[0].endedEarly);
}

TEST_F(Sampling, OfAStaticProgramIsEmpty) {
  const SampledRun run = sample({HOT_STATIC});
  EXPECT_TRUE(run.process.ok());
  EXPECT_TRUE(run.samples.empty());
}

TEST_F(Sampling, SaysThatAProgramIsMissing) {
  const Result<SampledRun> run = sampleProgram({.program = {.argv = {"/no/such/program"}, .workingDirectory = {}},
                                                .sampler = HOT_SAMPLER,
                                                .folder = folder_.path().string()});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("/no/such/program"));
}

} // namespace
} // namespace agentic
