#include "tool/base/files.h"
#include "tool/red_team/red_team_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

KernelSpec sumSpec() {
  KernelSpec spec;
  spec.kernel = "add";
  spec.function = "math::add";
  spec.mangled = "_ZN4math3addEPKfPfm";
  spec.canonicalType = "void (const float *, float *, unsigned long)";
  spec.parameters = {
      {"in", "const float *", "const float *"}, {"out", "float *", "float *"}, {"n", "std::size_t", "unsigned long"}};
  spec.signature = "void add(const float *in, float *out, std::size_t n) ";
  spec.nameBegin = 5;
  spec.nameEnd = 8;
  spec.body = "{ out[0] = in[0]; }";
  spec.contract.extents = {{"out", Direction::Out, "n + 1"}};
  return spec;
}

RedTeamRow row(const std::string &name, const std::string &text) {
  auto parsed = parseRedTeamRow(name, text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? *parsed : RedTeamRow{};
}

const std::string kHostile = "// expect: rejected\n// trick: something (catalogue 1)\n";

TEST(RedTeamRow, SaysWhatMustBecomeOfIt) {
  const RedTeamRow one = row("any/x", kHostile + "// layers: check:calls|includes audit\n// alone: why\nint x;\n");
  EXPECT_TRUE(one.isHostile);
  EXPECT_EQ(one.trick, "something (catalogue 1)");
  ASSERT_EQ(one.layers.size(), 2u);
  EXPECT_EQ(one.layers[0].layer, Layer::Check);
  EXPECT_THAT(one.layers[0].checks, ElementsAre("calls", "includes"));
  EXPECT_EQ(one.layers[1].layer, Layer::Audit);
  EXPECT_EQ(one.alone, "why");
  EXPECT_FALSE(one.names(Layer::Sandbox));
  EXPECT_FALSE(row("any/y", "// expect: valid\r\n// style: CRLF\r\nint x;\r\n").isHostile);
  EXPECT_TRUE(row("any/z", kHostile + "// layers: sandbox\n").names(Layer::Sandbox));
  EXPECT_TRUE(row("any/z", kHostile + "// layers: check sanitize\n").names(Layer::Sanitize));
}

TEST(RedTeamRow, NeedsAnExpectationATrickAndLayers) {
  EXPECT_FALSE(parseRedTeamRow("any/x", "int x;\n"));
  EXPECT_FALSE(parseRedTeamRow("any/x", "// expect: maybe\n// trick: x\n// layers: check\n"));
  EXPECT_FALSE(parseRedTeamRow("any/x", "// expect: rejected\n// layers: check\n"));
  EXPECT_FALSE(parseRedTeamRow("any/x", kHostile));
  EXPECT_FALSE(parseRedTeamRow("any/x", "// expect: valid\n// style: x\n// layers: check\n"));
  const auto wrong = parseRedTeamRow("any/x", kHostile + "// layers: chekc\n");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("'chekc'"));
}

std::string filled(const std::string &text) {
  const auto result = redTeamCandidate(row("any/x", kHostile + "// layers: check\n" + text), sumSpec());
  return result ? result->substr(result->find("check\n") + 6) : "unfit: " + result.error();
}

TEST(RedTeamRow, IsATemplateOverAnyKernel) {
  EXPECT_EQ(filled("@SIGNATURE@@BODY@"), "void add(const float *in, float *out, std::size_t n) { out[0] = in[0]; }");
  EXPECT_EQ(filled("@HELPER f@;"), "static void f(const float *in, float *out, std::size_t n) ;");
  EXPECT_EQ(filled("f(@ARGUMENTS@)"), "f(in, out, n)");
  EXPECT_EQ(filled("@INPUT@ @OUTPUT@ @COUNT@ @OUTPUT_EXTENT@ @OUTPUT_TYPE@ @INPUT_TYPE@"),
            "in out n (n + 1) float const float");
  EXPECT_EQ(filled("@FIRST@ @SECOND@"), "in out");
  EXPECT_EQ(filled("@NAME@ @MANGLED@"), "math::add _ZN4math3addEPKfPfm");
}

