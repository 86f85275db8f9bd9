#include "tool/run/farm.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/shared_libraries.h"
#include "tool/build/glue.h"
#include "tool/evaluate/baseline/project_level.h"
#include "tool/evaluate/remote/program_hosts.h"
#include "tool/farm/farm_hosts.h"

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
  if (farm.empty() || TRY(lackedLevels(manifest, wanted)).empty())
    return chosenLevels(manifest, wanted);
  const FarmOptions options = TRY(farmOptions(farm, surroundings));
  return chosenLevels(manifest, wanted, hostCpu(), cpusOf(options, surroundings.cancelled));
}

} // namespace agentic
