// Compares calls where they are made: a real program, forked by the preloaded recorder, and candidates of its kernel.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/build/glue.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/differential/memory_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace agentic {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

GlueDescription description() {
  GlueDescription kernel;
  for (const char *name : {"in", "out", "rows", "list", "factor"}) {
    kernel.parameters.emplace_back();
    kernel.parameters.back().name = name;
  }
  kernel.parameters.back().kind = kernel.result.kind = GlueParameter::Kind::Scalar;
  kernel.result.element = GlueParameter::Element::Floating;
  kernel.result.size = 8;
  return kernel;
}

class InProcessTest : public testing::Test {
protected:
  void compare(const std::string &scene, const std::string &candidate, const Exactness &exactness = {}) {
    auto scratch = ScratchDirectory::create("/tmp", "agentic-in-process-");
    ASSERT_TRUE(scratch);
    const std::string file = scratch->path() / "calls";
    const Result<std::string> recorder = helperFile(kRecorderLibrary);
    ASSERT_TRUE(recorder) << recorder.error().message;
    ProcessSpec spec;
    spec.argv = {COMPARED_PROGRAM, scene};
    spec.environment =
        std::vector<std::string>{"LD_PRELOAD=" + *recorder, "AGENTIC_KERNEL_RECORD=" + file, "LD_BIND_NOW=1",
                                 "AGENTIC_KERNEL_COMPARE=" EVALUATE_PROGRAMS "/compared_" + candidate + ".so"};
    spec.timeoutSeconds = 600;
    const Result<ProcessResult> done = runProcess(spec);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->ok()) << done->describe() << done->err;
    output_ = done->out;
    Result<std::string> text = readFile(file);
    ASSERT_TRUE(text) << text.error().message;
    text_ = std::move(*text);
    Result<std::vector<ComparedCall>> calls = readComparisons(text_);
    ASSERT_TRUE(calls) << calls.error().message;
    calls_ = std::move(*calls);
    difference_.clear();
    for (const ComparedCall &call : calls_) {
      EXPECT_EQ(whyNotComparable(call), "");
      EXPECT_EQ(call.header.isPartial, scene == "large");
      if (difference_.empty())
        difference_ = differenceIn(call, description(), exactness);
    }
  }

  std::string text_, output_, difference_;
  std::vector<ComparedCall> calls_;
};

constexpr const char *kOutput = "before 3420\n";

TEST_F(InProcessTest, AnHonestCandidateThatAllocatesOtherwiseAgrees) {
  for (const char *scene : {"plain", "stack", "static", "threads"}) {
    compare(scene, "honest");
    EXPECT_EQ(difference_, "") << scene;
    EXPECT_THAT(calls_, SizeIs(3));
    EXPECT_EQ(output_, kOutput) << "the program goes on with the baseline, and prints once";
  }
}

TEST_F(InProcessTest, WhatIsLeftInMemoryIsCompared) {
  for (const char *scene : {"plain", "stack", "static", "threads"}) {
    compare(scene, "skips_last");
    EXPECT_THAT(difference_, HasSubstr("words differ")) << scene;
    EXPECT_EQ(output_, kOutput);
  }
  compare("plain", "skips_last");
  EXPECT_THAT(difference_, HasSubstr("memory that 'out' leads to: 1 of"));
  compare("plain", "changes_input");
  EXPECT_THAT(difference_, HasSubstr("memory that 'in' leads to: 1 of"));
  compare("plain", "changes_shape");
  EXPECT_THAT(difference_, HasSubstr("memory that 'out' leads to: 1 of"));
}

TEST_F(InProcessTest, WhatArgumentsLeadToComesBeforeAllOtherMemory) {
  compare("large", "honest");
  EXPECT_EQ(difference_, "");
  compare("large", "skips_last");
  EXPECT_THAT(difference_, HasSubstr("memory that 'out' leads to: 1 of"));
}

TEST_F(InProcessTest, MemoryAllocatedInTheCallIsComparedWhereverItLies) {
  compare("plain", "wrong_row");
  EXPECT_THAT(difference_, AllOf(HasSubstr("memory that 'rows' leads to: 1 of"), Not(HasSubstr("'out'"))));
  EXPECT_EQ(differenceIn(calls_.front(), description(), {}), difference_) << "rows that are new on both sides";
  EXPECT_NE(differenceIn(calls_.back(), description(), {}), "") << "rows that only the candidate allocates anew";
  compare("plain", "short_row");
  EXPECT_EQ(differenceIn(calls_.front(), description(), {}), difference_);
  EXPECT_THAT(difference_, HasSubstr("memory that 'rows' leads to: "));
}

TEST_F(InProcessTest, TheResultIsComparedByItsType) {
  compare("plain", "wrong_result");
  EXPECT_EQ(difference_, "'result' differs, by up to 0.5");
}

TEST_F(InProcessTest, FloatingPointNumbersMayDifferAsTheContractAllows) {
  compare("plain", "rounds", {Exactness::Kind::Reassociate, {}});
  EXPECT_EQ(difference_, "");
  for (const Exactness::Kind kind : {Exactness::Kind::Strict, Exactness::Kind::Bits}) {
    compare("plain", "rounds", {kind, {}});
    EXPECT_THAT(difference_, HasSubstr("memory that 'out' leads to"));
  }
  compare("plain", "rounds", {Exactness::Kind::Declared, {Tolerance::Kind::Relative, 1e-8}});
  EXPECT_THAT(difference_, HasSubstr("memory that 'out' leads to"));
}

