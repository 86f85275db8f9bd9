#include "tool/run/farm.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/shared_libraries.h"
#include "tool/build/glue.h"
#include "tool/evaluate/baseline/level_here.h"
#include "tool/evaluate/baseline/project_level.h"
#include "tool/evaluate/remote/program_hosts.h"
#include "tool/farm/farm_hosts.h"

#include <algorithm>

namespace agentic {
namespace {

/// What ssh, srun and the like need. No key of a model's provider, and nothing else of the user's, goes with them.
constexpr const char *kPassed[] = {
    "PATH", "HOME",          "USER",          "LOGNAME",    "SHELL",           "LANG",           "TMPDIR",
    "TERM", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "KRB5CCNAME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "SLURM_CONF"};

} // namespace

Result<FarmOptions> farmOptions(const std::string &text, const Surroundings &surroundings) {
  FarmOptions farm;
  if (text.empty())
    return farm;
  std::error_code error;
  farm.hosts = TRY(parseFarm(text, fs::current_path(error).string()));
  const std::string worker = TRY(helperFile(kWorkerProgram));
  farm.worker.files = TRY(sharedLibraries(worker));
  farm.worker.files[kWorkerProgram] = worker;
  HashBuilder hash;
  for (const auto &[called, file] : farm.worker.files)
    hash.add(called).add(fileHash(file));
  farm.worker.hash = hash.hex();
  for (const char *name : kPassed)
    if (const auto value = surroundings.environment(name))
      farm.worker.environment.push_back(std::string(name) + "=" + *value);
  return farm;
}

Result<std::vector<const Level *>> levelsToTune(const Manifest &manifest, const std::string &wanted,
                                                const std::string &farm, const Surroundings &surroundings) {
  std::vector<std::string> named = manifest.architectures;
  if (!wanted.empty())
    named = {wanted};
  std::vector<const Level *> lacked;
  for (const std::string &name : named)
    if (const Level *level = farm.empty() ? nullptr : findLevel(name))
      if (TRY(levelHere(*level, manifest)) != LevelHere::Native)
        lacked.push_back(level);
  if (lacked.empty())
    return chosenLevels(manifest, wanted);
  const FarmOptions options = TRY(farmOptions(farm, surroundings));
  const std::vector<Cpu> cpus = cpusOf(options, surroundings.cancelled);
  std::erase_if(lacked, [&](const Level *level) {
    return std::ranges::none_of(cpus, [&](const Cpu &cpu) { return hasLevel(cpu, *level); });
  });
  if (!wanted.empty() && !lacked.empty())
    return lacked;
  Result<std::vector<const Level *>> levels = chosenLevels(manifest, wanted);
  if (!levels && lacked.empty())
    return levels;
  for (const Level *level : levels.value_or(std::vector<const Level *>()))
    if (std::ranges::count(lacked, level) == 0)
      lacked.push_back(level);
  std::ranges::sort(lacked, {}, &Level::rank);
  return lacked;
}

} // namespace agentic
