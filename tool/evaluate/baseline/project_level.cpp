#include "tool/evaluate/baseline/project_level.h"

#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"
#include "tool/build/host.h"
#include "tool/evaluate/baseline/level_here.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

std::string knownLevels() {
  return join(levelNames(), ", ");
}

std::set<std::string> definedMacros(const std::string &output) {
  std::set<std::string> names;
  for (const std::string &line : split(output, '\n'))
    if (line.starts_with("#define "))
      names.insert(line.substr(8, line.find_first_of(" (", 8) - 8));
  return names;
}

bool implies(const std::set<std::string> &macros, const Level &level) {
  for (const std::string &macro : split(level.macros, ' '))
    if (!macros.contains(macro))
      return false;
  return true;
}

bool isCross(const Manifest &manifest, const Cpu &cpu) {
  return !manifest.processor.empty() && levelsOf(manifest.processor) != levelsOf(cpu.processor);
}

std::string whoLacks(const Manifest &manifest) {
  if (!manifest.runner.empty())
    return "the CPU that RUNNER '" + join(manifest.runner, " ") + "' presents";
  return "this machine's CPU (" + cpuName() + ")";
}

/// "lzcnt, movbe"; empty if the level belongs to another processor.
std::string missingHere(const Level &level, const Cpu &cpu) {
  return std::ranges::count(levelsOf(cpu.processor), &level) == 0 ? "" : join(lackedFeatures(cpu, level), ", ");
}

std::unexpected<Error> lacking(const Level &level, const Manifest &manifest, const Cpu &cpu) {
  const std::string name(level.name);
  const std::vector<const Level *> targets = levelsOf(manifest.processor);
  if (!manifest.processor.empty() && std::ranges::count(targets, &level) == 0)
    return userError("level " + name + " is not one of " + manifest.processor + ", which this build is for",
                     "use a build tree that is configured with a toolchain for it");
  std::string next = "choose a lower level, or name a machine that has it with optimize --farm";
  if (level.features.find("avx512") != std::string_view::npos)
    next += "; no emulator of user programs has AVX-512"; // qemu 7.2 and 8.2
  else if (manifest.runner.empty())
    next += "; or name an emulator as RUNNER: its variant is then tested and stays untuned";
  else
    next += "; or let RUNNER present one: qemu-aarch64 -cpu max, qemu-riscv64 -cpu rv64,v=true";
  const std::string missing = manifest.runner.empty() ? missingHere(level, cpu) : "";
  return userError(whoLacks(manifest) + " lacks level " + name + (missing.empty() ? "" : ": it has no " + missing),
                   next);
}

/// Returns the levels of ARCHITECTURES that can run here, lowest first.
Result<std::vector<const Level *>> namedLevels(const Manifest &manifest, const Cpu &cpu) {
  std::vector<const Level *> found;
  for (const std::string &name : manifest.architectures) {
    const Level *level = findLevel(name);
    if (!level)
      return userError("kernel '" + manifest.kernel + "': there is no level '" + name + "'",
                       "ARCHITECTURES takes " + knownLevels());
    const LevelHere here = TRY(levelHere(*level, manifest, cpu));
    if (here != LevelHere::No && std::ranges::count(found, level) == 0)
      found.push_back(level);
  }
  std::ranges::sort(found, {}, &Level::rank);
  return found;
}

/// Returns the machine's own highest level; for another processor, the lowest that all of its CPUs have.
Result<const Level *> defaultLevel(const Manifest &manifest, const Cpu &cpu) {
  if (!isCross(manifest, cpu)) {
    if (const Level *best = highestLevel(cpu))
      return best;
    const std::vector<const Level *> own = levelsOf(cpu.processor);
    if (own.empty())
      return userError("this machine's CPU (" + cpuName() + ") reaches no level that this tool knows",
                       "the levels are " + knownLevels());
    const std::string lowest(own.front()->name);
    return userError("this machine's CPU (" + cpuName() + ") is below " + lowest +
                         ", the lowest level that this tool tunes for: it has no " + missingHere(*own.front(), cpu),
                     "tune on a machine with at least " + lowest +
                         "; programs run on this one as they did, with the "
                         "baseline");
  }
  const std::vector<const Level *> targets = levelsOf(manifest.processor);
  if (targets.empty())
    return userError("this tool knows no level of " + manifest.processor + ", which this build is for",
                     "the levels are " + knownLevels());
  const LevelHere here = TRY(levelHere(*targets.front(), manifest, cpu));
  if (here == LevelHere::No)
    return lacking(*targets.front(), manifest, cpu);
  return targets.front();
}

} // namespace