TEST(RedTeamRow, SaysWhyItDoesNotFit) {
  EXPECT_EQ(filled("@INPUT_EXTENT@"), "unfit: the extent of 'in' is not declared");
  EXPECT_EQ(filled("@FIRST_EXTENT@"), "unfit: the extent of 'in' is not declared");
  KernelSpec one = sumSpec();
  one.parameters.erase(one.parameters.begin());
  const auto unfit = redTeamCandidate(row("any/x", kHostile + "// layers: check\n@FIRST@ @SECOND@"), one);
  ASSERT_FALSE(unfit);
  EXPECT_EQ(unfit.error(), "it takes too few pointers");
  EXPECT_THAT(redTeamCandidate(row("any/x", kHostile + "// layers: check\n@FIRST_EXTENT@"), one).value_or("unfit"),
              HasSubstr("(n + 1)"));
  EXPECT_THAT(filled("@NO_SUCH@"), HasSubstr("unknown placeholder"));
  EXPECT_THAT(filled("a lone @ sign"), HasSubstr("without an end"));
  const auto fit = [](const std::string &condition) {
    return redTeamCandidate(row("any/x", kHostile + "// layers: check\n// when: " + condition + "\n"), sumSpec())
        .has_value();
  };
  EXPECT_TRUE(fit("void floating-output floating-input"));
  EXPECT_FALSE(fit("returns"));
  EXPECT_FALSE(fit("integer-output"));
  EXPECT_FALSE(fit("no-such-condition"));
}

TEST(RedTeamRow, OfOneKernelMayBeATemplateToo) {
  const auto result = redTeamCandidate(row("add/x", kHostile + "// layers: check\n@BODY@"), sumSpec());
  ASSERT_TRUE(result);
  EXPECT_THAT(*result, HasSubstr("{ out[0] = in[0]; }"));
}

TEST(RedTeamFile, AThemeHoldsManyRows) {
  const auto rows = parseRedTeamFile("any", "state",
                                     "// theme: State\n// expect: rejected\n// layers: check audit\n\n"
                                     "// row: counter\n// trick: counts\nstatic int calls;\n\nint f();\n\n"
                                     "// row: cache\n// layers: test\n// trick: keeps\n// alone: why\nint g();\n");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(rows->at(0).name, "any/counter");
  EXPECT_EQ(rows->at(0).text, "// trick: counts\n// expect: rejected\n// layers: check audit\nstatic int calls;\n\n"
                              "int f();\n");
  EXPECT_TRUE(rows->at(0).names(Layer::Audit));
  EXPECT_EQ(rows->at(1).name, "any/cache");
  EXPECT_EQ(rows->at(1).layers.size(), 1u);
  EXPECT_TRUE(rows->at(1).names(Layer::Test));
  EXPECT_EQ(rows->at(1).alone, "why");
}

TEST(RedTeamFile, IsOneRowWithoutATheme) {
  const std::string text = kHostile + "// layers: check\nint f();\n// row: x\n";
  const auto rows = parseRedTeamFile("add", "one", text);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->front().name, "add/one");
  EXPECT_EQ(rows->front().text, text);
}

TEST(RedTeamFile, NamesTheRowThatIsNotUnderstood) {
  const auto none = parseRedTeamFile("any", "empty", "// theme: State\n// expect: rejected\n");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("'any/empty' has no row"));
  const auto wrong = parseRedTeamFile("any", "state", "// theme: State\n// expect: rejected\n\n// row: x\nint f();\n");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("'any/x'"));
}

