// Files of random pieces: macros, helpers, tables, types and directives around a kernel, and inside it. The unchanged
// kernel passes as a candidate and computes the same, or extraction names the word that it cannot carry.
#include "tests/source/candidate_fixture.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>

namespace agentic {
namespace {

using testing::HasSubstr;

/// `file` stands in front of the kernel, `body` inside; @ is a number of its own, $ a small constant. The kernel has an
/// argument `x` and a sum `s`.
struct Piece {
  const char *file, *body;
  const char *cannotBeCarried = "";
};

const Piece kPieces[] = {
    {"#define M@ $\n", "s += M@;"},
    {"#define ADD@(y) ((y) + $)\n", "s += ADD@(x);"},
    {"#define D@ $\nstatic int d@(int x) { return x + D@; }\n#undef D@\n", "s += d@(x);"},
    {"#define R@ 1\nstatic int r@(int x) { return x + R@; }\n#undef R@\n#define R@ 100\n", "s += r@(x) * R@;"},
    {"static int h@(int x) {\n#ifdef LATE@\n  return nowhere(x);\n#else\n  return x * $;\n#endif\n}\n#define LATE@\n",
     "s += h@(x);"},
    {"#define EARLY@\nstatic int e@(int x) {\n#if defined(EARLY@) && $ > 0\n  return x - $;\n#else\n  return 77;\n"
     "#endif\n}\n#undef EARLY@\n",
     "s += e@(x);"},
    {"static int o@(int x) {\n#if LEVEL@ > 3\n  return x;\n#elif LEVEL@ == 0\n  return $ * x;\n#endif\n}\n"
     "#define LEVEL@ 9\n",
     "s += o@(x) + LEVEL@;"},
    {"static const int t@[] = {$, 2, 3, $};\n", "s += t@[x & 3];"},
    {"#pragma pack(push, 1)\nstruct P@ { char a; int b; short c; };\n#pragma pack(pop)\n",
     "{ P@ p = {1, x, 2}; s += p.b * int(sizeof p); }"},
    {"#pragma pack(2)\nstruct K@ { char a; long b; };\n#pragma pack()\nstruct N@ { char a; long b; };\n",
     "s += int(sizeof(K@) * 100 + sizeof(N@));"},
    {"#pragma pack(push)\n#pragma pack(1)\nnamespace {\nstruct Q@ { char a; double b; };\n}\n#pragma pack(pop)\n",
     "s += int(sizeof(Q@));"},
    {"enum E@ { kFirst@ = $, kSecond@ };\n", "s += kSecond@;"},
    {"typedef unsigned U@;\nstatic U@ u@(U@ y) { return y ^ $; }\n", "s += int(u@(U@(x)));"},
    {"namespace q@ { static int g(int x) { return x * $; } }\n", "s += q@::g(x);"},
    {"namespace {\nconstexpr int kC@ = $;\nint c@(int y) { return y & kC@; }\n}\n", "s += c@(x);"},
    {"template <class T> static T w@(T y) { return y + T($); }\n", "s += w@<int>(x);"},
    {"static int b@(int);\nstatic int a@(int y) { return y > 0 ? b@(y / 2) : $; }\nstatic int b@(int y) { return "
     "a@(y - 1); }\n",
     "s += a@(x);"},
    {"#if $ > 0\nstatic int i@(int y) { return y + 5; }\n#else\nstatic int i@(int y) { return y; }\n#endif\n",
     "s += i@(x);"},
    {"struct V@ { int v; int twice() const { return 2 * v; } };\n", "s += V@{x}.twice();"},
    {"#define DEF@(name) static int name(int y) { return y - $; }\nDEF@(n@)\n", "s += n@(x);"},
    {"", "\n#define L@(y) ((y) * 2)\n  s += L@(x);\n#undef L@\n  "},
    {"#define ON@ $\n", "\n#if ON@ > 2\n  s += 1;\n#else\n  s += 2;\n#endif\n  "},
    {"", "{ auto f@ = [&](int y) { return y + x; }; s += f@($); }"},
    {"", "s += ({ int y@ = x; y@ * $; });"},
    {"// a comment with 'quotes\" @\n/* and\n one more */\n", "/* in the middle */"},
    {"", "s += __LINE__;", "'__LINE__'"},
    {"", "s += int(sizeof __func__);", "'__func__'"},
};

struct File {
  std::string text;
  std::string cannotBeCarried;
};

File fileOf(int number, std::mt19937 &random) {
  const auto below = [&](std::size_t limit) { return std::size_t(random() % limit); };
  std::string front, body, word;
  const bool hasNamespace = below(3) == 0;
  for (std::size_t i = 0, count = 2 + below(6); i < count; ++i) {
    // What cannot be carried is rare.
    const Piece &piece = kPieces[below(std::size(kPieces) - (below(12) == 0 ? 0 : 2))];
    const std::string own = std::to_string(number) + "_" + std::to_string(i), constant = std::to_string(1 + below(9));
    const auto filled = [&](const char *text) { return replaceAll(replaceAll(text, "@", own), "$", constant); };
    front += filled(piece.file);
    body += "  " + filled(piece.body) + "\n";
    if (word.empty())
      word = piece.cannotBeCarried;
  }
  std::string result = "int", attribute;
  if (below(4) == 0) {
    front += "#define RESULT" + std::to_string(number) + " int\n";
    result = "RESULT" + std::to_string(number);
  }
  if (below(4) == 0) {
    front += "#define HOT" + std::to_string(number) + " __attribute__((hot))\n";
    attribute = "HOT" + std::to_string(number) + " ";
  }
  const std::string f = "f" + std::to_string(number);
  std::string text = front + "AGENTIC_KERNEL " + attribute + result + " " + f + "(int x) {\n  int s = 0;\n" + body +
                     "  return s;\n}\n";
  // The caller knows one name.
  text = hasNamespace ? "namespace n {\n" + text + "}\nint " + f + "(int x) { return n::" + f + "(x); }\n" : text;
  return {below(5) == 0 ? replaceAll(text, "\n", "\r\n") : text, word};
}

bool compiles(const std::vector<std::string> &argv) {
  const Result<ProcessResult> done = runProcess({.argv = argv, .timeoutSeconds = 600});
  EXPECT_TRUE(done && done->ok()) << (done ? done->err : done.error().message);
  return done && done->ok();
}

TEST(FilePieces, TheUnchangedKernelPassesOrTheWordIsNamed) {
  constexpr int kFiles = 60;
  std::mt19937 random(20261128);
  ScratchProject project;
  std::string declarations, calls;
  std::vector<std::string> objects;
  int carried = 0, refused = 0;
  for (int i = 0; i < kFiles; ++i) {
    const File file = fileOf(i, random);
    const std::string name = "src/k" + std::to_string(i), f = "f" + std::to_string(i);
    SCOPED_TRACE(file.text);
    project.write(name + ".cpp", file.text);
    ExtractRequest request = project.request(name + ".cpp");
    request.kernel = "k" + std::to_string(i);
    const Result<Extraction> extraction = extractKernel(request);
    ASSERT_TRUE(extraction) << extraction.error().message;
    ASSERT_EQ(extraction->findings.empty(), file.cannotBeCarried.empty());
    if (!file.cannotBeCarried.empty()) {
      EXPECT_THAT(extraction->findings.front().message, HasSubstr(file.cannotBeCarried));
      EXPECT_GT(extraction->findings.front().line, 0u);
      ++refused;
      continue;
    }
    ++carried;
    const Family family = i % 3 == 0 ? Family::Gcc : Family::Clang;
    const std::string compiler = family == Family::Gcc ? "g++" : "clang++-19";
    const CandidateUnit unit = unitOf(extraction->spec, baselineCandidate(extraction->spec), family);
    ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
    SCOPED_TRACE(unit.text);
    project.write("out/u" + std::to_string(i) + ".cpp", unit.text);
    const std::string own = project.path("out/k" + std::to_string(i) + ".o"),
                      variant = project.path("out/u" + std::to_string(i) + ".o");
    ASSERT_TRUE(compiles({compiler, "-std=c++20", "-w", "-DAGENTIC_KERNEL=", "-c", request.source, "-o", own}));
    ASSERT_TRUE(compiles({compiler, "-std=c++20", "-w", "-iquote", project.path("src"), "-c",
                          project.path("out/u" + std::to_string(i) + ".cpp"), "-o", variant}));
    objects.insert(objects.end(), {own, variant});
    declarations += "int " + f + "(int);\nextern \"C\" int " + unit.symbol + "(int);\n";
    calls += "    if (" + f + "(x) != " + unit.symbol + "(x)) { std::printf(\"%d: %d, %d not %d\\n\", " +
             std::to_string(i) + ", x, " + unit.symbol + "(x), " + f + "(x)); ++wrong; }\n";
  }
  EXPECT_GT(carried, 30);
  EXPECT_GT(refused, 1);
  project.write("out/main.cpp", "#include <cstdio>\n#include <initializer_list>\n" + declarations +
                                    "int main() {\n  int wrong = 0;\n  for (int x : {0, 1, 2, 7, 100, -3}) {\n" +
                                    calls + "  }\n  return wrong > 0;\n}\n");
  std::vector<std::string> link = {"clang++-19", "-w", project.path("out/main.cpp"), "-o", project.path("out/main")};
  link.insert(link.end(), objects.begin(), objects.end());
  ASSERT_TRUE(compiles(link));
  const Result<ProcessResult> ran = runProcess({.argv = {project.path("out/main")}, .timeoutSeconds = 60});
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->ok()) << ran->out << "file: the argument, the unit's result, the kernel's";
}

} // namespace
} // namespace agentic
