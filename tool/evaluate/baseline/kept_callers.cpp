#include "tool/evaluate/baseline/kept_callers.h"

#include "tool/base/files.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/model/json.h"
#include "tool/model/keyed_json.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr int kCallersSchema = 1;

std::string callersFileOf(const Manifest &manifest) {
  return fs::path(specFileOf(manifest)).parent_path() / "callers.json";
}

} // namespace

Result<void> keepCallers(const Prepared &prepared) {
  return saveKeyed(callersFileOf(prepared.manifest), kCallersSchema, prepared.specKey,
                   {{"callers", prepared.spec.callers}});
}

std::optional<CallingThreads> lastCallers(const Manifest &manifest) {
  const Result<CompileCommand> command = sourceCommand(manifest, manifest.buildDir);
  const Result<Compiler> compiler = compilerOf(manifest);
  if (!command || !compiler)
    return std::nullopt;
  const auto kept = loadKeyed(callersFileOf(manifest), kCallersSchema, specKeyOf(manifest, *command, *compiler));
  if (!kept)
    return std::nullopt;
  try {
    return kept->at("callers").get<CallingThreads>();
  } catch (const nlohmann::json::exception &) {
    return std::nullopt;
  }
}

} // namespace agentic
