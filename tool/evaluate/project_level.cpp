#include "tool/evaluate/project_level.h"

#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

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

} // namespace

Result<const Level *> chosenLevel(const Manifest &manifest, const std::string &wanted) {
  if (!wanted.empty()) {
    const Level *level = findLevel(wanted);
    if (!level)
      return userError("there is no level '" + wanted + "'", "choose one of " + knownLevels());
    if (!cpuHasLevel(*level))
      return userError("this machine's CPU (" + cpuName() + ") lacks level " + wanted,
                       "choose a lower level, or run on a machine that has it");
    return level;
  }
  const Level *best = nullptr;
  for (const std::string &name : manifest.architectures) {
    const Level *level = findLevel(name);
    if (!level)
      return userError("kernel '" + manifest.kernel + "': there is no level '" + name + "'",
                       "ARCHITECTURES takes " + knownLevels());
    if (cpuHasLevel(*level) && (!best || level->rank > best->rank))
      best = level;
  }
  if (!manifest.architectures.empty() && !best)
    return userError("kernel '" + manifest.kernel + "': this machine's CPU (" + cpuName() +
                         ") has none of its levels (" + join(manifest.architectures, ", ") + ")",
                     "add a level to ARCHITECTURES, or run on a machine that has one of these");
  if (!best)
    best = hostLevel();
  if (!best)
    return userError("this machine's CPU (" + cpuName() + ") reaches no level that this tool knows",
                     "the levels are " + knownLevels());
  return best;
}

Result<std::vector<const Level *>> chosenLevels(const Manifest &manifest, const std::string &wanted) {
  Result<const Level *> best = chosenLevel(manifest, wanted);
  if (!best)
    return std::unexpected(best.error());
  std::vector<const Level *> chosen;
  if (wanted.empty())
    for (const std::string &name : manifest.architectures)
      if (const Level *level = findLevel(name); cpuHasLevel(*level) && std::ranges::count(chosen, level) == 0)
        chosen.push_back(level);
  if (chosen.empty())
    chosen.push_back(*best);
  std::ranges::sort(chosen, {}, &Level::rank);
  return chosen;
}

Result<void> refuseLowLevel(const Level &level, const CompileCommand &command, const Compiler &compiler) {
  ProcessSpec spec;
  spec.argv = {compiler.path};
  for (const std::string &argument : command.arguments)
    if (argument.starts_with("-m") && argument != "-mllvm")
      spec.argv.push_back(argument);
  spec.argv.insert(spec.argv.end(), {"-dM", "-E", "-x", "c++", "/dev/null"});
  spec.workingDirectory = command.directory;
  Result<ProcessResult> result = runProcess(spec);
  if (!result)
    return std::unexpected(result.error());
  const std::set<std::string> macros = definedMacros(result->out);
  for (const Level &other : levels())
    if (other.processor == level.processor && other.rank > level.rank && implies(macros, other))
      return userError("level " + std::string(level.name) + " is below what the project's own flags imply (" +
                           std::string(other.name) + "): a variant for it would be slower than the baseline",
                       "use ARCHITECTURES " + std::string(other.name) + ", or take -march out of the project's flags");
  return {};
}

} // namespace agentic