Result<const Level *> chosenLevel(const Manifest &manifest, const std::string &wanted, const Cpu &cpu) {
  if (!wanted.empty()) {
    const Level *level = findLevel(wanted);
    if (!level)
      return userError("there is no level '" + wanted + "'", "choose one of " + knownLevels());
    const LevelHere here = TRY(levelHere(*level, manifest, cpu));
    if (here == LevelHere::No)
      return lacking(*level, manifest, cpu);
    return level;
  }
  if (manifest.architectures.empty())
    return defaultLevel(manifest, cpu);
  const std::vector<const Level *> named = TRY(namedLevels(manifest, cpu));
  if (named.empty())
    return userError("kernel '" + manifest.kernel + "': " + whoLacks(manifest) + " has none of its levels (" +
                         join(manifest.architectures, ", ") + ")",
                     "add a level to ARCHITECTURES, or run on a machine that has one of these");
  return named.back();
}

Result<std::vector<const Level *>> lackedLevels(const Manifest &manifest, const std::string &wanted, const Cpu &cpu) {
  std::vector<const Level *> lacked;
  for (const std::string &name : wanted.empty() ? manifest.architectures : std::vector{wanted})
    if (const Level *level = findLevel(name))
      if (TRY(levelHere(*level, manifest, cpu)) != LevelHere::Native && std::ranges::count(lacked, level) == 0)
        lacked.push_back(level);
  return lacked;
}

Result<std::vector<const Level *>> chosenLevels(const Manifest &manifest, const std::string &wanted, const Cpu &cpu,
                                                const std::vector<Cpu> &hosts) {
  std::vector<const Level *> there =
      hosts.empty() ? std::vector<const Level *>() : TRY(lackedLevels(manifest, wanted, cpu));
  std::erase_if(there, [&](const Level *level) {
    return (!manifest.processor.empty() && std::ranges::count(levelsOf(manifest.processor), level) == 0) ||
           std::ranges::none_of(hosts, [&](const Cpu &host) { return hasLevel(host, *level); });
  });
  if (!there.empty()) {
    const Result<std::vector<const Level *>> here = chosenLevels(manifest, wanted, cpu);
    for (const Level *level : here.value_or(std::vector<const Level *>()))
      if (std::ranges::count(there, level) == 0)
        there.push_back(level);
    std::ranges::sort(there, {}, &Level::rank);
    return there;
  }
  if (wanted.empty() && !manifest.architectures.empty())
    if (Result<std::vector<const Level *>> named = namedLevels(manifest, cpu); !named || !named->empty())
      return named;
  const Level *one = TRY(chosenLevel(manifest, wanted, cpu));
  return std::vector<const Level *>{one};
}

std::vector<std::string> programFeatures(const Level &level, const CompileCommand &command, const Cpu &cpu) {
  std::vector<std::string> features = split(level.features, ',');
  bool isOpen = false;
  for (const std::string &argument : command.arguments) {
    if (!argument.starts_with("-m"))
      continue;
    const std::string value = argument.substr(argument.find('=') + 1);
    if (const Level *implied = argument.starts_with("-march=") ? findLevel(value) : nullptr) {
      const std::vector<std::string> own = split(implied->features, ',');
      features.insert(features.end(), own.begin(), own.end());
    } else if (!argument.starts_with("-mtune=") && argument != "-march=x86-64" && argument != "-march=armv8-a") {
      isOpen = true;
    }
  }
  for (const CpuFeature &feature : cpuFeatures())
    if (isOpen && hasFeatures(cpu, feature.name))
      features.emplace_back(feature.name);
  std::erase(features, "");
  std::ranges::sort(features);
  const auto twice = std::ranges::unique(features);
  features.erase(twice.begin(), twice.end());
  return features;
}

Result<void> refuseLowLevel(const Level &level, const CompileCommand &command, const Compiler &compiler) {
  ProcessSpec spec;
  spec.argv = {compiler.path};
  const std::vector<std::string> target = targetOptions(command);
  spec.argv.insert(spec.argv.end(), target.begin(), target.end());
  for (const std::string &argument : command.arguments)
    if (argument.starts_with("-m") && argument != "-mllvm")
      spec.argv.push_back(argument);
  spec.argv.insert(spec.argv.end(), {"-dM", "-E", "-x", driverLanguage(languageOf(command)), "/dev/null"});
  spec.workingDirectory = command.directory;
  ProcessResult result = TRY(runProcess(spec));
  const std::set<std::string> macros = definedMacros(result.out);
  const Level *implied = &level;
  for (const Level &other : levels())
    if (!other.onRequest && other.processor == level.processor && other.rank > implied->rank && implies(macros, other))
      implied = &other;
  if (implied == &level)
    return {};
  std::vector<std::string> missing = split(implied->features, ',');
  const std::vector<std::string> own = split(level.features, ',');
  std::erase_if(missing, [&](const std::string &feature) { return std::ranges::count(own, feature) > 0; });
  const std::string name(implied->name);
  return userError("level " + std::string(level.name) + " is below what the project's own flags imply (" + name +
                       "): it lacks " + join(missing, ", ") +
                       ", and a variant for it would be slower than the baseline",
                   "use ARCHITECTURES " + name +
                       ", or name no level, which takes the highest of this machine, or take "
                       "-march out of the project's flags");
}

} // namespace agentic
