// A small consumer project in a scratch folder, driven with the real CMake, Ninja and compilers. Its kernels' generated
// files come from emitFiles, as the tool would write them.
#pragma once

#include "tests/source/emit_fixture.h"
#include "tests/known_compilers.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/model/json.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::test {

// The text around the kernel should break a careless text replacement.
inline constexpr const char *kDotKernel = "AGENTIC_KERNEL int dot(const int *a, const int *b, int n) {\n"
                                          "  // a;b;[c] \\ @D@ ${E} $<F> \"quoted\\\\\" ]] ]=]\n"
                                          "  const char *odd = R\"x(a;b[1]\\;)x\";\n"
                                          "  int s = scale * (odd[0] - 'a');\n"
                                          "  for (int i = 0; i < n; ++i) s += a[i] * b[i];\n"
                                          "  return s;\n}";
inline constexpr const char *kDotSource = "#include \"dot.h\"\n#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n"
                                          "const char *const other = \"x;[y]\\\\;${z}\";\n"
                                          "namespace demo {\nstatic const int scale = 3;\n@KERNEL@\n"
                                          "int line() { return __LINE__; }\n}\n";
inline constexpr const char *kDotMain = R"(#include "dot.h"
extern "C" int printf(const char *, ...);
int main() {
  int a[] = {1, 2, 3};
  printf("%d line %d\n", demo::dot(a, a, 3), demo::line());
}
)";
inline constexpr const char *kDotLists = R"(cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
@MODULE@
add_library(mylib STATIC src/dot.cpp)
add_executable(app src/main.cpp)
target_link_libraries(app PRIVATE mylib)
add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)
)";

class Project : public ::testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(::testing::TempDir(), "ak module "); // a space, as users' folders have them
    ASSERT_TRUE(scratch.has_value()) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    root_ = scratch_->path().string();
    writeDot();
    lists(kDotLists);
  }

  std::string path(const std::string &name) const { return root_ + "/" + name; }
  void write(const std::string &name, const std::string &text) { ASSERT_TRUE(writeFileAtomic(path(name), text)); }
  std::string read(const std::string &name) const { return readFile(path(name)).value_or("(no file " + name + ")"); }
  void edit(const std::string &name, const std::string &from, const std::string &to) {
    const std::string text = read(name);
    ASSERT_NE(text.find(from), std::string::npos) << from;
    write(name, replaceAll(text, from, to));
  }

  void writeDot() {
    write("src/dot.h", "#pragma once\nnamespace demo { int dot(const int *a, const int *b, int n); int line(); }\n");
    write("src/dot.cpp", replaceAll(kDotSource, "@KERNEL@", kDotKernel));
    write("src/main.cpp", kDotMain);
  }

  /// CMakeLists.txt; @MODULE@ becomes an include of this repository's AgenticKernel.cmake.
  void lists(const std::string &text) {
    write("CMakeLists.txt", replaceAll(text, "@MODULE@", "include(" AGENTIC_MODULE_DIR "/AgenticKernel.cmake)"));
  }

  KernelSpec dotSpec() const {
    KernelSpec spec = makeSpec("dot", path("src/dot.cpp"), {"demo"}, "dot", kDotKernel, {"a", "b", "n"});
    spec.closure.push_back({Fragment::Kind::Constant, "demo::scale", "static const int scale = 3;", {"demo"}, false});
    spec.projectHeaders = {path("src/dot.h")};
    return spec;
  }

  /// Variants for x86-64-v2 (every machine that runs these tests has it), whose result is 1000 larger.
  static VariantSource plusThousand(const KernelSpec &spec, const std::string &family) {
    return makeVariant(
        spec, "x86-64-v2", family,
        "#include \"dot.h\"\nextern \"C\" int SYMBOL(const int *a, const int *b, int n) {\n  int s = 1000;\n"
        "  for (int i = 0; i < n; ++i) s += a[i] * b[i];\n  return s;\n}\n");
  }

  void generate(const KernelSpec &spec, const std::vector<VariantSource> &variants, const std::string &directory) {
    auto files = emitFiles(spec, variants, "0.1.0");
    ASSERT_TRUE(files.has_value()) << files.error().message;
    for (const GeneratedFile &file : *files)
      write(directory + "/" + file.name, file.text);
  }
  void generateDot(const std::vector<std::string> &families = {"clang"}) {
    std::vector<VariantSource> variants;
    for (const std::string &family : families)
      variants.push_back(plusThousand(dotSpec(), family));
    generate(dotSpec(), variants, "generated/dot");
  }

  std::string run(std::vector<std::string> argv, std::vector<std::pair<std::string, std::string>> environment = {}) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.workingDirectory = root_;
    spec.addedEnvironment = std::move(environment);
    spec.mergeOutput = true;
    spec.timeoutSeconds = 600;
    auto result = runProcess(spec);
    status_ = result && result->end == ProcessResult::End::Exited ? result->code : -1;
    return result ? result->out : result.error().message;
  }

  /// Configures build/; the output with every run of white space made one blank (CMake wraps messages).
  std::string configure(std::vector<std::string> options = {}) {
    std::vector<std::string> argv = {"cmake",
                                     "-G",
                                     "Ninja",
                                     "-S",
                                     ".",
                                     "-B",
                                     "build",
                                     "-DCMAKE_BUILD_TYPE=Release",
                                     "-DCMAKE_EXPORT_COMPILE_COMMANDS="};
    if (std::ranges::none_of(options, [](const std::string &o) { return o.starts_with("-DCMAKE_CXX_COMPILER="); }))
      argv.push_back("-DCMAKE_CXX_COMPILER=clang++-19");
    if (std::ranges::none_of(options, [](const std::string &o) { return o.starts_with("-DAGENTIC_KERNEL_TOOL="); }))
      argv.push_back("-DAGENTIC_KERNEL_TOOL=OFF");
    argv.insert(argv.end(), options.begin(), options.end());
    knownCompilers().seed(argv, path("build"));
    const std::string output = flat(run(argv));
    if (status_ == 0)
      knownCompilers().learn(argv, path("build"));
    return output;
  }
  std::string build(const std::string &target = "all") {
    const std::string output = run({"ninja", "-C", "build", target});
    EXPECT_EQ(status_, 0) << output;
    return flat(output);
  }
  /// Returns the program's output and the choices it made.
  std::string traced(const std::string &program = "build/app") {
    std::filesystem::remove(path("build/trace"));
    const std::string output = run({path(program)}, {{"AGENTIC_KERNEL_TRACE", path("build/trace")}});
    return output + (std::filesystem::exists(path("build/trace")) ? read("build/trace") : "");
  }

  static std::string flat(const std::string &text) {
    std::string result;
    for (char c : text)
      if (c != ' ' && c != '\n')
        result += c;
      else if (result.empty() || result.back() != ' ')
        result += ' ';
    return result;
  }

  std::optional<ScratchDirectory> scratch_;
  std::string root_;
  int status_ = 0;
};

inline constexpr const char *kBaselineRun = "14 line 15\n"; // no trace: nothing dispatches
inline constexpr const char *kVariantRun = "1014 line 15\ndot x86-64-v2\n";

} // namespace agentic::test