TEST(RedTeamRow, EmptyFoldersAreAnError) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "red-team-");
  ASSERT_TRUE(scratch);
  EXPECT_FALSE(loadRedTeam(scratch->path().string(), "add"));
  ASSERT_TRUE(writeFileAtomic(scratch->path() / "add" / "b.cpp", kHostile + "// layers: check\n"));
  ASSERT_TRUE(writeFileAtomic(scratch->path() / "any" / "a.cpp", kHostile + "// layers: check\n"));
  ASSERT_TRUE(writeFileAtomic(scratch->path() / "other" / "c.cpp", "not a row\n"));
  const auto rows = loadRedTeam(scratch->path().string(), "add");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(rows->front().name, "any/a");
  EXPECT_EQ(rows->back().name, "add/b");

  ASSERT_TRUE(writeFileAtomic(scratch->path() / "any" / "state.cpp",
                              "// theme: State\n" + kHostile + "// layers: check\n\n// row: a\nint x;\n"));
  const auto twice = loadRedTeam(scratch->path().string(), "add");
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("row 'any/a' is there twice"));
}

RedTeamResult result(const std::string &name, const std::string &header, const std::vector<Layer> &caught) {
  RedTeamResult one{.row = row(name, header)};
  for (Layer layer : kLayers)
    one.layers[layer].state = LayerResult::State::NotCaught;
  for (Layer layer : caught)
    one.layers[layer].state = LayerResult::State::Caught;
  return one;
}

TEST(RedTeamTable, CountsWhatEachLayerIsWorth) {
  const std::string honest = "// expect: valid\n// style: x\n";
  std::vector<RedTeamResult> results = {
      result("any/through", kHostile + "// layers: check\n", {}),
      result("any/one", kHostile + "// layers: audit\n", {Layer::Audit}),
      result("any/fault", kHostile + "// layers: test\n// fault: x\n", {Layer::Test}),
      result("any/excused", kHostile + "// layers: check\n// alone: x\n", {Layer::Check}),
      result("any/two", kHostile + "// layers: check test\n", {Layer::Check, Layer::Audit}),
      result("any/fine", honest, {}),
      result("any/refused", honest, {Layer::Test}),
      result("any/unfit", kHostile + "// layers: check\n", {}),
  };
  results.back().unfit = "no";
  const RedTeamSummary summary = summariseRedTeam(results);
  EXPECT_EQ(summary.hostile, 5u);
  EXPECT_EQ(summary.honest, 2u);
  EXPECT_EQ(summary.unfit, 1u);
  EXPECT_FALSE(summary.holds());
  EXPECT_THAT(summary.gotThrough, ElementsAre("any/through"));
  EXPECT_THAT(summary.refused, ElementsAre("any/refused"));
  EXPECT_THAT(summary.missed, ElementsAre("any/through: check", "any/two: test"));
  EXPECT_THAT(summary.single, ElementsAre("any/one"));
  EXPECT_THAT(summary.ignored.at(Layer::Audit).pass, ElementsAre("any/one"));
  EXPECT_THAT(summary.ignored.at(Layer::Audit).single, ElementsAre("any/two"));
  EXPECT_THAT(summary.ignored.at(Layer::Check).pass, ElementsAre("any/excused"));
  EXPECT_THAT(summary.ignored.at(Layer::Benchmark).pass, IsEmpty());
}

TEST(RedTeamTable, AFaultThatNeverShowsIsHarmlessToThisKernel) {
  const RedTeamResult one = result("any/wrong_when_large", kHostile + "// layers: differential\n// fault: x\n", {});
  const RedTeamSummary summary = summariseRedTeam({&one, 1});
  EXPECT_TRUE(summary.holds());
  EXPECT_THAT(summary.harmless, ElementsAre("any/wrong_when_large"));
  EXPECT_THAT(summary.missed, ElementsAre("any/wrong_when_large: differential"));
}

TEST(RedTeamTable, AnExpectedLayerMustSeeItForTheReasonThatTheRowGives) {
  RedTeamResult one = result("any/x", kHostile + "// layers: check:calls|includes\n", {Layer::Check});
  one.layers[Layer::Check].checks = {"directives"};
  EXPECT_THAT(summariseRedTeam({&one, 1}).missed, ElementsAre("any/x: check"));
  one.layers[Layer::Check].checks = {"directives", "includes"};
  EXPECT_THAT(summariseRedTeam({&one, 1}).missed, IsEmpty());
}

} // namespace
} // namespace agentic
