// prospectOf: which functions could be a kernel, and where the marker goes.
#include "tests/source/extract_fixture.h"
#include "tool/source/extract/prospect.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::HasSubstr;

class ProspectTest : public testing::Test {
protected:
  Prospect of(const std::string &text, const ProfiledFunction &function) {
    project_.write("src/k.cpp", text);
    Result<Prospect> prospect = prospectOf(project_.request("src/k.cpp"), function);
    EXPECT_TRUE(prospect) << prospect.error().message;
    return prospect ? std::move(*prospect) : Prospect{};
  }
  Prospect at(const std::string &text, unsigned line) {
    return of(text, {.linkageName = {}, .file = project_.path("src/k.cpp"), .line = line});
  }
  Prospect named(const std::string &text, const std::string &linkageName) {
    return of(text, {.linkageName = linkageName, .file = {}, .line = 0});
  }
  ScratchProject project_;
};

const std::string kLoop = "(float *a, int n) {\n  for (int i = 0; i < n; ++i)\n    a[i] *= 2;\n}\n";

TEST_F(ProspectTest, AFreeFunctionCanBeAKernel) {
  const std::string text = "namespace ns {\nstatic int other() { return 1; }\n\nvoid scale" + kLoop + "}\n";
  for (const Prospect &prospect : {at(text, 4), named(text, "_ZN2ns5scaleEPfi")}) {
    EXPECT_EQ(prospect.kind, Prospect::Kind::Kernel) << prospect.reason;
    EXPECT_EQ(prospect.function, "ns::scale");
    EXPECT_EQ(prospect.line, 4u);
    EXPECT_EQ(prospect.column, 1u);
    EXPECT_TRUE(prospect.needsDefinition);
    EXPECT_FALSE(prospect.needsName);
    ASSERT_TRUE(prospect.extraction);
    EXPECT_EQ(prospect.extraction->spec.function, "ns::scale");
    EXPECT_THAT(prospect.marked, HasSubstr("\nAGENTIC_KERNEL void scale(float *a"));
  }
}

// Clang takes the marker nowhere in front of these, and directives need a line of their own.
TEST_F(ProspectTest, TheMarkerGoesWhereClangTakesIt) {
  for (const auto &[before, column] :
       {std::pair("static void", 1u), std::pair("__attribute__((noinline)) void", 1u),
        std::pair("[[gnu::hot]] void", 14u), std::pair("extern \"C\" void", 12u), std::pair("  static void", 1u),
        std::pair("int g; static void", 8u), std::pair("static\nvoid", 1u)}) {
    const std::string text = std::string("\n") + before + " scale" + kLoop + "void use(float *a) { scale(a, 1); }\n";
    const unsigned line = std::string_view(before).find('\n') == std::string_view::npos ? 2 : 3;
    const Prospect prospect = at(text, line);
    EXPECT_EQ(prospect.kind, Prospect::Kind::Kernel) << before << ": " << prospect.reason;
    EXPECT_EQ(prospect.line, 2u) << before;
    EXPECT_EQ(prospect.column, column) << before;
  }
}

TEST_F(ProspectTest, KnowsAFunctionOfCAndWhatIsMarkedAlready) {
  const std::string text =
      "#define AGENTIC_KERNEL\nAGENTIC_KERNEL void first" + kLoop + "extern \"C\" {\nvoid second" + kLoop + "}\n";
  EXPECT_EQ(named(text, "_Z5firstPfi").kind, Prospect::Kind::Marked);
  const Prospect second = named(text, "second");
  EXPECT_EQ(second.kind, Prospect::Kind::Kernel) << second.reason;
  EXPECT_TRUE(second.needsName);
  EXPECT_FALSE(second.needsDefinition);
}

TEST_F(ProspectTest, MembersAndTemplatesNeedAWrapper) {
  const Prospect member = at("struct S {\n  float f;\n  void scale(float *a, int n);\n};\nvoid S::scale" + kLoop, 5);
  EXPECT_EQ(member.kind, Prospect::Kind::Wrapper) << member.reason;
  EXPECT_THAT(member.reason, HasSubstr("is a member function"));
  const Prospect instance =
      at("template <class T>\nvoid scale(T *a, int n) {\n  for (int i = 0; i < n; ++i)\n    a[i] *= 2;\n}\n"
         "void use(float *a) { scale(a, 3); }\n",
         2);
  EXPECT_EQ(instance.kind, Prospect::Kind::Wrapper) << instance.reason;
  EXPECT_EQ(instance.line, 2u) << "behind the template's header";
}

TEST_F(ProspectTest, FindsAFunctionInNamespacesWithoutNames) {
  const std::string text =
      "namespace ns {\nnamespace {\nvoid scale" + kLoop + "}\nvoid use(float *a) { scale(a, 1); }\n}\n";
  const Prospect prospect = at(text, 3);
  EXPECT_EQ(prospect.kind, Prospect::Kind::Kernel) << prospect.reason;
  EXPECT_EQ(prospect.function, "scale");
}

TEST_F(ProspectTest, SaysWhyAWrapperWouldNotDo) {
  const Prospect prospect =
      at("namespace {\nstruct Local {\n  int v;\n};\n}\ntemplate <class T>\nint sum(const T *a, Local n) {\n"
         "  int s = 0;\n  for (int i = 0; i < n.v; ++i)\n    s += a[i];\n  return s;\n}\n"
         "int use(const int *a) { return sum(a, Local{3}); }\n",
         7);
  EXPECT_EQ(prospect.kind, Prospect::Kind::Refused);
  EXPECT_THAT(prospect.next, HasSubstr("the wrapper of 'sum' would not do"));
}

TEST_F(ProspectTest, RefusesWhatNoWrapperHelps) {
  EXPECT_EQ(at("int main() {\n  return 0;\n}\n", 1).kind, Prospect::Kind::Refused);
  project_.write("src/h.h", "inline void scale" + kLoop);
  const Prospect header =
      of("#include \"h.h\"\n", {.linkageName = "_Z5scalePfi", .file = project_.path("src/h.h"), .line = 1});
  EXPECT_EQ(header.kind, Prospect::Kind::Refused);
  EXPECT_THAT(header.reason, HasSubstr("in a header"));
  EXPECT_THAT(header.next, HasSubstr(".cpp or .c file"));
  const Prospect missing = named("int x;\n", "_Z5scalePfi");
  EXPECT_EQ(missing.kind, Prospect::Kind::Refused);
  EXPECT_THAT(missing.reason, HasSubstr("no function definition of that name"));
}

TEST_F(ProspectTest, AFileThatDoesNotParseIsAnError) {
  project_.write("src/k.cpp", "void f( {\n");
  const Result<Prospect> prospect =
      prospectOf(project_.request("src/k.cpp"), {.linkageName = "_Z1fv", .file = {}, .line = 0});
  ASSERT_FALSE(prospect);
  EXPECT_THAT(prospect.error().message, HasSubstr("Clang cannot parse"));
}

} // namespace
} // namespace agentic
