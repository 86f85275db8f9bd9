// Measures what a kernel's call costs beyond a direct call: the numbers in cmake-module/README.md. Run it by hand.
//   dispatch_cost [compiler]
// A project with kernels of next to no work, built in Release with the dispatcher that users get, and a Google
// Benchmark program in another translation unit that calls them one after the other.
#include "tests/e2e/project.h"
#include "tests/source/emit_fixture.h"
#include "tool/base/text.h"

#include <iostream>
#include <stdexcept>

namespace agentic::cost {
namespace {

constexpr const char *kParameters = "(const int *a, const int *b, int *c, int n)";
constexpr const char *kBody = " {\n  c[0] = a[0] + b[0] + n;\n}";

constexpr const char *kLists = R"(cmake_minimum_required(VERSION 3.22)
project(dispatch LANGUAGES CXX)
find_package(AgenticKernel CONFIG REQUIRED)
find_package(benchmark REQUIRED)
add_executable(calls calls.cpp direct.cpp runtime.cpp extents.cpp fixed.cpp)
target_compile_options(calls PRIVATE -march=x86-64-v2)
target_link_libraries(calls PRIVATE benchmark::benchmark_main)
add_agentic_kernel(runtime TARGET calls SOURCE runtime.cpp)
add_agentic_kernel(extents TARGET calls SOURCE extents.cpp)
add_agentic_kernel(fixed TARGET calls SOURCE fixed.cpp DISPATCH STATIC)
)";

constexpr const char *kCalls = R"(#include <benchmark/benchmark.h>
void direct(const int *, const int *, int *, int);
void runtime(const int *, const int *, int *, int);
void extents(const int *, const int *, int *, int);
void fixed(const int *, const int *, int *, int);

template <void (*Kernel)(const int *, const int *, int *, int)> void BM_Call(benchmark::State &state) {
  int a[16] = {1}, b[16] = {2}, c[16] = {};
  for (auto _ : state) {
    Kernel(a, b, c, 16);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Call<direct>)->Name("direct call, no kernel");
BENCHMARK(BM_Call<fixed>)->Name("DISPATCH STATIC");
BENCHMARK(BM_Call<runtime>)->Name("DISPATCH RUNTIME");
BENCHMARK(BM_Call<extents>)->Name("DISPATCH RUNTIME, extents of three pointers");
)";

void must(Result<void> done) {
  if (!done)
    throw std::runtime_error(done.error().message);
}

void writeKernel(const fs::path &root, const std::string &name, bool withExtents) {
  const std::string source = (root / (name + ".cpp")).string();
  const std::string text = "AGENTIC_KERNEL void " + name + kParameters + kBody;
  must(writeFileAtomic(source, "#define AGENTIC_KERNEL\n" + text + "\n"));
  KernelSpec spec = test::makeSpec(name, source, {}, name, text, {"a", "b", "c", "n"});
  for (std::size_t i = 0; i < 3; ++i)
    spec.parameters[i].canonicalType = i < 2 ? "const int *" : "int *";
  if (withExtents)
    spec.contract.extents = {{"a", Direction::In, "n"}, {"b", Direction::In, "n"}, {"c", Direction::Out, "n"}};
  std::vector<VariantSource> variants;
  for (const char *family : {"clang", "gcc"})
    variants.push_back(test::makeVariant(spec, "x86-64-v2", family,
                                         std::string("extern \"C\" void SYMBOL") + kParameters + kBody + "\n"));
  auto files = emitFiles(spec, variants, "0.1.0");
  if (!files)
    throw std::runtime_error(files.error().message);
  for (const GeneratedFile &file : *files)
    must(writeFileAtomic(root / "generated" / name / file.name, file.text));
}

void run(const std::string &compiler) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-dispatch-");
  if (!scratch)
    throw std::runtime_error(scratch.error().message);
  const fs::path &root = scratch->path();
  must(writeFileAtomic(root / "CMakeLists.txt", kLists));
  must(writeFileAtomic(root / "calls.cpp", kCalls));
  must(writeFileAtomic(root / "direct.cpp", std::string("void direct") + kParameters + kBody + "\n"));
  writeKernel(root, "runtime", false);
  writeKernel(root, "extents", true);
  writeKernel(root, "fixed", false);
  const std::string build = (root / "build").string(), trace = (root / "trace").string();
  for (const std::vector<std::string> &command :
       {std::vector<std::string>{"cmake", "-G", "Ninja", "-S", root.string(), "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                                 "-DCMAKE_CXX_COMPILER=" + compiler, "-DCMAKE_PREFIX_PATH=" + e2e::installPrefix(),
                                 "-DAGENTIC_KERNEL_TOOL=OFF"},
        {"cmake", "--build", build},
        {"env", "AGENTIC_KERNEL_TRACE=" + trace, build + "/calls", "--benchmark_repetitions=9",
         "--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true"}}) {
    const e2e::Outcome outcome = e2e::runCommand(command, 300);
    if (outcome.status != 0)
      throw std::runtime_error(join(command, " ") + "\n" + outcome.all());
    std::cout << (command[0] == "env" ? outcome.out + *readFile(trace) : "");
  }
}

} // namespace
} // namespace agentic::cost

int main(int argc, char **argv) {
  try {
    agentic::cost::run(argc > 1 ? argv[1] : agentic::e2e::compilerPath());
  } catch (const std::exception &error) {
    std::cerr << "dispatch_cost: " << error.what() << "\n";
    return 1;
  }
}
