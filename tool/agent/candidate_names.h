// What a model calls its candidates: the names of its files, and the idea behind each.
#pragma once

#include "tool/agent/leaderboard.h"
#include "tool/agent/reply_parser.h"
#include "tool/llm/chat.h"
#include "tool/model/ask.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// One parsed reply.
struct Exchange {
  int call = 0;
  ChatReply reply;
  ParsedReply parsed;
  std::vector<std::string> candidates; ///< ids, one per file of `parsed`
  double spentUsd = 0;                 ///< spent by the run, this call included
  std::string role, about, label;      ///< of a run with roles: CallPurpose; the model's label
  std::optional<Ask> ask = {};         ///< CallRecord::ask
};

struct CandidateNames {
  Ideas ideas;
  std::map<std::string, std::string> files; ///< by candidate id
  std::string fileOf(const std::string &candidate) const {
    const auto found = files.find(candidate);
    return found == files.end() ? "" : found->second;
  }
  std::string ideaOf(const std::string &candidate) const {
    const auto found = ideas.find(candidate);
    return found == ideas.end() ? "" : found->second;
  }
};

CandidateNames namesIn(const std::vector<Exchange> &exchanges);

/// Returns a source in a fence of a prompt, with its name if it has one.
std::string fencedSource(const std::string &text, const std::string &name = {});

} // namespace agentic
