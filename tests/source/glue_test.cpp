// Tests glue and entries of many signatures, compiled by both compilers, loaded and called.
#include "tests/source/candidate_fixture.h"
#include "tool/runner/glue_abi.h"
#include "tool/source/emit/emit.h"
#include "tool/source/emit/emit_glue.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <optional>
#include <span>

namespace agentic {
namespace {

struct Way {
  const char *compiler, *standard;
};

/// A kernel in SOURCE, its glue and its entry as shared objects.
class GlueTest : public testing::TestWithParam<Way> {
protected:
  void extract(const std::string &source) {
    project_.write("src/k.cpp", source);
    const std::string standard = GetParam().standard;
    const Result<Extraction> extraction = extractKernel(project_.request("src/k.cpp", {}, {"-O2", standard}));
    ASSERT_TRUE(extraction) << extraction.error().message;
    spec_ = extraction->spec;
  }

  Family family() const { return std::string(GetParam().compiler).starts_with("clang") ? Family::Clang : Family::Gcc; }
  CandidateUnit unit() const { return unitOf(spec_, signatureCandidate(spec_), family()); }

  /// Returns the shared object's path; "" with a test failure if it does not compile.
  std::string compiled(const std::string &name, const std::vector<std::string> &texts,
                       const std::vector<std::string> &more = {}) {
    ProcessSpec compile;
    const std::string library = project_.path("out/" + name + ".so");
    compile.argv = {GetParam().compiler,
                    GetParam().standard,
                    "-O2",
                    "-w",
                    "-fPIC",
                    "-shared",
                    "-nostartfiles",
                    "-Wl,-z,defs",
                    "-march=x86-64-v3",
                    "-iquote",
                    project_.path("src")};
    compile.argv.insert(compile.argv.end(), more.begin(), more.end());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string file = project_.path("out/" + name + std::to_string(i) + ".cpp");
      EXPECT_TRUE(writeFileAtomic(file, texts[i]));
      compile.argv.push_back(file);
    }
    compile.argv.insert(compile.argv.end(), {"-o", library});
    const Result<ProcessResult> done = runProcess(compile);
    EXPECT_TRUE(done && done->ok()) << (done ? done->err : done.error().message);
    return done && done->ok() ? library : std::string();
  }

  void *load(const std::string &library, const std::string &symbol) {
    void *object = library.empty() ? nullptr : dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(object) << library << ": " << dlerror();
    void *found = object ? dlsym(object, symbol.c_str()) : nullptr;
    EXPECT_TRUE(found);
    return found;
  }

  const agentic_glue *glue() {
    void *function = load(compiled("glue", {emitGlue(spec_, unit())}), "agentic_kernel_glue_k");
    return function ? reinterpret_cast<const agentic_glue *(*)()>(function)() : nullptr;
  }

  /// Returns the kernel as a candidate, through the entry.
  void *entry() {
    const CandidateUnit candidate = unitOf(spec_, baselineCandidate(spec_), family());
    void *function = load(compiled("entry", {emitEntry(spec_, unit()), candidate.text}), "agentic_kernel_entry_k");
    return function ? reinterpret_cast<void *(*)(void *)>(function)(nullptr) : nullptr;
  }
  void *plain() {
    const CandidateUnit candidate = unitOf(spec_, baselineCandidate(spec_), family());
    return load(compiled("plain", {candidate.text, "extern \"C\" void " + candidate.symbol + "(); void *p = (void *)" +
                                                       candidate.symbol + ";"}),
                "p");
  }

