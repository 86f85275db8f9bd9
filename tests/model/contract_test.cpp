#include "tool/model/contract.h"

#include "tool/model/kernel_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;

KernelSpec withFlags(std::vector<std::string> flags) {
  KernelSpec spec;
  spec.parseArguments = std::move(flags);
  return spec;
}

TEST(Contract, WithoutOneTheProjectsFlagsDecide) {
  const std::vector<std::vector<std::string>> permitted = {
      {"-O3", "-ffast-math"},
      {"-Ofast"},
      {"-O2", "-Ofast"},
      {"-funsafe-math-optimizations"},
      {"-fno-fast-math", "-ffast-math"},
      {"-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"},
      {"-fno-associative-math", "-ffast-math"},
      {"-ffast-math", "-O1"}};
  for (const auto &flags : permitted)
    EXPECT_TRUE(mayReassociate(withFlags(flags))) << testing::PrintToString(flags);
  const std::vector<std::vector<std::string>> refused = {{},
                                                         {"-O3", "-march=native"},
                                                         {"-ffast-math", "-fno-fast-math"},
                                                         {"-ffast-math", "-fno-associative-math"},
                                                         {"-ffast-math", "-fno-unsafe-math-optimizations"},
                                                         {"-ffast-math", "-fsigned-zeros"},
                                                         {"-ffast-math", "-ftrapping-math"},
                                                         {"-Ofast", "-O3"},
                                                         {"-Ofast", "-fno-fast-math"},
                                                         {"-fno-fast-math", "-Ofast"},
                                                         {"-ffinite-math-only"},
                                                         {"-fassociative-math"}};
  for (const auto &flags : refused)
    EXPECT_FALSE(mayReassociate(withFlags(flags))) << testing::PrintToString(flags);
}

TEST(Contract, AToleranceOrAPolicyDecidesFirst) {
  KernelSpec spec;
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5};
  EXPECT_TRUE(mayReassociate(spec));
  spec.contract.floatingPoint = FloatingPoint::Strict;
  EXPECT_FALSE(mayReassociate(spec));
  spec.contract.floatingPoint = FloatingPoint::Contract;
  EXPECT_FALSE(mayReassociate(spec));
  spec.contract.tolerance.reset();
  spec.contract.floatingPoint = FloatingPoint::Reassociate;
  EXPECT_TRUE(mayReassociate(spec));

  KernelSpec exact = withFlags({"-ffast-math"});
  exact.contract.tolerance = Tolerance{Tolerance::Kind::Ulp, 0};
  EXPECT_FALSE(mayReassociate(exact)) << "equality is asked for";
  exact.contract.tolerance.reset();
  exact.contract.floatingPoint = FloatingPoint::Strict;
  EXPECT_FALSE(mayReassociate(exact)) << "the contract is stricter than the flags";
}

TEST(Contract, SpecialValuesCountUnlessSomebodyTakesThemOut) {
  EXPECT_TRUE(hasSpecialValues({}));
  EXPECT_TRUE(hasSpecialValues(withFlags({"-O3", "-ffast-math", "-fno-finite-math-only"})));
  EXPECT_TRUE(hasSpecialValues(withFlags({"-Ofast", "-O2"})));
  for (const char *flag : {"-ffast-math", "-Ofast", "-ffinite-math-only"})
    EXPECT_FALSE(hasSpecialValues(withFlags({"-O1", flag}))) << flag;
  KernelSpec spec;
  spec.contract.isFinite = true;
  EXPECT_FALSE(hasSpecialValues(spec));
  KernelSpec wanted = withFlags({"-ffast-math"});
  wanted.contract.specialValues = true;
  EXPECT_TRUE(hasSpecialValues(wanted));
}

TEST(Contract, ContractionIsPermittedUnlessItIsForbidden) {
  EXPECT_TRUE(mayContract({}));
  EXPECT_FALSE(mayContract(withFlags({"-ffp-contract=fast", "-ffp-contract=off"})));
  KernelSpec spec = withFlags({"-ffp-contract=off"});
  spec.contract.floatingPoint = FloatingPoint::Contract;
  EXPECT_TRUE(mayContract(spec));
  spec.contract.floatingPoint = FloatingPoint::Strict;
  EXPECT_FALSE(mayContract(spec));
}

TEST(Contract, AStrictKernelIsToldWhatWouldPermitMore) {
  KernelSpec spec;
  spec.canonicalType = "void (const float *, unsigned long)";
  EXPECT_THAT(strictness(spec), testing::HasSubstr("AGENTIC_TOLERANCE(relative 1e-5)"));
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5};
  EXPECT_EQ(strictness(spec), "");
  spec.contract.tolerance.reset();
  spec.contract.floatingPoint = FloatingPoint::Reassociate;
  EXPECT_EQ(strictness(spec), "");
  spec.contract.floatingPoint = FloatingPoint::Unspecified;
  spec.canonicalType = "int (const unsigned char *, unsigned long)";
  EXPECT_EQ(strictness(spec), "") << "integers are always compared bit for bit";
}

