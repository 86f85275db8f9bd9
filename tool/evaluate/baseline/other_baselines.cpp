#include "tool/evaluate/baseline/other_baselines.h"

#include "tool/base/files.h"
#include "tool/build/code_hash.h"
#include "tool/evaluate/instruments/instrumented_build.h"

namespace agentic {

Result<std::string> baselineWith(const Prepared &prepared, const BuildContext &context, const std::string &name,
                                 const std::vector<std::string> &flags) {
  const std::string directory = fs::path(prepared.baselineLibrary).parent_path() / name;
  const std::string library = directory + "/candidate.so";
  std::error_code error;
  if (fs::exists(library, error))
    return library;
  const CandidateUnit unit =
      buildCandidateUnit({prepared.spec, *prepared.level, prepared.compiler.family, "baseline, " + name},
                         baselineCandidate(prepared.spec));
  InstrumentedBuild built = TRY(buildInstrumented(context, unit, flags, directory));
  return built.ok ? built.sharedObject : std::string();
}

Result<std::string> buildUnfused(const Prepared &prepared, const BuildContext &context) {
  return baselineWith(prepared, context, "unfused", {"-ffp-contract=off"});
}

Result<std::string> unfusedBaseline(const Prepared &prepared, const BuildContext &context) {
  Result<std::string> library = buildUnfused(prepared, context);
  if (!library || library->empty())
    return library;
  const Result<ElfFile> object = readElf((fs::path(*library).parent_path() / "unit.o").string());
  return object && codeHash(*object) == prepared.facts.objectHash ? std::string() : std::move(*library);
}

} // namespace agentic
