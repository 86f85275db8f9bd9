#include "tool/knowledge/cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> namesOf(const std::vector<Cut> &cuts) {
  std::vector<std::string> names;
  for (const Cut &cut : cuts)
    names.push_back(cut.name);
  return names;
}

TEST(Functions, AreCutWithWhatStandsInFront) {
  const std::vector<Cut> cuts =
      cutFunctions("#include <x.h>\n\nint add(int a, int b) {\n  return a + b; // }\n}\n\n"
                   "static const int kTable[] = {1, 2, 3};\n\nvoid g(void)\n{\n  if (1) { }\n}\n");
  ASSERT_EQ(namesOf(cuts), (std::vector<std::string>{"add", "g"}));
  EXPECT_EQ(cuts[0].text, "int add(int a, int b) {\n  return a + b; // }\n}");
  EXPECT_EQ(cuts[0].firstLine, 3u);
  EXPECT_EQ(cuts[0].lastLine, 5u);
  EXPECT_EQ(cuts[1].firstLine, 9u);
  EXPECT_EQ(cuts[1].lastLine, 12u);
}

TEST(Functions, AreFoundInNamespacesClassesAndOtherLanguages) {
  EXPECT_THAT(
      namesOf(cutFunctions("namespace a { namespace b {\nclass C : public D<int> {\n public:\n  int get() const "
                           "noexcept { return x_; }\n  C(int x) : x_{x} {}\n};\nint C::other() { return 1; }\n}}")),
      ElementsAre("get", "C", "C::other"));
  EXPECT_THAT(namesOf(cutFunctions("extern \"C\" {\nint f(void) { return 0; }\n}\n")), ElementsAre("f"));
  EXPECT_THAT(namesOf(cutFunctions("template <class T>\n__attribute__((always_inline)) T sum(const T *x, int n) { }")),
              ElementsAre("sum"));
  EXPECT_THAT(namesOf(cutFunctions("__global__ void __launch_bounds__(256) scan(int *x) { x[0] = 1; }")),
              ElementsAre("scan"));
  EXPECT_THAT(
      namesOf(cutFunctions("impl<'a> Parser<'a> {\n  pub fn next(&mut self) -> Option<u8> {\n    let c = 'x'; }\n"
                           "  fn generic<T: Copy>(x: T) -> T { x }\n}\n")),
      ElementsAre("next", "generic"));
}

TEST(Functions, AreNotMistakenInCommentsAndLiterals) {
  EXPECT_THAT(cutFunctions("// int f() { }\n/* int g() { } */\nconst char *s = \"int h() { }\";\nchar c = '{';\n"),
              IsEmpty());
  EXPECT_THAT(namesOf(cutFunctions("auto r = R\"x(int f() { )x\";\nint g() { return '}'; }\nint h() { }")),
              ElementsAre("g", "h"));
  EXPECT_THAT(namesOf(cutFunctions("#define F(x) { \\\n  x }\nint g() { }")), ElementsAre("g"));
}

TEST(Functions, SurviveConditionalBraces) {
  EXPECT_THAT(
      namesOf(cutFunctions("int f(int x) {\n#ifdef A\n  if (x) {\n#else\n  if (!x) {\n#endif\n  }\n}\nint g() { }\n")),
      ElementsAre("f", "g"));
  EXPECT_THAT(namesOf(cutFunctions("int f() { never closed")), ElementsAre("f"));
  EXPECT_THAT(cutFunctions("}}}} ;;; }"), IsEmpty());
}

TEST(Functions, AreBounded) {
  const std::vector<Cut> cuts = cutFunctions("int f() {" + std::string(100'000, ' ') + "}");
  ASSERT_EQ(cuts.size(), 1u);
  EXPECT_EQ(cuts[0].text.size(), kLongestPassage);
}

TEST(Labels, BeginPassagesOfAssembly) {
  const std::vector<Cut> cuts = cutLabels("\t.text\nsum:\n\tadd x0, x1\n.L1:\n\tret\nscan_all:\n\tret\n");
  ASSERT_EQ(namesOf(cuts), (std::vector<std::string>{"sum", "scan_all"}));
  EXPECT_THAT(cuts[0].text, HasSubstr(".L1:"));
  EXPECT_EQ(cuts[1].firstLine, 6u);
}

TEST(Sections, FollowHeadings) {
  const std::vector<Cut> cuts =
      cutSections("in front\n# One\ntext\n```\n# no heading\n```\n## Two ##\nmore\nThree\n=====\nlast\n");
  ASSERT_EQ(namesOf(cuts), (std::vector<std::string>{"", "One", "Two ##", "Three"}));
  EXPECT_THAT(cuts[1].text, HasSubstr("# no heading"));
  EXPECT_EQ(cuts[3].text, "last\n");
}

TEST(Sections, OfAPlainTextAreParts) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += i % 10 == 9 ? "\n" : "line\n";
  EXPECT_THAT(cutSections(text), testing::SizeIs(testing::AllOf(testing::Ge(3u), testing::Le(4u))));
  EXPECT_THAT(cutSections(""), IsEmpty());
}

TEST(Pages, AreTexts) {
  const std::vector<Cut> cuts = cutPage("<html><style>p { x }</style><script>alert(1)</script><h1>Fast &amp; "
                                        "small</h1><p>Use <b>lanes</b> &lt;here&gt;.</p><h2>Next</h2>end");
  ASSERT_EQ(namesOf(cuts), (std::vector<std::string>{"Fast & small", "Next"}));
  EXPECT_THAT(cuts[0].text, HasSubstr("Use lanes <here>."));
  for (const Cut &cut : cuts)
    EXPECT_THAT(cut.text, testing::Not(testing::AnyOf(HasSubstr("alert"), HasSubstr("{ x }"))));
}

TEST(Kinds, FollowTheEnding) {
  EXPECT_EQ(fileKindOf("a/b.CPP"), FileKind::Code);
  EXPECT_EQ(fileKindOf("a.cu"), FileKind::Code);
  EXPECT_EQ(fileKindOf("a.S"), FileKind::Assembly);
  EXPECT_EQ(fileKindOf("README.md"), FileKind::Markdown);
  EXPECT_EQ(fileKindOf("paper.pdf"), FileKind::Pdf);
  EXPECT_EQ(fileKindOf("Makefile"), FileKind::Other);
}

} // namespace
} // namespace agentic
