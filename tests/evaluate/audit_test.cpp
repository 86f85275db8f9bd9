// Audits calls of a program that runs with a candidate: a real program, the preloaded recorder, and candidates that
// look for their own earlier results.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/build/glue.h"
#include "tool/evaluate/differential/memory_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

GlueDescription description() {
  GlueDescription kernel;
  for (const char *name : {"in", "out", "n"}) {
    GlueParameter &parameter = kernel.parameters.emplace_back();
    parameter.name = name;
    parameter.kind = GlueParameter::Kind::Pointer;
    parameter.element = GlueParameter::Element::Floating;
    parameter.size = 8;
    parameter.elementSize = 4;
  }
  kernel.parameters.back().kind = GlueParameter::Kind::Scalar;
  kernel.parameters.back().element = GlueParameter::Element::Signed;
  kernel.parameters.back().elementSize = 0;
  return kernel;
}

class AuditTest : public testing::Test {
protected:
  void audit(const std::string &candidate, int calls, const std::string &scene = "plain") {
    auto scratch = ScratchDirectory::create("/tmp", "agentic-audit-");
    ASSERT_TRUE(scratch);
    const std::string file = scratch->path() / "calls";
    const Result<std::string> recorder = helperFile(kRecorderLibrary);
    ASSERT_TRUE(recorder) << recorder.error().message;
    ProcessSpec spec;
    spec.argv = {AUDITED_PROGRAM, std::to_string(calls), scene};
    spec.environment = std::vector<std::string>{
        "LD_PRELOAD=" + *recorder, "AGENTIC_KERNEL_RECORD=" + file, "LD_BIND_NOW=1", "AGENTIC_KERNEL_AUDIT=1",
        "AGENTIC_KERNEL_COMPARE=" EVALUATE_PROGRAMS "/audited_" + candidate + ".so"};
    spec.timeoutSeconds = 600;
    const Result<ProcessResult> done = runProcess(spec);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->ok()) << done->describe() << done->err;
    EXPECT_EQ(done->out, "candidate, inputs kept\n") << "the program goes on with the candidate, on its own memory";
    const Result<std::string> text = readFile(file);
    ASSERT_TRUE(text) << text.error().message;
    const Result<std::vector<ComparedCall>> audited = readComparisons(*text);
    ASSERT_TRUE(audited) << audited.error().message;
    for (const ComparedCall &call : *audited) {
      EXPECT_EQ(whyNotComparable(call), "");
      calls_.push_back(call.header);
      const std::string difference =
          differenceIn(call, description(), {Exactness::Kind::Declared, {Tolerance::Kind::Absolute, 1e-3}});
      (call.header.changed > 0       ? ofChanged_
       : call.header.overwritten > 0 ? ofOverwritten_
                                     : ofUnchanged_) += difference;
    }
  }
  long changed() const {
    return std::ranges::count_if(calls_, [](const wire::Comparison &call) { return call.changed > 0; });
  }

  long overwritten(bool isAll) const {
    return std::ranges::count_if(calls_, [&](const wire::Comparison &call) {
      return call.overwritten > 0 && (call.overwritten == kBytes) == isAll;
    });
  }

  static constexpr std::uint32_t kBytes = 80000; ///< of the outputs
  std::vector<wire::Comparison> calls_;
  /// The differences of calls with changed inputs, with overwritten outputs, and of all others.
  std::string ofChanged_, ofOverwritten_, ofUnchanged_;
};

TEST_F(AuditTest, AnHonestCandidateAgreesAndEarlyAndLateCallsAreAudited) {
  audit("honest", 2000);
  EXPECT_EQ(ofChanged_ + ofOverwritten_ + ofUnchanged_, "");
  EXPECT_GE(changed(), 2);
  EXPECT_EQ(overwritten(false), 1) << "a few pieces";
  EXPECT_EQ(overwritten(true), 1);
  EXPECT_LE(calls_.size(), 26u);
  ASSERT_THAT(calls_, Not(IsEmpty()));
  EXPECT_THAT(calls_.front().sequence, testing::AllOf(testing::Ge(1u), testing::Le(2u)));
  EXPECT_GT(calls_.back().sequence, 2u);
}

TEST_F(AuditTest, WhatSkipsTheWorkWhereItFindsItsOwnResultsIsWrongOnChangedInputs) {
  audit("recognises", 500);
  EXPECT_EQ(ofUnchanged_, "") << "its results are right as long as nothing changes";
  EXPECT_THAT(ofChanged_, HasSubstr("elements of 'out' differ"));
}

TEST_F(AuditTest, WhatLooksAtAFewOfItsResultsIsWrongWhereOthersWereOverwritten) {
  // The overwritten pieces are drawn: in 1.3 % of all runs (8 pieces of 16 bytes, 7 spots, 80,000 bytes) one lies where
  // it looks.
  for (int i = 0; i < 4; ++i)
    audit("spots", 10, "constant");
  EXPECT_EQ(ofChanged_ + ofUnchanged_, "");
  EXPECT_THAT(ofOverwritten_, HasSubstr("elements of 'out' differ"));
}

TEST_F(AuditTest, WhatIsWrongInTheProgramAloneIsFoundWithoutAChange) {
  audit("wrong", 10);
  EXPECT_THAT(ofUnchanged_, HasSubstr("elements of 'out' differ"));
}

TEST_F(AuditTest, InputsThatNobodyMayWriteStayAndTheCallIsAuditedAsItIs) {
  audit("honest", 500, "constant");
  EXPECT_EQ(ofUnchanged_, "");
  EXPECT_EQ(changed(), 0);
  ASSERT_THAT(calls_, Not(IsEmpty()));
  EXPECT_GT(calls_.back().sequence, 2u) << "the next ones are audited, too";
}

TEST_F(AuditTest, CallsOfSeveralThreadsGoOnWithTheCandidate) {
  audit("honest", 500, "threads");
  EXPECT_EQ(ofChanged_ + ofUnchanged_, "");
  audit("recognises", 500, "threads");
  EXPECT_THAT(ofChanged_, HasSubstr("elements of 'out' differ"));
}

} // namespace
} // namespace agentic
