// Measures what kernels cost their project: the numbers in cmake-module/README.md. Not a test: run it by hand, on an
// idle machine.
//   kernels_cost [kernels=100] [repeats=5] [compiler]
#include "tests/cost/many_kernels.h"
#include "tests/cost/row.h"

#include "tests/e2e/project.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iostream>

namespace agentic::cost {
namespace {

struct Ran {
  double wall = 0, cpu = 0; ///< seconds; CPU time of the process and all that it waited for
  std::string out;
};

Ran run(const std::vector<std::string> &argv) {
  auto result = runProcess({.argv = argv, .timeoutSeconds = 600, .mergeOutput = true});
  if (!result || !result->ok())
    throw std::runtime_error(join(argv, " ") + "\n" + (result ? result->out : result.error().message));
  return {result->wallSeconds, result->cpuSeconds, result->out};
}

void must(Result<void> result) {
  if (!result)
    throw std::runtime_error(result.error().message + "\n" + result.error().next);
}

std::string times(const Ran &ran) {
  return fmt::format("{:8.1f} ms, CPU time {:8.1f} ms", ran.wall * 1000, ran.cpu * 1000);
}

/// Other work on the machine can only increase a time.
Ran fastest(const std::vector<Ran> &runs) {
  Ran best = runs.front();
  for (const Ran &one : runs)
    best = {std::min(best.wall, one.wall), std::min(best.cpu, one.cpu), {}};
  return best;
}

class Costs {
public:
  Costs(ManyKernels project, int repeats, std::string compiler)
      : project_(std::move(project)), repeats_(repeats), compiler_(std::move(compiler)) {}

  void measure() {
    must(writeSources(project_));
    configure("first", true);
    must(writeVariants(project_, tree("first")));
    const Ran configured = configure("with", true);
    const auto active = static_cast<int>(split(configured.out, '\n').size() -
                                         split(replaceAll(configured.out, ": x86-64-v2\n", " "), '\n').size());
    row("kernels whose variants are in use", fmt::format("{} of {}", active, project_.count));
    configureInPairs("first configure", true);
    configureInPairs("configure again, nothing changed", false);
    countProcesses();
    builds();
    checks();
  }

private:
  std::string tree(const std::string &name) const { return (project_.root / name).string(); }

  std::vector<std::string> command(const std::string &name, bool kernels, bool tool) const {
    return {"cmake",
            "-G",
            "Ninja",
            "-S",
            project_.source().string(),
            "-B",
            tree(name),
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            "-DCMAKE_CXX_COMPILER=" + compiler_,
            "-DCMAKE_PREFIX_PATH=" + e2e::installPrefix(),
            std::string("-DWITH_KERNELS=") + (kernels ? "ON" : "OFF"),
            "-DAGENTIC_KERNEL_TOOL=" + (tool ? e2e::toolPath() : "OFF")};
  }

  Ran configure(const std::string &name, bool kernels, bool tool = false) const {
    return run(command(name, kernels, tool));
  }

  Ran fastestOf(const std::vector<std::string> &argv) const {
    std::vector<Ran> runs;
    for (int i = 0; i < repeats_; ++i)
      runs.push_back(run(argv));
    return fastest(runs);
  }

  Ran configureWithTool() const { return configure("tool", true, true); }

  void configureInPairs(const std::string &what, bool fresh) const {
    std::vector<Ran> with, without;
    for (int i = 0; i < repeats_; ++i) {
      if (fresh)
        for (const char *name : {"with", "without"})
          fs::remove_all(tree(name));
      without.push_back(configure("without", false));
      with.push_back(configure("with", true));
    }
    row(what + ", without kernels", times(fastest(without)));
    row(what + ", with kernels", times(fastest(with)));
    row(what + ", difference per kernel", times({(fastest(with).wall - fastest(without).wall) / project_.count,
                                                 (fastest(with).cpu - fastest(without).cpu) / project_.count,
                                                 {}}));
  }

  void countProcesses() const {
    for (bool kernels : {false, true}) {
      const std::string name = kernels ? "with" : "without", log = tree("processes");
      std::vector<std::string> argv = {"strace", "-f", "-qq", "-e", "trace=execve,execveat", "-o", log};
      fs::remove_all(tree(name));
      for (const std::string &argument : command(name, kernels, false))
        argv.push_back(argument);
      run(argv);
      std::size_t started = 0;
      for (const std::string &line : split(*readFile(log), '\n'))
        started += line.ends_with(" = 0");
      row(fmt::format("processes that the first configure starts, {} kernels", name), fmt::format("{:5}", started));
    }
  }

  void builds() const {
    for (bool kernels : {false, true}) {
      const std::string name = kernels ? "with" : "without";
      row("full build, " + name + " kernels", times(run({"cmake", "--build", tree(name)})));
      row("build with nothing to do, " + name + " kernels", times(fastestOf({"cmake", "--build", tree(name)})));
    }
    run({tree("with") + "/many_test"});
  }

  void checks() const {
    const std::vector<std::string> check = {e2e::toolPath(), "check", "--build-dir", tree("with")};
    row("agentic-kernel check, all kernels, first time", times(run(check)));
    row("agentic-kernel check, all kernels, nothing changed", times(fastestOf(check)));
    row("first configure with the tool found, which checks every kernel", times(configureWithTool()));
    row("full build with the tool found", times(run({"cmake", "--build", tree("tool")})));
    configureWithTool(); // the first that sees the commands of the units
    row("configure again with the tool found, nothing changed", times(fastestOf(command("tool", true, true))));
    row("build with nothing to do, tool found", times(fastestOf({"cmake", "--build", tree("tool")})));
  }

  ManyKernels project_;
  int repeats_;
  std::string compiler_;
};

} // namespace
} // namespace agentic::cost

int main(int argc, char **argv) {
  using namespace agentic;
  try {
    const int kernels = argc > 1 ? std::stoi(argv[1]) : 100;
    const int repeats = argc > 2 ? std::stoi(argv[2]) : 5;
    auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-cost-");
    if (!scratch)
      throw std::runtime_error(scratch.error().message);
    cost::Costs({scratch->path(), kernels}, repeats, argc > 3 ? argv[3] : e2e::compilerPath()).measure();
  } catch (const std::exception &error) {
    std::cerr << "kernels_cost: " << error.what() << "\n";
    return 1;
  }
}
