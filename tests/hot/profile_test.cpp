// Shares, inlined functions and gains, from samples and names that the test makes up.
#include "tool/hot/judgement.h"
#include "tool/hot/profile.h"

#include <cmath>
#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SymbolFrame frame(const std::string &name, const std::string &file = {}, unsigned line = 0) {
  return {.linkageName = name, .name = name, .file = file, .line = line};
}

/// Offset 1: in sum(), which is inlined in run(). 2: in run() itself. 3: in a header of others, inlined in sum(),
/// inlined in run(). 4: in a copy of sum() that is called, of which the symbol is known, too. 5: a library without
/// names.
std::vector<SymbolFrame> framesAt(const std::string &file, std::uint64_t offset) {
  const SymbolFrame sum = frame("sum", "/p/sum.cpp", 3), run = frame("_Z3runv", "/p/run.cpp", 9),
                    other = frame("max", "/usr/include/max.h", 5);
  if (file != "/b/app")
    return {};
  switch (offset) {
  case 1:
    return {sum, run};
  case 2:
    return {run};
  case 3:
    return {other, sum, run};
  case 4:
    return {frame("_Z3sumv", "/p/sum.cpp", 3)};
  default:
    return {};
  }
}

bool isProjectFile(const std::string &file) {
  return file.starts_with("/p/");
}

ProcessSamples samples(std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> places,
                       std::uint64_t notKept = 0) {
  ProcessSamples result;
  for (const auto &[place, count] : places)
    result.kept += count;
  result.taken = result.kept + notKept;
  result.places = std::move(places);
  return result;
}

const HotFunction *named(const Profile &profile, const std::string &name) {
  for (const HotFunction &function : profile.functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

TEST(Profile, CountsInlinedCodeForBoth) {
  const Profile profile = profileOf(
      {samples({{{"/b/app", 1}, 60}, {{"/b/app", 2}, 10}, {{"/b/app", 3}, 10}}), samples({{{"/lib/x.so", 7}, 20}})},
      framesAt, isProjectFile);
  EXPECT_EQ(profile.samples, 100);
  ASSERT_EQ(profile.functions.size(), 3u);
  const HotFunction *run = named(profile, "_Z3runv"), *sum = named(profile, "sum"), *library = named(profile, "");
  ASSERT_TRUE(run && sum && library);
  EXPECT_DOUBLE_EQ(run->share, 0.8);
  EXPECT_DOUBLE_EQ(run->own, 10);
  EXPECT_EQ(run->holder, "");
  EXPECT_DOUBLE_EQ(sum->share, 0.7) << "what is of others counts for what holds it";
  EXPECT_EQ(sum->holder, "_Z3runv");
  EXPECT_EQ(sum->line, 3u);
  EXPECT_EQ(library->module, "/lib/x.so");
  EXPECT_EQ(&profile.functions.front(), run);
  EXPECT_EQ(&profile.functions.back(), library);
}

TEST(Profile, PutsWhatDoesTheWorkBeforeWhatHoldsIt) {
  const Profile profile = profileOf({samples({{{"/b/app", 1}, 60}})}, framesAt, isProjectFile);
  ASSERT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(profile.functions[0].name, "sum");
  EXPECT_EQ(profile.functions[1].name, "_Z3runv");
  EXPECT_EQ(profile.functions[1].share, 1);
}

TEST(Profile, KnowsInlinedAndCalledCopiesOfAFunctionAsOne) {
  const Profile profile = profileOf({samples({{{"/b/app", 1}, 1}, {{"/b/app", 4}, 2}})}, framesAt, isProjectFile);
  const HotFunction *sum = named(profile, "_Z3sumv");
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->samples, 3);
  EXPECT_EQ(sum->holder, "") << "it has code of its own";
  EXPECT_EQ(profile.functions.size(), 2u);
}

TEST(Profile, WeighsAProcessByAllThatWasTaken) {
  const Profile profile =
      profileOf({samples({{{"/b/app", 2}, 10}}, 20), samples({{{"/lib/x.so", 7}, 10}})}, framesAt, isProjectFile);
  EXPECT_DOUBLE_EQ(profile.samples, 40);
  EXPECT_DOUBLE_EQ(named(profile, "_Z3runv")->share, 0.75);
}

TEST(Profile, OfNothingIsEmpty) {
  EXPECT_THAT(profileOf({}, framesAt, isProjectFile).functions, IsEmpty());
  EXPECT_THAT(profileOf({samples({})}, framesAt, isProjectFile).functions, IsEmpty());
}

TEST(BestGain, IsAmdahls) {
  EXPECT_DOUBLE_EQ(bestGain(0), 1);
  EXPECT_DOUBLE_EQ(bestGain(0.5), 2);
  EXPECT_DOUBLE_EQ(bestGain(0.75), 4);
  EXPECT_TRUE(std::isinf(bestGain(1)));
  EXPECT_DOUBLE_EQ(bestGain(-0.1), 1);
  EXPECT_EQ(bestGainText(0.2), "1.25x");
  EXPECT_EQ(bestGainText(0.99), "100.00x");
  EXPECT_EQ(bestGainText(1), "more than 100x");
}

TEST(KernelName, IsOneThatCMakeTakes) {
  EXPECT_EQ(kernelNameOf("ns::Sum2D"), "sum2d");
  EXPECT_EQ(kernelNameOf("columnSums"), "column_sums");
  EXPECT_EQ(kernelNameOf("XXH32_round"), "xxh32_round");
  EXPECT_EQ(kernelNameOf("_dot_4"), "hot_dot_4");
  EXPECT_EQ(kernelNameOf("a::operator+"), "operator");
  EXPECT_EQ(kernelNameOf(""), "hot");
}

TEST(ShortName, IsWithoutTypes) {
  EXPECT_EQ(shortNameOf("ns::sum(float const*, int)"), "ns::sum");
  EXPECT_EQ(shortNameOf("std::pair<unsigned char const*, long> ns::f<char*>(long, std::less<int>)"), "ns::f");
  EXPECT_EQ(shortNameOf("ns::(anonymous namespace)::g(int)"), "ns::(anonymous namespace)::g");
  EXPECT_EQ(shortNameOf("void f<(anonymous namespace)::T>(int)::{lambda()#1}::operator()() const"), "f");
  EXPECT_EQ(shortNameOf("ns::S::operator()(int) const"), "ns::S::operator()");
  EXPECT_EQ(shortNameOf("ns::operator<(ns::S, ns::S)"), "ns::operator<");
  EXPECT_EQ(shortNameOf("main"), "main");
  EXPECT_EQ(shortNameOf(""), "");
  EXPECT_EQ(shortNameOf("<<<"), "<<<");
}

TEST(CloneSuffix, IsLeftOut) {
  EXPECT_EQ(withoutCloneSuffix("f.constprop.1.isra.0"), "f");
  EXPECT_EQ(withoutCloneSuffix("_Z1fv"), "_Z1fv");
  EXPECT_EQ(withoutCloneSuffix(".annobin"), ".annobin");
}

} // namespace
} // namespace agentic