  ScratchProject project_;
  KernelSpec spec_;
};

std::string kinds(const agentic_glue *glue) {
  std::string text;
  for (unsigned i = 0; i < glue->parameterCount; ++i) {
    const agentic_parameter &p = glue->parameters[i];
    text += std::string(i ? " " : "") + "SPORQ"[p.kind] + "bsuf"[p.element] + "iox"[p.direction] +
            std::to_string(p.kind == AGENTIC_POINTER || p.kind == AGENTIC_RANGE ? p.elementSize : p.size) +
            (p.isReference ? "&" : "") + (p.extent ? "!" : "");
  }
  return text + " -> " + "SPORQ"[glue->result.kind] + "bsuf"[glue->result.element] + std::to_string(glue->result.size);
}

constexpr const char *kMarker = "#define AGENTIC_KERNEL\n#define AGENTIC_IN(...)\n#define AGENTIC_OUT(...)\n"
                                "#define AGENTIC_INOUT(...)\n#define AGENTIC_REQUIRES(...)\n#include <cstddef>\n"
                                "#include <cstdint>\n";

TEST_P(GlueTest, ContractAndCall) {
  extract(std::string(kMarker) + R"(
namespace a { namespace b {
AGENTIC_KERNEL AGENTIC_IN(x, n * m) AGENTIC_OUT(y, n + 1) AGENTIC_REQUIRES(n % 2 == 0) AGENTIC_REQUIRES(m > 0)
double scale(const float *x, double *y, std::size_t n, int m, float factor) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) { y[i] = x[i] * factor; sum += y[i]; }
  y[n] = m;
  return sum;
}
}})");
  const agentic_glue *glue = this->glue();
  ASSERT_TRUE(glue);
  EXPECT_EQ(glue->version, unsigned(AGENTIC_GLUE_VERSION));
  EXPECT_STREQ(glue->kernel, "k");
  EXPECT_EQ(kinds(glue), "Pfi4! Pfo8! Sui8 Ssi4 Sfi4 -> Sf8");
  EXPECT_STREQ(glue->parameters[3].name, "m");
  EXPECT_TRUE(glue->parameters[0].isDeclared && !glue->parameters[2].isDeclared);
  std::array<float, 4> x{1, 2, 3, 4};
  std::array<double, 5> y{};
  const float *px = x.data();
  double *py = y.data();
  std::size_t n = 4;
  int m = 3;
  float factor = 2;
  void *arguments[] = {&px, &py, &n, &m, &factor};
  EXPECT_EQ(glue->parameters[0].extent(arguments), 12);
  EXPECT_EQ(glue->parameters[1].extent(arguments), 5);
  EXPECT_EQ(glue->fulfils(arguments), 1);
  n = 3;
  EXPECT_EQ(glue->fulfils(arguments), 0);
  n = 4;
  double result = 0;
  glue->invoke(plain() ? *static_cast<void **>(plain()) : nullptr, arguments, &result);
  EXPECT_EQ(result, 20);
  EXPECT_EQ(y[4], 3);
}

TEST_P(GlueTest, EveryKindOfParameter) {
  extract(std::string(kMarker) + R"(
#include <array>
#include <string>
#include <vector>
enum Color : unsigned short { Red, Green };
enum class Mode { A = -1, B };
struct Point { float x, y; };
struct NotBytes { NotBytes(const NotBytes &); int i; };
struct View { const int *p; std::size_t n; const int *data() const { return p; } std::size_t size() const { return n; } };
struct Incomplete;
typedef void (*Callback)(int);
AGENTIC_KERNEL
int f(bool b, Color c, Mode d, const Point *points, Point p, const Point &q, Point &r, const std::vector<float> &v,
      std::vector<int> &w, std::vector<double> byValue, const std::array<short, 4> &array, float (&fixed)[8],
      double (*rows)[3], char decayed[5], View view, std::string &&text, unsigned &counter, const __int128 *wide,
      long double l, const void *bytes, void *const raw) { return w.size() + byValue.size() + text.size(); })");
  const agentic_glue *glue = this->glue();
  ASSERT_TRUE(glue);
  EXPECT_EQ(kinds(glue),
            "Sui1 Sui2 Ssi4 Pbi8 Obi8 Obi8& Obx8& Rfi4& Rsx4& Rfi8 Osi8& Ofx32& Pfx8 Psx1 Rsi4 Rsx1& Sux4& "
            "Psi16 Sfi16 Pui1 Pux1 -> Ss4");
  EXPECT_TRUE(glue->invoke);
}

