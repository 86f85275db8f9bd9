// What the lines of a journal are made of.
#pragma once

#include "tool/model/candidate.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace agentic {

inline constexpr int kJournalVersion = 1;

/// Returns the line of an event, with its time and its end.
std::string eventLine(const char *event, nlohmann::json body);

/// The candidate's text is in its own file; the event holds the rest.
nlohmann::json candidateJson(const Candidate &candidate);

/// Returns the path of the text of a candidate of the run in this folder.
std::string candidateFile(const std::string &directory, const std::string &id);

} // namespace agentic
