// Instruments every kernel of the suite, its checked-in variants and the honest candidates of the red team: they still
// compile.
#include "tool/evaluate/instruments/sanitize.h"
#include "tool/red_team/red_team_row.h"
#include "tool/source/coverage/coverage.h"
#include "tool/variants/existing_variant.h"

#include "tests/source/candidate_fixture.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

class Suite {
public:
  Suite() { fs::create_directories(project_.path("out")); }

  const fs::path root = fs::path(AGENTIC_TEST_DATA).parent_path().parent_path(), folder = root / "kernels";
  const Level &level = *findLevel("x86-64-v4");

  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(folder))
      if (const std::string name = entry.path().filename().string(); fs::exists(folder / name / "generated")) // set quick
        names.push_back(name);
    std::ranges::sort(names);
    return names;
  }

  Result<Extraction> extract(const std::string &kernel) const {
    ExtractRequest request =
        project_.request("unused.cpp", "", {"-O3", "-DNDEBUG", "-march=native", "-std=gnu++20", contracts_});
    request.kernel = kernel;
    request.source = (folder / kernel / (kernel + ".cpp")).string();
    request.projectRoot = folder.string();
    return extractKernel(request);
  }

  std::string compileErrors(const std::string &kernel, const std::string &unit, Family family,
                            const std::vector<std::string> &flags = {}) const {
    const std::string file = project_.path("out/unit.cpp");
    if (!writeFileAtomic(file, unit))
      return "cannot write";
    ProcessSpec compile;
    compile.argv = {family == Family::Clang ? "clang++-19" : "g++", "-std=gnu++20", "-O1", "-w", "-fPIC", "-DNDEBUG"};
    compile.argv.insert(compile.argv.end(), flags.begin(), flags.end());
    compile.argv.insert(compile.argv.end(), {"-iquote", (folder / kernel).string(), contracts_, "-c", file, "-o",
                                             project_.path("out/unit.o")});
    const Result<ProcessResult> compiled = runProcess(compile);
    return !compiled ? compiled.error().message : compiled->ok() ? "" : compiled->err + "\n" + unit;
  }

private:
  ScratchProject project_;
  const std::string contracts_ = "-I" + (root / "cmake-module" / "include").string();
};

TEST(CoverageOfTheSuite, BaselinesAndVariantsCompile) {
  const Suite suite;
  int units = 0;
  for (const std::string &kernel : suite.kernels()) {
    const Result<Extraction> extraction = suite.extract(kernel);
    ASSERT_TRUE(extraction) << extraction.error().message;
    const KernelSpec &spec = extraction->spec;
    const std::string variants = (suite.folder / kernel / "generated").string();
    const ExistingVariants existing = readExisting(variants, spec);
    for (const Family family : {Family::Clang, Family::Gcc}) {
      std::vector<std::string> candidates = {baselineCandidate(spec)};
      if (existing.lock)
        for (const Lock::Variant &variant : existing.lock->variants)
          if (variant.provenance.family == familyName(family))
            if (const auto candidate = candidateOf(variants, variant, spec))
              candidates.push_back(candidate->text);
      for (const std::string &candidate : candidates) {
        SCOPED_TRACE(kernel + " " + familyName(family));
        const CandidateUnit unit = buildCandidateUnit({spec, suite.level, family, "variant.cpp"}, candidate);
        ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
        const Result<InstrumentedUnit> instrumented = instrumentCoverage(spec, unit);
        ASSERT_TRUE(instrumented) << instrumented.error().message;
        EXPECT_GT(instrumented->places.size(), 0u);
        EXPECT_TRUE(instrumented->remarks.empty()) << instrumented->remarks.front();
        EXPECT_EQ(suite.compileErrors(kernel, instrumented->text, family), "");
        ++units;
      }
    }
  }
  EXPECT_GE(units, 14 * 2 + 14);
}

// A candidate that cannot be instrumented blocks a winner, so no honest one may be among them. Each is compiled with
// counters by one compiler and with sanitizers by the other; templates over any kernel on the first one that they fit.
TEST(CoverageOfTheSuite, HonestCandidatesCompile) {
  const Suite suite;
  std::set<std::string> seen;
  bool isGcc = false;
  for (const std::string &kernel : suite.kernels()) {
    const Result<Extraction> extraction = suite.extract(kernel);
    ASSERT_TRUE(extraction) << extraction.error().message;
    const KernelSpec &spec = extraction->spec;
    const Result<std::vector<RedTeamRow>> rows = loadRedTeam((suite.root / "tests/red-team").string(), kernel);
    ASSERT_TRUE(rows) << rows.error().message;
    for (const RedTeamRow &row : *rows) {
      const auto text = row.isHostile ? std::unexpected(std::string()) : redTeamCandidate(row, spec);
      if (!text || !seen.insert(row.name).second)
        continue;
      SCOPED_TRACE(kernel + " " + row.name);
      isGcc = !isGcc;
      const Family counted = isGcc ? Family::Gcc : Family::Clang, other = isGcc ? Family::Clang : Family::Gcc;
      const CandidateUnit unit = buildCandidateUnit({spec, suite.level, counted, "honest.cpp"}, *text);
      ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
      const Result<InstrumentedUnit> instrumented = instrumentCoverage(spec, unit);
      ASSERT_TRUE(instrumented) << instrumented.error().message;
      EXPECT_TRUE(instrumented->remarks.empty()) << instrumented->remarks.front();
      EXPECT_EQ(suite.compileErrors(kernel, instrumented->text, counted), "");
      const CandidateUnit plain = buildCandidateUnit({spec, suite.level, other, "honest.cpp"}, *text);
      EXPECT_EQ(suite.compileErrors(kernel, plain.text, other, sanitizerFlags(Compiler{.family = other})), "");
    }
  }
  EXPECT_GE(seen.size(), 60u);
}

} // namespace
} // namespace agentic
