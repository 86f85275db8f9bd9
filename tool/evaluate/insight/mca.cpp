#include "tool/evaluate/insight/mca.h"

#include "tool/base/process.h"
#include "tool/base/text.h"

#include <algorithm>
#include <optional>

namespace agentic {
namespace {

constexpr std::size_t kMostInstructions = 2000, kMostLines = 20;

std::optional<std::string> installedMca() {
  for (const char *name : {"llvm-mca-19", "llvm-mca-18", "llvm-mca-17", "llvm-mca-16", "llvm-mca"})
    if (auto found = findProgram(name))
      return found;
  return std::nullopt;
}

} // namespace

std::string mcaProcessor(std::string_view level) {
  if (level == "x86-64-v2")
    return "nehalem";
  if (level == "x86-64-v3")
    return "haswell";
  if (level == "x86-64-v4")
    return "skylake-avx512";
  return level == "x86-64-v4-vnni" ? "icelake-server" : "";
}

std::string mcaInput(const HotLoop &loop) {
  std::string text = ".Lhot:\n";
  for (const AssemblyLine &line : loop.lines) {
    if (line.mnemonic.starts_with("call") || line.mnemonic.starts_with('.') || line.mnemonic.starts_with('('))
      continue;
    if (line.isJump) {
      if (line.target == loop.lines.front().address)
        text += std::string(line.mnemonic) + " .Lhot\n";
      continue;
    }
    const std::string_view operands = line.operands.substr(0, line.operands.find(" <"));
    text += std::string(line.mnemonic) + " " + std::string(operands) + "\n";
  }
  return text;
}

std::string mcaSummary(std::string_view output) {
  std::string text;
  std::size_t lines = 0;
  bool isTotals = false, isBottleneck = false;
  for (const std::string &line : split(output.substr(0, std::size_t{64} << 10), '\n')) {
    isTotals = line.starts_with("Iterations:") || (isTotals && !trim(line).empty()) || line.starts_with("Dispatch");
    isBottleneck = line.find("bottlenecks") != line.npos || line.find("Bottlenecks") != line.npos ||
                   (isBottleneck && line.find('[') != line.npos);
    if ((isTotals || isBottleneck) && ++lines <= kMostLines)
      text += line + "\n";
  }
  return text;
}

McaEstimate estimate(const HotLoop &loop, std::string_view level, const std::string &program) {
  if (loop.lines.empty())
    return {{}, "there is no loop in the kernel's object code"};
  if (loop.lines.size() > kMostInstructions)
    return {{}, "the hot loop has more than 2000 instructions"};
  const std::string processor = mcaProcessor(level);
  if (processor.empty())
    return {{}, "no processor is known that stands for the level " + std::string(level)};
  const auto found = program.empty() ? installedMca() : findProgram(program);
  if (!found)
    return {{}, "llvm-mca is not in PATH; the package 'llvm-19' has it"};
  ProcessSpec spec;
  spec.argv = {*found,
               "-mtriple=x86_64-linux-gnu",
               "-mcpu=" + processor,
               "-iterations=100",
               "-instruction-info=0",
               "-resource-pressure=0",
               "-bottleneck-analysis"};
  spec.input = mcaInput(loop);
  spec.addedEnvironment = {{"LC_ALL", "C"}};
  spec.timeoutSeconds = 10;
  spec.limits.addressSpaceBytes = std::uint64_t{2} << 30;
  const auto result = runProcess(spec);
  if (!result)
    return {{}, result.error().message};
  if (!result->ok())
    return {{}, "llvm-mca " + result->describe() + ": " + firstLine(result->err.substr(0, 200))};
  return {mcaSummary(result->out), {}};
}

} // namespace agentic
