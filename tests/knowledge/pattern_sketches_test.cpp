// The sketches of the patterns: they keep the rules of candidates, both compilers accept them for their levels without
// a warning, and `after` does what `before` does, on random data.
#include "ast-checks/checks.h"
#include "tests/knowledge/sketch_program.h"
#include "tool/base/text.h"

#include <algorithm>
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <thread>

namespace agentic::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Most sketches are of no level: so many make a program, which two of them compile at once.
constexpr std::size_t kMostOfAProgram = 60;

struct Part {
  std::string level;
  std::string compiler;
  std::vector<PatternText> patterns;
  SketchCompiler with;
  SketchOutcome outcome;

  std::string name() const {
    return level + " by " + compiler + ", " + patterns.front().name + " to " + patterns.back().name;
  }
};

std::vector<Part> parts() {
  std::map<std::string, std::vector<std::vector<PatternText>>> groups;
  for (const PatternText &pattern : shippedPatterns()) {
    auto &ofLevel = groups[pattern.field("level")];
    if (ofLevel.empty() || ofLevel.back().size() >= kMostOfAProgram)
      ofLevel.emplace_back();
    ofLevel.back().push_back(pattern);
  }
  std::vector<Part> parts;
  for (const auto &[level, ofLevel] : groups)
    for (const std::vector<PatternText> &patterns : ofLevel)
      for (const char *compiler : {"clang++-19", "g++"})
        parts.push_back({level, compiler, patterns, sketchCompiler(compiler, findLevel(level)), {}});
  std::ranges::sort(parts, std::greater(), [](const Part &part) { return part.patterns.size(); });
  return parts;
}

TEST(PatternSketches, DoWhatTheySayByBothCompilers) {
  std::vector<Part> all = parts();
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < all.size();)
      if (!all[i].with.command.empty())
        all[i].outcome = compileAndRun(programOf(all[i].patterns), all[i].with);
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1U, 4U); ++i)
      workers.emplace_back(work);
  }
  std::size_t compared = 0;
  for (const Part &part : all) {
    if (part.with.command.empty()) {
      std::printf("not compiled: %s (%s)\n", part.name().c_str(), part.with.whyNot.c_str());
      continue;
    }
    EXPECT_TRUE(part.outcome.isRight) << part.name() << "\n" << part.outcome.output;
    EXPECT_EQ(part.outcome.hasRun, part.with.canRun && part.outcome.isRight) << part.name();
    if (part.with.canRun)
      compared += part.patterns.size();
    else
      std::printf("compiled, not run: %s (%s)\n", part.name().c_str(), part.with.whyNot.c_str());
  }
  EXPECT_GE(compared, 200U) << "too few sketches ran";
}

/// What the checks of candidates find in a sketch, whose `after` is the kernel.
std::vector<std::string> findings(const PatternText &pattern) {
  std::string text = std::regex_replace(pattern.sketch, std::regex("(^|\n)([^\n]*\\bbefore\\()"), "$1static $2",
                                        std::regex_constants::format_first_only);
  text = std::regex_replace(text, std::regex("(^|\n)([^\n ]*[^\n]*\\bafter\\()"), "$1extern \"C\" $2",
                            std::regex_constants::format_first_only);
  const Level *const level = findLevel(pattern.field("level"));
  checks::CheckRequest request{.path = "/sketch/" + pattern.name + ".cpp", .text = text, .kernelSymbol = "after"};
  request.arguments = {"-std=c++20"};
  if (level && level->processor.contains("aarch64"))
    std::ranges::copy(std::vector<std::string>{"--target=aarch64-linux-gnu", "-m" + std::string(level->target)},
                      std::back_inserter(request.arguments));
  else if (level)
    for (const std::string &feature : split(level->target, ','))
      request.arguments.push_back("-m" + feature);
  const auto outcome = checks::runChecks(request);
  if (!outcome)
    return {outcome.error().message};
  std::vector<std::string> found;
  for (const auto &findings : {outcome->errors, outcome->findings})
    for (const Finding &finding : findings)
      found.push_back(std::to_string(finding.line) + ": " + finding.check + ": " + finding.message);
  return found;
}