TEST_F(InProcessTest, AnotherEndIsADifferenceAndTheProgramGoesOn) {
  compare("plain", "dies");
  EXPECT_EQ(difference_, "it dies of signal 11 where the baseline does not");
  EXPECT_THAT(calls_, SizeIs(1)) << "enough is known";
  EXPECT_EQ(output_, kOutput);
  compare("plain", "throws");
  EXPECT_EQ(difference_, "it throws an exception where the baseline returns");
  compare("plain", "ends");
  EXPECT_EQ(difference_, "it ends the process where the baseline does not");
  EXPECT_EQ(output_, kOutput);
  compare("throws", "honest");
  EXPECT_EQ(difference_, "it returns where the baseline throws an exception");
  EXPECT_EQ(output_, "before 3268\n") << "it is thrown to the program, too";
}

TEST_F(InProcessTest, WhatHangsIsEnded) {
  compare("plain", "hangs");
  EXPECT_EQ(difference_, "it takes far longer than the baseline");
  EXPECT_EQ(output_, kOutput);
}

TEST_F(InProcessTest, WhatItsOwnLibraryKeepsIsADifference) {
  compare("plain", "counts");
  EXPECT_EQ(difference_, "it changes static memory of its own library, which outlives the call");
  EXPECT_EQ(output_, kOutput);
}

TEST_F(InProcessTest, ACandidateWritesNothingOfTheProgram) {
  compare("plain", "talks");
  EXPECT_EQ(output_, kOutput);
}

TEST_F(InProcessTest, WhatDiffersByItselfIsNotCompared) {
  compare("clock", "honest");
  EXPECT_EQ(difference_, "");
  compare("clock", "skips_last");
  EXPECT_THAT(difference_, HasSubstr("memory that 'out' leads to: 1 of"));
}

TEST_F(InProcessTest, CallsAreSampled) {
  compare("many", "honest");
  EXPECT_EQ(difference_, "");
  EXPECT_GE(calls_.size(), 8u);
  EXPECT_LE(calls_.size(), 32u);
  EXPECT_GT(calls_.back().header.sequence, 20u);
}

TEST_F(InProcessTest, TheFirstCallsAreComparedWhateverTheirShape) {
  compare("same", "honest");
  EXPECT_EQ(difference_, "");
  EXPECT_GE(calls_.size(), 8u);
}

TEST_F(InProcessTest, AProgramThatMayNotForkGoesOnAndSaysSo) {
  const Sandbox sandbox = Sandbox::probe();
  if (!sandbox.confines())
    GTEST_SKIP() << "no sandbox works here that could forbid it: " << sandbox.warning();
  auto scratch = ScratchDirectory::create("/tmp", "agentic-in-process-");
  ASSERT_TRUE(scratch);
  const std::string file = scratch->path() / "calls", candidate = EVALUATE_PROGRAMS "/compared_honest.so";
  const Result<std::string> recorder = helperFile(kRecorderLibrary);
  ASSERT_TRUE(recorder) << recorder.error().message;
  ProcessSpec spec;
  spec.argv = {COMPARED_PROGRAM, "alone"};
  spec.environment = std::vector<std::string>{"LD_PRELOAD=" + *recorder, "AGENTIC_KERNEL_RECORD=" + file,
                                              "AGENTIC_KERNEL_COMPARE=" + candidate};
  Sandbox::View view;
  view.readOnly = {COMPARED_PROGRAM, *recorder, candidate};
  view.writable = {scratch->path()};
  view.tasks = Tasks::None;
  const Result<ProcessResult> done = sandbox.run(std::move(spec), view);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->out, kOutput) << done->describe() << done->err;
  const Result<std::string> text = readFile(file);
  ASSERT_TRUE(text);
  const auto calls = readComparisons(*text);
  ASSERT_TRUE(calls) << calls.error().message;
  ASSERT_THAT(*calls, SizeIs(1));
  EXPECT_EQ(whyNotComparable((*calls)[0]), "the program cannot be forked there");
}

TEST_F(InProcessTest, NoBytesAreReadThatAreNotThere) {
  compare("plain", "wrong_row");
  std::mt19937 random(7);
  std::size_t read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = text_;
    for (unsigned i = 0; i < 1 + random() % 6; ++i)
      text[8 + random() % (text.size() - 8)] = static_cast<char>(random() % 4 ? random() % 256 : 0xff);
    text.resize(random() % 3 ? text.size() : random() % (text.size() + 1));
    if (const auto calls = readComparisons(text))
      for (const ComparedCall &call : *calls) {
        ++read;
        (void)whyNotComparable(call);
        (void)differenceIn(call, description(), {}); // the sanitizers watch
      }
  }
  EXPECT_GT(read, 0u);
  EXPECT_FALSE(readComparisons("AKCALLS1........"));
}

} // namespace
} // namespace agentic