TEST(Contract, AliasesInEitherOrder) {
  Contract contract;
  contract.mayAlias = {{"a", "b"}};
  EXPECT_TRUE(mayAlias(contract, "a", "b"));
  EXPECT_TRUE(mayAlias(contract, "b", "a"));
  EXPECT_TRUE(mayAlias(contract, "c", "c"));
  EXPECT_FALSE(mayAlias(contract, "a", "c"));
}

TEST(Contract, AssumptionsOfAVariant) {
  KernelSpec spec;
  spec.parameters = {{"n", "int", "int"}, {"a", "const float *", "const float *"}};
  EXPECT_THAT(assumptionsOf(spec), ElementsAre());
  spec.parameters.push_back({"b", "float *", "float *"});
  EXPECT_THAT(assumptionsOf(spec), ElementsAre("pointer arguments do not overlap"));
  spec.overlaps = {{"a", "b"}};
  EXPECT_THAT(assumptionsOf(spec), ElementsAre());
  spec.contract.mayAlias = {{"b", "a"}};
  EXPECT_THAT(assumptionsOf(spec), ElementsAre());
  EXPECT_EQ(contractWithOverlaps(spec).mayAlias.size(), 1u);
  spec.parameters.push_back({"c", "std::span<float>", "std::span<float>"});
  spec.contract.requirements = {"n % 8 == 0"};
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Absolute, 0.01};
  spec.contract.floatingPoint = FloatingPoint::Reassociate;
  EXPECT_THAT(assumptionsOf(spec),
              ElementsAre("pointer arguments do not overlap, except for a and b", "n % 8 == 0",
                          "results within absolute 0.01 of the original's", "floating-point operations in any order"));
  spec.parameters.push_back({"", "float *", "float *"});
  spec.parameters.push_back({"", "float *", "float *"});
  EXPECT_EQ(assumptionsOf(spec).front(), "pointer arguments do not overlap, except for a and b");
}

TEST(Contract, ThreadsThatCall) {
  KernelSpec spec;
  EXPECT_EQ(callersText(spec.callers), "");
  spec.callers = together({1, false}, {0, false});
  EXPECT_EQ(callersText(spec.callers), "calls come from one thread");
  EXPECT_THAT(assumptionsOf(spec), ElementsAre());
  spec.callers = together({3, false}, spec.callers);
  EXPECT_EQ(callersText(spec.callers),
            "calls come from several threads, one at a time as far as seen (3 in one program)");
  EXPECT_THAT(assumptionsOf(spec), ElementsAre("calls may run side by side on several threads")) << "to be safe";
  spec.callers = together(spec.callers, {2, true});
  EXPECT_EQ(callersText(spec.callers), "calls run side by side on several threads (3 in one program)");
}

TEST(Contract, LinesSayEverything) {
  Contract contract;
  EXPECT_THAT(contractLines(contract), ElementsAre());
  contract.extents = {{"A", Direction::In, "M * K"}, {"C", Direction::InOut, "M"}};
  contract.requirements = {"K % 32 == 0"};
  contract.mayAlias = {{"A", "C"}};
  contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5};
  contract.floatingPoint = FloatingPoint::Strict;
  contract.specialValues = true;
  EXPECT_THAT(contractLines(contract),
              ElementsAre("in A[M * K]", "inout C[M]", "requires K % 32 == 0", "A and C may overlap",
                          "tolerance relative 1e-05", "floating point strict",
                          "NaN, infinities and -0 as in the baseline"));
  EXPECT_EQ(extentOf(contract, "C")->text, "M");
  EXPECT_EQ(extentOf(contract, "M"), nullptr);
  EXPECT_EQ(toleranceText({Tolerance::Kind::Absolute, 0.01}), "absolute 0.01");
  EXPECT_EQ(toleranceText({Tolerance::Kind::Ulp, 4}), "ulp 4");
}

TEST(Contract, FiniteIsSaidToWhoReadsTheVariant) {
  KernelSpec spec;
  spec.contract.isFinite = true;
  const std::string line = "no argument holds a NaN, an infinity, a denormal or a -0";
  EXPECT_THAT(contractLines(spec.contract), ElementsAre(line));
  EXPECT_THAT(assumptionsOf(spec), ElementsAre(line));
}

TEST(RequiredMultiples, AreThoseOfRemaindersThatAreZero) {
  Contract contract;
  contract.requirements = {"K % 32 == 0 && M > 0", "N % 8 == 0", "N % 16 == 0", "L % 4 == 1", "J == 0 || J % 2 == 0"};
  const std::map<std::string, std::int64_t> expected = {{"K", 32}, {"N", 16}};
  EXPECT_EQ(requiredMultiples(contract), expected);
}

} // namespace
} // namespace agentic