TEST(PatternSketches, KeepTheRulesOfCandidates) {
  for (const PatternText &pattern : shippedPatterns())
    if (sketchCompiler("clang++-19", findLevel(pattern.field("level"))).command.empty())
      std::printf("not checked: %s\n", pattern.name.c_str());
    else
      for (const std::string &finding : findings(pattern))
        ADD_FAILURE() << pattern.name << ":" << finding;
}

/// A sum whose `after` has these lines.
PatternText planted(const std::string &after, const std::string &head = "") {
  return patternText("planted", "# P\n\nlevel: any\n\n## Sketch\n\n```cpp\n#include <cstddef>\n#include <cstdint>\n" +
                                    head +
                                    "std::uint32_t before(const std::uint32_t *a, std::size_t n) {\n"
                                    "  std::uint32_t sum = 0;\n"
                                    "  for (std::size_t i = 0; i < n; ++i)\n    sum += a[i];\n  return sum;\n}\n"
                                    "std::uint32_t after(const std::uint32_t *a, std::size_t n) {\n" +
                                    after + "}\n```\n");
}

std::string outputOf(const PatternText &pattern, const std::string &compiler = "clang++-19") {
  const SketchOutcome outcome = compileAndRun(programOf({pattern}), sketchCompiler(compiler, nullptr));
  return (outcome.isRight ? "right: " : "wrong: ") + outcome.output;
}

class PlantedSketches : public testing::Test {
protected:
  void SetUp() override {
    for (const char *compiler : {"clang++-19", "g++"})
      if (const std::string why = sketchCompiler(compiler, nullptr).whyNot; !why.empty())
        GTEST_SKIP() << why;
  }
};

TEST_F(PlantedSketches, FaultsAreFound) {
  const std::string sum = "  std::uint32_t sum = 0;\n  for (std::size_t i = 0; i < n; ++i)\n    sum += a[i];\n";
  EXPECT_THAT(outputOf(planted(sum + "  return sum;\n")), HasSubstr("right: exited with status 0"));
  EXPECT_THAT(outputOf(planted(sum + "  return sum + (n == 4099);\n"), "g++"), HasSubstr("planted: n 4099, round 0"));
  EXPECT_THAT(outputOf(planted(sum + "  return n == 0 ? 0 : sum + (a[n - 1] == 0xffffffffu);\n")),
              HasSubstr("wrong: exited with status 1\nplanted: n "));
  EXPECT_THAT(outputOf(planted(sum + "  return sum + (a[n] == 12345);\n")), HasSubstr("AddressSanitizer"));
  EXPECT_THAT(outputOf(planted(sum + "  const int shift = static_cast<int>(n);\n  return sum + 0 * (1 << shift);\n")),
              HasSubstr("runtime error: shift exponent"));
}

TEST_F(PlantedSketches, WarningsAndErrorsAreFoundAtTheirLine) {
  const std::string unused = planted("  int unused;\n  return before(a, n);\n").text;
  for (const char *compiler : {"clang++-19", "g++"}) {
    const std::string output = outputOf(patternText("planted", unused), compiler);
    EXPECT_THAT(output, HasSubstr("planted.md:17:7:")) << compiler;
    EXPECT_THAT(output, HasSubstr("unused")) << compiler;
  }
}

TEST_F(PlantedSketches, BreachesOfTheRulesAreFound) {
  EXPECT_THAT(findings(planted("  return before(a, n);\n")), testing::IsEmpty());
  EXPECT_THAT(findings(planted("  static std::uint32_t calls;\n  return before(a, n) + 0 * ++calls;\n")),
              testing::Contains(HasSubstr("state-outlives-call")));
  EXPECT_THAT(findings(planted("  return sum(a, n);\n", "std::uint32_t sum(const std::uint32_t *a, std::size_t n);\n")),
              Not(testing::IsEmpty()));
}

} // namespace
} // namespace agentic::test
