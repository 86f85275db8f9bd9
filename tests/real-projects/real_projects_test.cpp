// Kernels of packages that others wrote, from Debian's sources: each is prepared by the tool, takes a variant of ours
// that is checked in here, and passes its package's tests with that variant forced. No text of a package is in this
// repository: a folder has the version and hash of the source, a patch without context, and what is ours. Nothing here
// searches or measures: ./run.sh measure does.
#include "tests/e2e/project.h"

#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/source/emit/emit.h"
#include "tool/variants/variant_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

const fs::path kFolder = fs::path(AGENTIC_TEST_DATA);

std::vector<std::string> packages() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(kFolder))
    if (fs::exists(entry.path() / "package"))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// The C compiler beside that of the other tests: "clang++-19" → "clang-19".
std::string compilerOfC() {
  return replaceAll(replaceAll(compilerPath(), "clang++", "clang"), "g++", "gcc");
}

class RealProjects : public testing::TestWithParam<std::string> {
protected:
  /// Unpacks the package around our files and patches it. Returns why it cannot be had; empty: it can.
  std::string unpack();
  void wrapKernels();
  std::vector<std::string> kernels() const;
  Candidate variantOf(const std::string &kernel, const KernelSpec &spec) const;
  /// Returns the level of the variant that it writes; empty after a failure.
  std::string writeVariant(const std::string &kernel);
  void passesItsTests(const std::vector<std::pair<std::string, std::string>> &forced);

  /// Of a configure; a file "options" has more of them, one a line.
  std::vector<std::string> options() const {
    std::vector<std::string> all = {"-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_COMPILER=" + compilerOfC()};
    for (const std::string &option : linesOf("options"))
      all.push_back(option);
    return all;
  }
  std::vector<std::string> linesOf(const std::string &file) const {
    std::vector<std::string> lines = split(readFile(kFolder / GetParam() / file).value_or(""), '\n');
    std::erase(lines, "");
    return lines;
  }
  std::string archive() const {
    return split(readFile(kFolder / GetParam() / "package").value_or("") + "  ", ' ').at(1);
  }

  Project project_{"tests/real-projects/" + GetParam()};
};

std::string RealProjects::unpack() {
  const std::string path = std::string(AGENTIC_REAL_SOURCES) + "/" + archive();
  if (!fs::exists(path))
    return std::string(trim(readFile(path + ".missing")
                                .value_or("'" + path +
                                          "' is missing; the test "
                                          "real_projects_sources downloads it")));
  const Outcome unpacked = runCommand({(kFolder / "unpack.sh").string(), (kFolder / GetParam()).string(),
                                       AGENTIC_REAL_SOURCES, project_.source().string()});
  EXPECT_EQ(unpacked.status, 0) << unpacked.all();
  return {};
}

/// What the error of a first configure advises: 'agentic-kernel wrap'.
void RealProjects::wrapKernels() {
  for (const std::string &kernel : linesOf("wrap")) {
    EXPECT_EQ(project_.configure(options()).status, 0);
    const Outcome wrapped = project_.tool({"wrap", "--kernel", kernel, "--write"});
    EXPECT_EQ(wrapped.status, 0) << wrapped.all();
  }
}

std::vector<std::string> RealProjects::kernels() const {
  std::vector<std::string> names;
  const Outcome status = project_.tool({"status"});
  if (status.json.is_object())
    for (const nlohmann::json &kernel : status.json["kernels"])
      names.push_back(kernel["kernel"]);
  EXPECT_FALSE(names.empty()) << status.all();
  return names;
}

/// Ours; of a kernel for which none was written, its own text.
Candidate RealProjects::variantOf(const std::string &kernel, const KernelSpec &spec) const {
  for (const char *extension : {".c", ".cpp"})
    if (auto text = readFile(kFolder / GetParam() / "variants" / (kernel + extension)))
      return makeCandidate(*text, "file: " + kernel + extension);
  return makeCandidate(baselineCandidate(spec), "baseline");
}

