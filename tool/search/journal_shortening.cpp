// What a journal says of winners that are shortened and reviewed before they are confirmed.
#include "tool/base/files.h"
#include "tool/model/json.h"
#include "tool/search/journal.h"
#include "tool/search/journal_fold.h"
#include "tool/search/journal_lines.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace agentic {
namespace {

nlohmann::json changedWinner(const std::string &winner, const Shortened &changed, double secondsUsed) {
  return {{"winner", winner},
          {"candidate", candidateJson(changed.candidate)},
          {"same_code", changed.hasSameCode},
          {"summary", changed.summary},
          {"seconds", secondsUsed}};
}

} // namespace

Result<void> Journal::shortening(const Candidate &winner, double secondsUsed) {
  noteConfirming(record_, winner.id, secondsUsed);
  return append(eventLine("shortening", {{"candidate", candidateJson(winner)}, {"seconds", secondsUsed}}));
}

Result<void> Journal::triedShorter(const std::string &winner, const TriedShorter &tried, double secondsUsed) {
  noteShorter(record_, winner, tried, secondsUsed);
  nlohmann::json body = {{"winner", winner},         {"candidate", tried.candidate},
                         {"kept", tried.isKept},     {"measured", tried.isMeasured},
                         {"hash", tried.objectHash}, {"seconds", secondsUsed}};
  if (tried.verdict)
    body["verdict"] = *tried.verdict;
  return append(eventLine("shorter", std::move(body)));
}

Result<void> Journal::shortened(const std::string &winner, const Shortened &shortened, double secondsUsed) {
  TRY(writeFileIfChanged(candidateFile(directory_, shortened.candidate.id), shortened.candidate.text));
  noteShortened(record_, winner, shortened, secondsUsed);
  return append(eventLine("shortened", changedWinner(winner, shortened, secondsUsed)));
}

Result<void> Journal::reviewing(const std::string &winner, const Candidate &answer, double secondsUsed) {
  TRY(writeFileIfChanged(candidateFile(directory_, answer.id), answer.text));
  noteReviewing(record_, secondsUsed);
  return append(
      eventLine("reviewing", {{"winner", winner}, {"candidate", candidateJson(answer)}, {"seconds", secondsUsed}}));
}

Result<void> Journal::reviewed(const std::string &winner, const Shortened &reviewed, double secondsUsed) {
  TRY(writeFileIfChanged(candidateFile(directory_, reviewed.candidate.id), reviewed.candidate.text));
  noteReviewed(record_, winner, reviewed, secondsUsed);
  return append(eventLine("reviewed", changedWinner(winner, reviewed, secondsUsed)));
}

} // namespace agentic
