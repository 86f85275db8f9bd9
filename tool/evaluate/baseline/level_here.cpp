#include "tool/evaluate/baseline/level_here.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/source/emit/emit_cpu.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kProbeSeconds = 30;
constexpr int kHas = 10, kLacks = 11; // no failing emulator or loader returns these

Result<std::string> probeText(const Level &level, Language language) {
  const Level *const one[] = {&level};
  if (language == Language::C) { // a C compiler may have no C++ beside it
    std::string probe = TRY(emitCpuProbeC(one, "here"));
    return probe + "int main(void) { return " + cpuPredicateC(level, "here") + "() ? " + std::to_string(kHas) + " : " +
           std::to_string(kLacks) + "; }\n";
  }
  std::string probe = TRY(emitCpuProbe(one));
  return probe + "int main() { return " + cpuPredicate(level) + "() ? " + std::to_string(kHas) + " : " +
         std::to_string(kLacks) + "; }\n";
}

/// Returns the probe program; compiles it if it is absent.
Result<std::string> probeProgram(const Level &level, const Manifest &manifest) {
  const Compiler compiler = TRY(compilerOf(manifest));
  const CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
  const std::string text = TRY(probeText(level, languageOf(command)));
  const std::vector<std::string> target = targetOptions(command);
  const std::string key =
      HashBuilder().add(text).add(compiler.path).add(compiler.version).add(join(target, " ")).hex().substr(0, 16);
  const std::string folder = manifest.buildDir + "/_agentic/cache", program = folder + "/probe-" + key;
  std::error_code error;
  if (fs::exists(program, error))
    return program;
  TRY(createDirectories(folder));
  ScratchDirectory scratch = TRY(ScratchDirectory::create(folder, "probe-"));
  const std::string source = scratch.path() / (std::string("probe") + fileEnding(languageOf(command))),
                    output = scratch.path() / "probe";
  TRY(writeFileAtomic(source, text));
  ProcessSpec spec;
  spec.argv = {compiler.path, "-w", source, "-o", output};
  spec.argv.insert(spec.argv.begin() + 1, target.begin(), target.end());
  spec.timeoutSeconds = kProbeSeconds;
  spec.mergeOutput = true;
  const ProcessResult compiled = TRY(runProcess(spec));
  if (!compiled.ok())
    return userError("a program that asks for level " + std::string(level.name) + " does not compile with '" +
                         compiler.path + "': " + firstLine(compiled.out),
                     "check that the toolchain of this build can link programs");
  fs::rename(output, program, error); // atomic: a concurrent process makes the same file
  if (error)
    return userError("cannot write '" + program + "': " + error.message(),
                     "check the free space and permissions there");
  return program;
}

Result<LevelHere> askRunner(const Level &level, const Manifest &manifest) {
  const std::string program = TRY(probeProgram(level, manifest));
  const std::string runner = join(manifest.runner, " ");
  ProcessSpec spec;
  spec.argv = manifest.runner;
  spec.argv.push_back(program);
  spec.timeoutSeconds = kProbeSeconds;
  spec.mergeOutput = true;
  const ProcessResult ran = TRY(runProcess(spec));
  if (ran.end == ProcessResult::End::Exited && (ran.code == kHas || ran.code == kLacks))
    return ran.code == kHas ? LevelHere::Emulated : LevelHere::No;
  return userError("RUNNER '" + runner + "' cannot run a program of this build: it " + ran.describe() +
                       (ran.out.empty() ? "" : ": " + firstLine(ran.out)),
                   "run '" + runner + " " + program +
                       "' by hand; qemu-user needs -L with the folder of the target's "
                       "libraries");
}

} // namespace

Result<LevelHere> levelHere(const Level &level, const Manifest &manifest, const Cpu &cpu) {
  if (!manifest.processor.empty() && std::ranges::count(levelsOf(manifest.processor), &level) == 0)
    return LevelHere::No;
  // Checked even for a level that needs no RUNNER: the tests run under it.
  if (!manifest.runner.empty() && !findProgram(manifest.runner.front()))
    return userError("the RUNNER '" + join(manifest.runner, " ") + "' of kernel '" + manifest.kernel +
                         "' is not in PATH",
                     "install it (the package 'qemu-user' for emulators), or correct RUNNER");
  if (hasLevel(cpu, level))
    return LevelHere::Native;
  if (manifest.runner.empty())
    return LevelHere::No;
  return askRunner(level, manifest);
}

Result<LevelHere> levelHere(std::string_view level, const Manifest &manifest, const Cpu &cpu) {
  const Level *known = findLevel(level);
  return known ? levelHere(*known, manifest, cpu) : Result<LevelHere>(LevelHere::No);
}

} // namespace agentic
