#include "tool/search/tuning.h"

#include "tool/search/coordinate_descent.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr const char *kCheckName = "tunables";

/// Returns a setting's value for the descent: its speedup over the baseline, 0 if it was rejected.
double valueOf(const Evaluation &evaluation, double bestRatio) {
  if (evaluation.verdict == Verdict::Rejected)
    return 0;
  if (evaluation.measurement)
    return evaluation.measurement->speedup.ratio;
  // It is slower than the incumbent, or nothing is measured: still better than a rejected one.
  return evaluation.againstIncumbent ? evaluation.againstIncumbent->speedup.ratio * bestRatio : 1e-9;
}

Attempt malformed(const TuningRequest &request, const Error &error) {
  const Candidate &candidate = request.candidate;
  Evaluation evaluation;
  evaluation.candidate = candidate.id;
  evaluation.findings.push_back(
      {kCheckName, candidate.id + fileEnding(request.language), 0, 0, error.message + "; " + error.next});
  return {candidate, std::move(evaluation)};
}

class Tuning {
public:
  Tuning(const TuningRequest &request, TunableText text) : request_(request), text_(std::move(text)) {}

  Result<std::optional<Attempt>> run() {
    std::vector<std::size_t> sizes;
    for (const Tunable &tunable : text_.tunables())
      sizes.push_back(tunable.values.size());
    CoordinateDescent descent(std::move(sizes));
    std::optional<TriedSetting> best;
    while (const auto setting = descent.next()) {
      auto evaluation = TRY(evaluationOf(*setting));
      if (!evaluation)
        break;
      const double before = descent.bestValue(), value = valueOf(*evaluation, request_.bestRatio);
      descent.told(value);
      ++tried_;
      rejected_ += value <= 0;
      if (!best || value > before)
        best = TriedSetting{*setting, std::move(*evaluation)};
    }
    if (!best)
      return std::nullopt;
    return attempt(std::move(*best));
  }

private:
  Candidate settled(const TunableSetting &setting) const {
    return makeCandidate(text_.settled(setting, request_.language), request_.candidate.origin, request_.candidate.id);
  }
  Result<std::optional<Evaluation>> evaluationOf(const TunableSetting &setting) {
    for (const TriedSetting &tried : request_.tried)
      if (tried.setting == setting)
        return tried.evaluation;
    auto evaluation = request_.evaluate(settled(setting));
    if (evaluation && *evaluation)
      TRY(request_.record({setting, **evaluation}));
    return evaluation;
  }
  std::optional<Attempt> attempt(TriedSetting best) const {
    const std::string setting = text_.describe(best.setting);
    best.evaluation.tuning = best.evaluation.verdict == Verdict::Rejected
                                 ? fmt::format("with {}, the first setting; the others were not tried", setting)
                                 : fmt::format("with {}, the best of {} settings", setting, tried_) +
                                       (rejected_ > 0 ? fmt::format(", {} of which were rejected", rejected_) : "");
    return Attempt{settled(best.setting), std::move(best.evaluation)};
  }

  const TuningRequest &request_;
  TunableText text_;
  int tried_ = 0, rejected_ = 0;
};

} // namespace

Result<std::optional<Attempt>> tune(const TuningRequest &request) {
  auto text = TunableText::read(request.candidate.text);
  if (!text)
    return malformed(request, text.error());
  if (text->tunables().empty()) {
    auto evaluation = TRY(request.evaluate(request.candidate));
    return evaluation ? std::optional(Attempt{request.candidate, std::move(*evaluation)}) : std::nullopt;
  }
  return Tuning(request, std::move(*text)).run();
}

} // namespace agentic
