// Tests the cost of a consumer's configure per kernel: no process, and nothing that grows with the number of kernels.
#include "tests/cmake-module/project_fixture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic::test {
namespace {

using ::testing::HasSubstr;

class CostTest : public Project {
protected:
  /// Writes `count` kernels in one library, each with its own source and fresh variants.
  void kernels(int count) {
    std::string text =
        "cmake_minimum_required(VERSION 3.22)\nproject(consumer LANGUAGES CXX)\n@MODULE@\n"
        "file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/src/k*.cpp)\nadd_library(mylib STATIC ${sources})\n";
    for (int i = 0; i < count; ++i) {
      const std::string name = fmt::format("k{}", i),
                        kernel = "AGENTIC_KERNEL int " + name + "(int x) { return 2 * x; }";
      write("src/" + name + ".cpp", "#define AGENTIC_KERNEL\n" + kernel + "\n");
      const KernelSpec spec = makeSpec(name, path("src/" + name + ".cpp"), {}, name, kernel, {"x"});
      generate(spec, {makeVariant(spec, "x86-64-v2", "clang", "extern \"C\" int SYMBOL(int x) { return x + x; }\n")},
               "generated/" + name);
      text += fmt::format("add_agentic_kernel({0} TARGET mylib SOURCE src/{0}.cpp)\n", name);
    }
    lists(text);
  }

  /// Returns commands of a first configure that start a process, with their first arguments.
  std::vector<std::string> processes() {
    std::filesystem::remove_all(path("build"));
    configured_ = configure({"--trace-format=json-v1", "--trace-redirect=" + path("trace.json")});
    EXPECT_EQ(status_, 0) << configured_;
    std::vector<std::string> started;
    for (const std::string &line : split(read("trace.json"), '\n')) {
      const nlohmann::json call = nlohmann::json::parse(line, nullptr, false);
      std::string command = call.is_object() ? call.value("cmd", "") : "";
      std::ranges::transform(command, command.begin(), ::tolower);
      for (const char *one : {"execute_process", "exec_program", "try_compile", "try_run", "build_command"})
        if (command == one)
          started.push_back(call["file"].get<std::string>() + ": " + command);
    }
    return started;
  }

  std::string configured_;
};

TEST_F(CostTest, AConsumersConfigureStartsNoProcessForItsKernels) {
  kernels(0);
  write("src/k.cpp", "");
  processes(); // detects the compiler, unless a test before did
  const std::vector<std::string> without = processes();
  ASSERT_THAT(without, ::testing::Contains(HasSubstr("execute_process"))); // the trace does show them: CMake's own
  kernels(12);
  EXPECT_EQ(processes(), without);
  for (int i = 0; i < 12; ++i)
    EXPECT_THAT(configured_, HasSubstr(fmt::format("agentic kernel 'k{}': x86-64-v2", i)));
  build();
  EXPECT_THAT(build(), HasSubstr("no work to do"));
}

} // namespace
} // namespace agentic::test