std::string RealProjects::writeVariant(const std::string &kernel) {
  EvaluatorOptions options;
  options.buildDir = project_.build().string();
  options.kernel = kernel;
  options.checkProgram = toolPath();
  options.threshold = 0.5; // how fast it is does not matter here: the first pairs decide
  std::vector<std::string> warnings;
  options.warning = [&warnings](const std::string &text) { warnings.push_back(text); };
  Result<std::unique_ptr<Evaluator>> evaluator = Evaluator::open(options);
  if (!evaluator) {
    ADD_FAILURE() << "not prepared: " << evaluator.error().message << "\n" << evaluator.error().next;
    return {};
  }
  const KernelSpec &spec = (*evaluator)->spec();
  const Candidate candidate = variantOf(kernel, spec);
  const Result<Evaluation> evaluation = (*evaluator)->evaluate(candidate);
  if (!evaluation || evaluation->verdict == Verdict::Rejected) {
    ADD_FAILURE() << (evaluation ? std::string(stageName(evaluation->stage)) + ": " + evaluation->detail +
                                       (evaluation->findings.empty() ? "" : evaluation->findings.front().message)
                                 : evaluation.error().message);
    return {};
  }
  const Level &level = (*evaluator)->level();
  const Compiler &compiler = (*evaluator)->compiler();
  const CandidateUnit unit = buildCandidateUnit({spec, level, compiler.family, candidate.origin}, candidate.text);
  VariantSource variant{.provenance = {.level = std::string(level.name),
                                       .family = familyName(compiler.family),
                                       .isTuned = false, // nobody measured it: it runs where it is forced
                                       .agent = "apply",
                                       .origin = candidate.origin,
                                       .candidate = candidate.id},
                        .text = {},
                        .own = {}};
  variant.provenance.toolVersion = kVersion;
  variant.text = emitVariant(spec, variant.provenance, unit);
  variant.own = ownSpans(variant.text, unit);
  auto files = emitFiles(spec, {variant}, kVersion);
  EXPECT_TRUE(files) << files.error().message;
  if (!files || !changeVariantSet({.folder = (*evaluator)->manifest().variantDir,
                                   .scratch = project_.build().string() + "/_agentic",
                                   .files = *files,
                                   .removed = {},
                                   .afterChange = {}}))
    return {};
  return std::string(level.name);
}

/// In a normal build without the tool: the test of each variant, and all tests that the package has.
void RealProjects::passesItsTests(const std::vector<std::pair<std::string, std::string>> &forced) {
  const fs::path build = project_.root() / "normal";
  std::vector<std::string> all = options();
  all.insert(all.end(), {"-DAGENTIC_KERNEL_TOOL=OFF", "-DAGENTIC_KERNEL_MODE=REQUIRE"});
  const Outcome configured = project_.configureIn(build, all);
  ASSERT_EQ(configured.status, 0) << configured.all();
  const Outcome built = runCommand({"cmake", "--build", build.string()});
  ASSERT_EQ(built.status, 0) << built.all();
  Environment environment = {{"AGENTIC_KERNEL_TRACE", (build / "trace.txt").string()}};
  for (const auto &[kernel, level] : forced)
    environment.emplace_back("AGENTIC_KERNEL_" + kernel, level);
  const Outcome tested =
      runCommand({"ctest", "--test-dir", build.string(), "--output-on-failure"}, kPatience, environment);
  EXPECT_EQ(tested.status, 0) << tested.all();
  EXPECT_THAT(tested.all(), Not(HasSubstr("Skipped")));
  const std::string trace = readFile(build / "trace.txt").value_or("");
  for (const auto &[kernel, level] : forced) {
    EXPECT_THAT(trace, HasSubstr(kernel + " " + level + "\n")) << configured.all() << tested.all();
    EXPECT_THAT(trace, Not(HasSubstr(kernel + " baseline"))) << "in some program the variant did not run";
  }
}

TEST_P(RealProjects, IsPreparedAndPassesItsTestsWithAVariant) {
  if (const std::string reason = unpack(); !reason.empty())
    GTEST_SKIP() << reason;
  wrapKernels();
  const Outcome configured = project_.configure(options());
  ASSERT_EQ(configured.status, 0) << configured.all();
  EXPECT_THAT(configured.all(), Not(testing::ContainsRegex("is not checked|not be checked|cannot be tuned")));
  std::vector<std::pair<std::string, std::string>> forced;
  for (const std::string &kernel : kernels()) {
    SCOPED_TRACE(kernel);
    const std::string level = writeVariant(kernel);
    ASSERT_NE(level, "");
    forced.emplace_back(kernel, level);
  }
  passesItsTests(forced);
}

/// What a newcomer has to write stays small, and nothing of it is the package's own text.
TEST_P(RealProjects, ThePatchIsSmallAndHoldsNoTextOfThePackage) {
  const std::string patch = project_.read(GetParam() + ".patch");
  std::size_t added = 0;
  for (const std::string &line : split(patch, '\n')) {
    EXPECT_TRUE(line.empty() || line.starts_with("+") || line.starts_with("--- ") || line.starts_with("@@ ")) << line;
    added += line.starts_with("+") && !line.starts_with("+++ ") ? 1 : 0;
  }
  EXPECT_GE(added, 2U);
  EXPECT_LE(added, 40U);
}

INSTANTIATE_TEST_SUITE_P(Debian, RealProjects, testing::ValuesIn(packages()),
                         [](const auto &row) { return row.param; });

} // namespace
} // namespace agentic::e2e
