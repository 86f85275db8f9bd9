#include "tool/search/journal_lines.h"

#include "tool/base/clock.h"

#include <nlohmann/json.hpp>

namespace agentic {

std::string eventLine(const char *event, nlohmann::json body) {
  body["v"] = kJournalVersion;
  body["event"] = event;
  body["time"] = utcTimestamp();
  body["at"] = unixSeconds();
  return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

nlohmann::json candidateJson(const Candidate &candidate) {
  return {{"id", candidate.id}, {"origin", candidate.origin}, {"parent", candidate.parent}};
}

std::string candidateFile(const std::string &directory, const std::string &id) {
  return directory + "/candidates/" + id + ".cpp";
}

} // namespace agentic