TEST_P(GlueTest, WhatCannotBeCapturedIsOpaque) {
  extract(std::string(kMarker) + R"(
#include <vector>
struct NotBytes { NotBytes(const NotBytes &); int i; };
struct Incomplete;
typedef void (*Callback)(int);
AGENTIC_KERNEL
const int *f(float **rows, void **raws, Callback callback, const NotBytes &object, Incomplete *incomplete,
       std::vector<bool> &bits, int *&moved, std::vector<std::vector<int>> &nested, int Incomplete::*member) {
  return *rows ? nullptr : moved;
})");
  const agentic_glue *glue = this->glue();
  ASSERT_TRUE(glue);
  for (unsigned i = 0; i < glue->parameterCount; ++i)
    EXPECT_EQ(glue->parameters[i].kind, AGENTIC_OPAQUE) << glue->parameters[i].name;
  EXPECT_EQ(glue->result.kind, AGENTIC_OPAQUE);
  EXPECT_FALSE(glue->invoke);
  EXPECT_TRUE(glue->forward);
}

TEST_P(GlueTest, WhatCannotBeCapturedIsHandedOver) {
  extract(std::string(kMarker) + R"(
#include <vector>
struct Tree { int value; Tree *next; };
struct Sole { int *p; Sole(int *q) : p(q) {} Sole(Sole &&other) : p(other.p) { other.p = nullptr; } ~Sole() { if (p) *p += 100; } };
AGENTIC_KERNEL static std::vector<int> f(const Tree &tree, Sole sole, int n) {
  return std::vector<int>(n, tree.value + tree.next->value + *sole.p);
})");
  struct Tree {
    int value;
    Tree *next;
  };
  const agentic_glue *glue = this->glue();
  ASSERT_TRUE(glue);
  EXPECT_FALSE(glue->invoke);
  EXPECT_EQ(glue->parameters[0].size, sizeof(Tree));
  EXPECT_EQ(glue->parameters[1].size, sizeof(int *));
  EXPECT_EQ(glue->result.size, sizeof(std::vector<int>));
  Tree last{20, nullptr}, tree{1, &last};
  int third = 300, *sole = &third, n = 4;
  void *arguments[] = {&tree, &sole, &n};
  alignas(std::vector<int>) unsigned char room[sizeof(std::vector<int>)];
  glue->forward(*static_cast<void **>(plain()), arguments, room);
  auto *result = reinterpret_cast<std::vector<int> *>(room);
  EXPECT_EQ(*result, std::vector<int>(4, 321));
  EXPECT_EQ(third, 400) << "the kernel's own copy ended once";
  EXPECT_EQ(sole, nullptr) << "moved";
  result->~vector();
}

TEST_P(GlueTest, RangesAreViewedMadeAndPassedOn) {
  extract(std::string(kMarker) + R"(
#include <vector>
AGENTIC_KERNEL static void f(const std::vector<int> &in, std::vector<int> &out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + 1;
})");
  const agentic_glue *glue = this->glue();
  ASSERT_TRUE(glue);
  alignas(16) std::array<unsigned char, 64> a, b;
  std::array<int, 3> in{1, 2, 3}, out{};
  glue->parameters[0].make(a.data(), in.data(), 3);
  glue->parameters[1].make(b.data(), out.data(), 3);
  void *arguments[] = {a.data(), b.data()};
  glue->invoke(*static_cast<void **>(plain()), arguments, nullptr);
  const void *elements = nullptr;
  unsigned long count = 0;
  glue->parameters[1].view(b.data(), &elements, &count);
  ASSERT_EQ(count, 3u);
  EXPECT_THAT(std::span(static_cast<const int *>(elements), 3), testing::ElementsAre(2, 3, 4));
  glue->parameters[0].destroy(a.data());
  glue->parameters[1].destroy(b.data());
  EXPECT_EQ(glue->result.size, 0u);
}

