#include "tool/run/pair_export.h"

#include "tool/base/files.h"
#include "tool/memory/change_words.h"
#include "tool/memory/experience.h"
#include "tool/search/journal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;

/// One side of a pair; nullptr: the baseline.
json sideOf(const Attempt *attempt, const std::string &baseline) {
  if (!attempt)
    return {{"id", "baseline"}, {"origin", "baseline"}, {"source", baseline}, {"verdict", "baseline"}};
  return {{"id", attempt->candidate.id},
          {"origin", attempt->candidate.origin},
          {"source", attempt->candidate.text},
          {"verdict", verdictName(attempt->evaluation.verdict)},
          {"stage", stageName(attempt->evaluation.stage)}};
}

json valueOf(const RunRecord &record, const std::string &title) {
  for (const auto &[name, value] : record.description.environment)
    if (name == title)
      return value;
  return nullptr;
}

/// The faster source over the slower one.
Speedup forwards(const Speedup &speedup) {
  if (speedup.ratio >= 1)
    return speedup;
  Speedup turned = speedup;
  turned.ratio = 1 / speedup.ratio, turned.low = 1 / speedup.high, turned.high = 1 / speedup.low;
  return turned;
}

} // namespace

Result<ExportedPairs> pairsOfRun(const std::string &runDirectory, const std::string &licence) {
  const RunRecord record = TRY(readRun(runDirectory));
  const std::string baseline = TRY(readFile(runDirectory + "/baseline.cpp"));
  MeasuredChanges changes(baseline);
  ExportedPairs pairs;
  for (const Attempt &attempt : record.attempts) {
    const auto change = changes.take(attempt);
    if (!change || !isTelling(change->speedup))
      continue;
    const auto made = std::ranges::find_if(
        record.attempts, [&](const Attempt &other) { return other.candidate.id == change->reference; });
    json slow = sideOf(made == record.attempts.end() ? nullptr : &*made, baseline), fast = sideOf(&attempt, baseline);
    if (change->speedup.ratio < 1)
      std::swap(slow, fast);
    const Speedup speedup = forwards(change->speedup);
    const json line = {{"schema", kPairSchema},
                       {"kernel", record.identity.kernel},
                       {"level", record.identity.level},
                       {"family", record.identity.family},
                       {"compiler", valueOf(record, "compiler")},
                       {"flags", valueOf(record, "flags")},
                       {"cpu", valueOf(record, "CPU")},
                       {"agent", attempt.agent},
                       {"ratio", speedup.ratio},
                       {"low", speedup.low},
                       {"high", speedup.high},
                       {"interval", speedup.isInterval},
                       {"licence", licence.empty() ? json() : json(licence)},
                       {"slow", std::move(slow)},
                       {"fast", std::move(fast)}};
    pairs.lines += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    ++pairs.count;
  }
  return pairs;
}

} // namespace agentic
