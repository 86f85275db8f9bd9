#include "tool/search/shorter_judge.h"

#include <algorithm>

namespace agentic {

ShorterJudge::ShorterJudge(const ShorteningRequest &request) : request_(request) {
  for (const TriedShorter &tried : request.tried)
    tried_.insert_or_assign({tried.candidate, tried.isMeasured}, tried);
}

Result<std::optional<TriedShorter>> ShorterJudge::judged(const Candidate &candidate, bool measures, bool isLimited) {
  if (isOver_ && isLimited)
    return std::nullopt;
  for (const bool measured : {false, true}) // what was refused for its other code alone may be measured now
    if (const auto before = tried_.find({candidate.id, measured});
        before != tried_.end() && (before->second.isKept || measured == measures || before->second.objectHash.empty()))
      return noted(before->second);
  if (const auto built = tried_.find({candidate.id, false});
      built != tried_.end() && isRefused(built->second.objectHash))
    return TriedShorter{.candidate = candidate.id, .isMeasured = true, .objectHash = built->second.objectHash};
  auto evaluation = TRY(request_.judge(candidate,
                                       {.winner = &request_.winner,
                                        .sameCode = hashes_,
                                        .measures = measures,
                                        .notes = request_.isReview && !knowsCode()},
                                       isLimited));
  if (!evaluation) {
    isOver_ = true;
    return std::nullopt;
  }
  const bool isKept = evaluation->verdict == Verdict::Accepted;
  TriedShorter tried{.candidate = candidate.id,
                     .isKept = isKept,
                     .isMeasured = isKept ? knowsCode() && !hashes_.contains(evaluation->objectHash) : measures,
                     .objectHash = evaluation->objectHash};
  if (request_.isReview)
    tried.verdict = std::move(*evaluation);
  TRY(request_.record(tried));
  tried_.insert_or_assign({tried.candidate, tried.isMeasured}, tried);
  return noted(std::move(tried));
}

bool ShorterJudge::isRefused(const std::string &objectHash) const {
  return !request_.isReview && // each of its texts needs a verdict of its own
         std::ranges::any_of(tried_, [&](const auto &entry) {
           const TriedShorter &tried = entry.second;
           return tried.isMeasured && !tried.isKept && tried.objectHash == objectHash;
         });
}

TriedShorter ShorterJudge::noted(TriedShorter tried) {
  if (tried.isKept) {
    isSame_ = isSame_ && !tried.isMeasured;
    hashes_.insert(tried.objectHash);
  }
  return tried;
}

std::string comparedText(bool isSameCode) {
  return isSameCode ? "the object code is the same" : "the lower bound of the ratio to what it was is at least 0.99";
}

} // namespace agentic