TEST_P(GlueTest, EntryPassesEverythingOn) {
  extract(std::string(kMarker) + R"(
#include <string>
#include <vector>
AGENTIC_KERNEL std::string f(const std::vector<int> &in, std::vector<int> out, int &counter, double d, char c) noexcept {
  ++counter;
  std::string text(in.size() + out.size(), c);
  return text + std::to_string(int(d));
})");
  void *entry = this->entry();
  ASSERT_TRUE(entry);
  auto *f = reinterpret_cast<std::string (*)(const std::vector<int> &, std::vector<int>, int &, double, char)>(entry);
  int counter = 0;
  EXPECT_EQ(f({1, 2}, {3}, counter, 7.5, 'x'), "xxx7");
  EXPECT_EQ(f({1}, {3}, counter, 8.5, 'y'), "yy8");
  EXPECT_EQ(counter, 2);
}

TEST_P(GlueTest, EntryReturnsReferencesAndNothing) {
  extract(std::string(kMarker) + "AGENTIC_KERNEL const int &f(const int *p, std::size_t n) { return p[n]; }\n");
  void *entry = this->entry();
  ASSERT_TRUE(entry);
  const std::array<int, 3> values{1, 2, 3};
  EXPECT_EQ(&reinterpret_cast<const int &(*)(const int *, std::size_t)>(entry)(values.data(), 2), &values[2]);
}

TEST_P(GlueTest, EntryClobbersOutputsOnlyWhenAsked) {
  extract(std::string(kMarker) + R"(#define AGENTIC_MAY_ALIAS(...)
AGENTIC_KERNEL AGENTIC_IN(in, n) AGENTIC_OUT(a, n) AGENTIC_OUT(b, 2) AGENTIC_INOUT(c, n) AGENTIC_MAY_ALIAS(in, b)
extern "C" void f(const int *in, int *a, int *b, int *c, std::size_t n) {})");
  const auto call = [&](void *entry) {
    std::array<int, 16> values{};
    reinterpret_cast<void (*)(const int *, int *, int *, int *, std::size_t)>(entry)(&values[0], &values[4], &values[8],
                                                                                     &values[12], 3);
    std::string text;
    for (int value : values)
      text += value ? 'x' : '.';
    return text;
  };
  void *entry = this->entry();
  ASSERT_TRUE(entry);
  EXPECT_EQ(call(entry), "................");
  ::setenv("AGENTIC_KERNEL_CLOBBER", "12345", 1);
  entry = reinterpret_cast<void *(*)(void *)>(load(project_.path("out/entry.so"), "agentic_kernel_entry_k"))(nullptr);
  ::unsetenv("AGENTIC_KERNEL_CLOBBER");
  EXPECT_EQ(call(entry), "....xxx.........");
}

TEST_P(GlueTest, NamesOfTheProjectDoNotReachIn) {
  extract(std::string(kMarker) + R"(
#define kind 1
#define element 2
#define size 3
#define type int
#define make abort
#define result throw
#define count -
#define value delete
#define body 7
#define call 7
#define name 7
#define parameters 7
#define invoke 7
#define table 7
AGENTIC_KERNEL AGENTIC_OUT(x, n) AGENTIC_REQUIRES(n > 1) int f(int *x, int n) { return x[n - 1]; })");
  EXPECT_TRUE(glue());
  EXPECT_TRUE(entry());
}

INSTANTIATE_TEST_SUITE_P(Compilers, GlueTest,
                         testing::Values(Way{"clang++-19", "-std=c++11"}, Way{"clang++-19", "-std=c++23"},
                                         Way{"g++", "-std=c++11"}, Way{"g++", "-std=gnu++17"},
                                         Way{"g++", "-std=c++23"}),
                         [](const auto &info) {
                           std::string name = std::string(info.param.compiler) + info.param.standard;
                           std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
                           return name;
                         });

} // namespace
} // namespace agentic
