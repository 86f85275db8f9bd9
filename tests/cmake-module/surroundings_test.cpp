// Tests one kernel with an active variant in every kind of program: each once per compiler, built by one project and
// run. All of them print the variant's results and leave its trace.
#include "tests/cmake-module/project_fixture.h"

namespace agentic::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The dispatcher in these surroundings is tested, so each target compiles SOURCE itself, with flags of its own.
constexpr const char *kLists = R"(cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
@MODULE@
find_package(Threads REQUIRED)

function(program name main)
  add_executable(${name} src/dot.cpp ${main})
  target_compile_options(${name} PRIVATE ${ARGN})
  target_link_options(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE Threads::Threads)
endfunction()
program(at_link_time src/main.cpp -flto)
program(all_static src/main.cpp -static)
program(addresses src/main.cpp -fsanitize=address,undefined)
program(threads src/threads.cpp -fsanitize=thread)
program(before_main src/before_main.cpp)
add_library(freestanding STATIC src/dot.cpp)
target_compile_options(freestanding PRIVATE -ffreestanding -fno-builtin -fno-exceptions -fno-rtti -fno-threadsafe-statics
                       -fno-asynchronous-unwind-tables)
add_executable(bare src/main.cpp) # main() is nothing special to a freestanding compiler: it would not even return 0
target_link_libraries(bare PRIVATE freestanding)
add_library(plugin MODULE src/dot.cpp src/plugin.cpp)
set_target_properties(plugin PROPERTIES CXX_VISIBILITY_PRESET hidden)
add_executable(host src/host.cpp)
target_link_libraries(host PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(host plugin)
add_agentic_kernel(dot TARGET at_link_time all_static addresses threads before_main freestanding plugin
                  SOURCE src/dot.cpp)
)";

// These threads only make the first call at the same moment.
constexpr const char *kThreads = R"(#include "dot.h"
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
int main() {
  static const int a[] = {1, 2, 3};
  std::atomic<int> waiting{0}, sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      ++waiting;
      while (waiting < 16)
        std::this_thread::yield();
      sum += demo::dot(a, a, 3);
    });
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%d line %d\n", sum / 16, demo::line());
}
)";

constexpr const char *kBeforeMain = R"(#include "dot.h"
extern "C" int printf(const char *, ...);
static const int a[] = {1, 2, 3};
struct Early {
  int value;
  Early() : value(demo::dot(a, a, 3)) {}
};
__attribute__((init_priority(101))) static Early early;
int main() { printf("%d line %d\n", early.value, demo::line()); }
)";

constexpr const char *kPlugin = R"(#include "dot.h"
extern "C" __attribute__((visibility("default"))) int entry(const int *a, int n) { return demo::dot(a, a, n); }
extern "C" __attribute__((visibility("default"))) int entry_line() { return demo::line(); }
)";

// Loaded, unloaded and loaded again: the second time is a first call again.
constexpr const char *kHost = R"(#include <cstdio>
#include <dlfcn.h>
int main(int, char **argv) {
  const int a[] = {1, 2, 3};
  int sum = 0, line = 0;
  for (int i = 0; i < 2; ++i) {
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
      return std::puts(dlerror());
    sum += reinterpret_cast<int (*)(const int *, int)>(dlsym(plugin, "entry"))(a, 3);
    line = reinterpret_cast<int (*)()>(dlsym(plugin, "entry_line"))();
    if (dlclose(plugin) != 0)
      return 1;
  }
  std::printf("%d line %d\n", sum / 2, line);
}
)";

class SurroundingsTest : public Project, public ::testing::WithParamInterface<const char *> {};

TEST_P(SurroundingsTest, TheVariantRunsInEachOfThem) {
  lists(kLists);
  write("src/threads.cpp", kThreads);
  write("src/before_main.cpp", kBeforeMain);
  write("src/plugin.cpp", kPlugin);
  write("src/host.cpp", kHost);
  generateDot({"clang", "gcc"});
  ASSERT_THAT(configure({std::string("-DCMAKE_CXX_COMPILER=") + GetParam()}),
              HasSubstr("agentic kernel 'dot': x86-64-v2"));
  build();
  for (const char *program : {"at_link_time", "all_static", "addresses", "before_main", "bare"})
    EXPECT_EQ(traced(std::string("build/") + program), kVariantRun) << program;

  const std::string threads = traced("build/threads");
  EXPECT_THAT(threads, ::testing::StartsWith(kVariantRun)); // a line for each thread that made the choice
  EXPECT_THAT(threads, Not(HasSubstr("WARNING: ThreadSanitizer")));
  EXPECT_EQ(status_, 0);

  std::filesystem::remove(path("build/trace"));
  EXPECT_EQ(run({path("build/host"), path("build/libplugin.so")}, {{"AGENTIC_KERNEL_TRACE", path("build/trace")}}),
            "1014 line 15\n");
  EXPECT_EQ(read("build/trace"), "dot x86-64-v2\ndot x86-64-v2\n");
  EXPECT_THAT(run({"readelf", "-d", path("build/all_static")}), HasSubstr("no dynamic section"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, SurroundingsTest, ::testing::Values("clang++-19", "g++"),
                         [](const auto &info) { return info.index == 0 ? "clang" : "gcc"; });

} // namespace
} // namespace agentic::test
