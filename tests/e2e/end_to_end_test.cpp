// END_TO_END: the whole application with the variant as it ships; a script around a program as benchmark.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char *kLists = R"(cmake_minimum_required(VERSION 3.22)
project(prefix LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(AgenticKernel CONFIG REQUIRED)
enable_testing()
add_library(prefix STATIC prefix.cpp)
add_executable(prefix_test prefix_test.cpp)
add_executable(app app.cpp)
target_compile_options(prefix_test PRIVATE -UNDEBUG)
target_link_libraries(prefix_test PRIVATE prefix)
target_link_libraries(app PRIVATE prefix)
add_test(NAME speed COMMAND sh ${CMAKE_SOURCE_DIR}/speed.sh $<TARGET_FILE:app>)
add_agentic_kernel(prefix TARGET prefix SOURCE prefix.cpp TESTS prefix_test
  BENCHMARKS speed BENCHMARK_METRIC "^speed: ([0-9.e+]+) calls/s" calls/s
  @END_TO_END@
  VARIANT_DIR generated)
)";

constexpr const char *kKernel = R"(#include <cstddef>
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif
AGENTIC_KERNEL
void prefixSums(const unsigned *in, unsigned *out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    unsigned sum = 0;
    for (std::size_t j = 0; j <= i; ++j)
      sum += in[j];
    out[i] = sum;
  }
}
)";

// Does a thousandth of the work, and takes less than a twentieth of the time.
constexpr const char *kFaster = R"(
void prefixSums(const unsigned *in, unsigned *out, std::size_t n) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += in[i];
    out[i] = sum;
  }
}
)";

constexpr const char *kTest = R"(#include <cassert>
#include <cstddef>
#include <vector>
void prefixSums(const unsigned *in, unsigned *out, std::size_t n);
int main() {
  for (std::size_t n = 1; n < 300; n += 7)
    for (const unsigned first : {3u, 4000000000u}) {
      std::vector<unsigned> in(n), out(n, 77), expected(n);
      for (std::size_t i = 0; i < n; ++i) {
        in[i] = first + unsigned(i * i);
        expected[i] = in[i] + (i ? expected[i - 1] : 0u);
      }
      prefixSums(in.data(), out.data(), n);
      assert(out == expected);
    }
}
)";

constexpr const char *kApplication = R"(#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>
void prefixSums(const unsigned *in, unsigned *out, std::size_t n);
int main(int argc, char **) {
  const std::size_t n = 2000, calls = 400;
  std::vector<unsigned> in(n, 3), out(n);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t call = 0; call < calls && argc < 3; ++call)
    prefixSums(in.data(), out.data(), n);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("elements: %zu\nspeed: %.6g calls/s\ntotal: %.9f s (%u)\n", n, double(calls) / seconds, seconds, out[n - 1]);
}
)";

class EndToEndRun : public testing::Test {
protected:
  void SetUp() override {
    project_.write("prefix.cpp", kKernel);
    project_.write("prefix_test.cpp", kTest);
    project_.write("app.cpp", kApplication);
    project_.write("faster.cpp", kFaster);
    project_.write("speed.sh", "test -x \"$1\" && \"$1\" | grep speed\n"); // hides how the program ended
    project_.write("run.sh", "exec \"$1\"\n");
  }
  Outcome apply(const std::string &endToEnd) {
    std::string lists = kLists;
    lists.replace(lists.find("@END_TO_END@"), 12, endToEnd);
    project_.write("CMakeLists.txt", lists);
    const Outcome configured = project_.configure({"-DCMAKE_BUILD_TYPE=Release"});
    EXPECT_EQ(configured.status, 0) << configured.all();
    return project_.tool({"apply", "--kernel", "prefix", (project_.source() / "faster.cpp").string()});
  }
  bool isWritten() const { return fs::exists(project_.source() / "generated/prefix.lock.json"); }
  std::string variant() const {
    for (const auto &entry : fs::directory_iterator(project_.source() / "generated"))
      if (entry.path().extension() == ".cpp")
        return project_.read("generated/" + entry.path().filename().string());
    return {};
  }

  Project project_{"examples/quickstart"};
};

// An application that is a hundred times as fast, and a benchmark, both started by scripts.
TEST_F(EndToEndRun, TheApplicationIsMeasuredWithTheVariantAsItShips) {
  const Outcome applied = apply("END_TO_END sh run.sh $<TARGET_FILE:app> METRIC \"total: ([0-9.]+) s\" s");
  ASSERT_EQ(applied.status, 0) << applied.all();
  EXPECT_THAT(applied.err, testing::ContainsRegex("application 'app' printed [0-9.]+ s, from the line 'total: .*'; the "
                                                  "kernel makes [0-9]+ % of it"));
  EXPECT_THAT(applied.err, HasSubstr("benchmark program 'speed' printed"));
  const nlohmann::json &application = applied.json.at("end_to_end");
  EXPECT_EQ(application.at("outcome"), "faster") << application.dump();
  EXPECT_GT(application.at("speedup").at("low").get<double>(), 1);
  EXPECT_GE(application.at("pairs").get<int>(), 8);
  EXPECT_THAT(application.at("printed").get<std::string>(), HasSubstr("from the line 'total: "));
  EXPECT_THAT(variant(), AllOf(HasSubstr("//   end-to-end   "), HasSubstr("(s of 'app' in ")));
}

TEST_F(EndToEndRun, NoMeasurableChangeIsSaidAndRefusesNothing) {
  const Outcome applied = apply("END_TO_END app METRIC \"elements: ([0-9]+)\" s");
  ASSERT_EQ(applied.status, 0) << applied.all();
  EXPECT_THAT(applied.err, HasSubstr("the kernel makes 0 % of it"));
  EXPECT_EQ(applied.json.at("end_to_end").at("outcome"), "no-change") << applied.json.dump();
  EXPECT_THAT(variant(), HasSubstr("//   end-to-end   no measurable change ["));
}

// The number of calls in a second, taken for a time, gets worse by a factor of hundred.
TEST_F(EndToEndRun, AnApplicationThatGotSlowerForSureIsRefused) {
  const Outcome applied = apply("END_TO_END app METRIC \"speed: ([0-9.e+]+) calls\" s");
  expectOneError(applied, 4,
                 {"the application 'app' (END_TO_END) is slower", "slower for sure", "nothing was written"});
  EXPECT_FALSE(isWritten());
}

TEST_F(EndToEndRun, ACommandThatCannotHoldTheVariantIsRefused) {
  expectOneError(apply("END_TO_END app one two METRIC \"total: ([0-9.]+) s\" s"), 1,
                 {"which runs 'app', does not call kernel 'prefix'"});
  expectOneError(apply("END_TO_END sh run.sh /bin/true METRIC \"total: ([0-9.]+) s\" s"), 1,
                 {"END_TO_END of kernel 'prefix' names no program that this build makes", "$<TARGET_FILE:"});
  expectOneError(apply("END_TO_END app METRIC \"sum: ([0-9.]+) s\" s"), 1,
                 {"application 'app' printed nothing that METRIC of END_TO_END 'sum: ([0-9.]+) s' matches"});
}

} // namespace
} // namespace agentic::e2e
