#include "tool/evaluate/pipeline/evaluator.h"

#include "tool/base/files.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/pipeline/farm.h"
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include <chrono>

namespace agentic {
namespace {

/// Removes what killed processes left; a run lasts less than a day.
void removeOldWork(const std::string &workRoot) {
  std::error_code error;
  const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const auto &entry : fs::directory_iterator(workRoot, error))
    if (entry.is_directory(error) && entry.last_write_time(error) < limit)
      fs::remove_all(entry.path(), error);
}

} // namespace

Result<std::unique_ptr<Evaluator>> Evaluator::open(const EvaluatorOptions &options) {
  Prepared prepared = TRY(prepare(options));
  removeOldWork(prepared.workRoot);
  ScratchDirectory scratch = TRY(ScratchDirectory::create(prepared.workRoot, prepared.spec.kernel + "-"));
  if (options.warning)
    for (const std::string &warning : prepared.warnings)
      options.warning(warning);
  std::shared_ptr<MeasuringHosts> hosts = TRY(openFarm(prepared, options, scratch.path().string()));
  return std::make_unique<StagedEvaluator>(options, std::move(prepared), std::move(scratch), std::move(hosts));
}

Result<Insight> Evaluator::insight(const Candidate &, const InsightRequest &) {
  return userError("this evaluator reads no object code", "use one that builds candidates");
}

} // namespace agentic
