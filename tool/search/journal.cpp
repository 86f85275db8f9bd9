#include "tool/search/journal.h"

#include "tool/base/append.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/model/json.h"
#include "tool/search/journal_fold.h"
#include "tool/search/journal_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace agentic {
namespace {

using nlohmann::json;

/// The remedy if a run cannot be read.
constexpr const char *kWithoutIt = "name the other runs alone, and start a new one without --resume";

json identityJson(const RunIdentity &identity) {
  return {{"kernel", identity.kernel},        {"level", identity.level},        {"family", identity.family},
          {"kernel_key", identity.kernelKey}, {"flags_key", identity.flagsKey}, {"compiler_key", identity.compilerKey},
          {"policy_key", identity.policyKey}};
}

RunIdentity identityFrom(const json &value) {
  return {.kernel = value.value("kernel", ""),
          .level = value.value("level", ""),
          .family = value.value("family", ""),
          .kernelKey = value.value("kernel_key", ""),
          .flagsKey = value.value("flags_key", ""),
          .compilerKey = value.value("compiler_key", ""),
          .policyKey = value.value("policy_key", "")};
}

/// Ids name files, and a journal may come from anywhere: only ids of ours are accepted.
bool isId(const std::string &id) {
  return !id.empty() &&
         std::ranges::all_of(id, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

Candidate candidateFrom(const std::string &directory, const json &value) {
  Candidate candidate{value.value("id", ""), "", value.value("origin", ""), value.value("parent", "")};
  if (!isId(candidate.id))
    throw std::invalid_argument("a candidate's id is no id");
  if (auto text = readFile(candidateFile(directory, candidate.id)))
    candidate.text = *text;
  return candidate;
}

/// Applies one event to the fold.
void apply(RunRecord &record, const std::string &directory, const json &entry) {
  const std::string event = entry.value("event", "");
  if (event == "run-started") {
    record.identity = identityFrom(entry.at("identity"));
    record.config = entry.at("config").get<RunConfig>();
    record.started = entry.value("time", "");
  } else if (event == "described") {
    record.description = {entry.at("environment").get<decltype(RunDescription::environment)>(),
                          entry.value("baseline_ns", 0.0)};
    noteTime(record, kPreparing, entry.value("seconds", 0.0));
  } else if (event == "searching") {
    noteTime(record, kPreparing, entry.value("seconds", record.secondsUsed));
  } else if (event == "proposed") {
    Proposal proposal{.call = entry.value("call", 0),
                      .isUnusable = entry.value("unusable", false),
                      .agent = entry.value("agent", ""),
                      .usd = entry.value("usd", 0.0)};
    for (const json &value : entry.at("candidates"))
      proposal.candidates.push_back(candidateFrom(directory, value));
    if (entry.contains("ask"))
      proposal.ask = entry["ask"].get<Ask>();
    proposal.judged = entry.value("judged", std::vector<Opinion>());
    proposal.summaries = entry.value("summaries", std::vector<Summary>());
    for (const Candidate &candidate : proposal.candidates)
      if (!candidate.text.empty()) // lost in a power cut: its agent proposes it again
        record.pending.push_back(candidate);
    noteSearch(record, entry.value("seconds", record.secondsUsed));
    noteTurn(record, proposal);
  } else if (event == "evaluated") {
    noteSearch(record, entry.value("seconds", 0.0));
    addAttempt(record, {candidateFrom(directory, entry.at("candidate")), entry.at("evaluation").get<Evaluation>()},
               entry.value("incumbent", false));
  } else if (event == "tried") {
    noteTried(record, entry.value("candidate", ""),
              {entry.at("setting").get<std::vector<std::size_t>>(), entry.at("evaluation").get<Evaluation>()},
              entry.value("seconds", 0.0));
  } else if (event == "withdrawn") {
    noteWithdrawn(record, entry.value("candidate", ""), entry.value("seconds", record.secondsUsed));
  } else if (event == "shorter") {
    noteShorter(record, entry.value("winner", ""),
                {entry.value("candidate", ""), entry.value("kept", false), entry.value("measured", false),
                 entry.value("hash", ""),
                 entry.contains("verdict") ? std::optional(entry["verdict"].get<Evaluation>()) : std::nullopt},
                entry.value("seconds", 0.0));
  } else if (event == "reviewing") {
    noteReviewing(record, entry.value("seconds", 0.0));
  } else if (event == "shortened" || event == "reviewed") {
    (event == "reviewed" ? noteReviewed : noteShortened)(
        record, entry.value("winner", ""),
        {candidateFrom(directory, entry.at("candidate")), entry.value("same_code", false), entry.value("summary", "")},
        entry.value("seconds", 0.0));
  } else if (event == "shortening" || event == "confirming") {
    noteConfirming(record, entry.at("candidate").value("id", ""), entry.value("seconds", 0.0));
  } else if (event == "confirmed") {
    noteConfirmed(record, candidateFrom(directory, entry.at("candidate")), entry.at("evaluation").get<Evaluation>(),
                  entry.value("seconds", 0.0));
  } else if (event == "written") {
    record.written = entry.at("files").get<std::vector<std::string>>();
    if (entry.contains("shipped"))
      record.shipped = entry["shipped"].get<Measurement>();
    if (entry.contains("end_to_end"))
      record.endToEnd = entry["end_to_end"].get<EndToEnd>();
    noteTime(record, kWritingBack, entry.value("seconds", record.secondsUsed));
  } else if (event == "paused") {
    noteEnd(record, entry.value("seconds", 0.0));
    if (entry.value("searches", false))
      record.confirming.clear();
  } else if (event == "finished") {
    record.finished = true;
    record.reason = entry.value("reason", "");
    noteEnd(record, entry.value("seconds", record.secondsUsed));
  }
}

/// Path of the lock that a process holds while it works on the run.
std::string lockOf(const std::string &runDirectory) {
  return runDirectory + "/lock";
}

/// Returns the difference in the user's words; empty if there is none.
std::string difference(const RunIdentity &then, const RunIdentity &now) {
  if (then.kernelKey != now.kernelKey)
    return "the kernel or something it uses";
  if (then.compilerKey != now.compilerKey)
    return "the compiler";
  if (then.flagsKey != now.flagsKey)
    return "the compile flags";
  if (then.policyKey != now.policyKey)
    return "the policy (.agentic-kernel.json)";
  if (then.level != now.level || then.family != now.family)
    return "the level or compiler family";
  return {};
}

} // namespace

Result<RunRecord> readRun(const std::string &runDirectory) {
  const std::string path = runDirectory + "/journal.jsonl";
  auto text = TRY(readFile(path));
  RunRecord record;
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos)
      break; // torn: the process died while writing it
    const json entry = json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (entry.is_discarded())
      continue; // torn in the middle and continued after a resume
    try {
      if (entry.at("v") != kJournalVersion)
        return userError("journal " + path + " was written by another version of agentic-kernel", kWithoutIt);
      apply(record, runDirectory, entry);
    } catch (const std::exception &error) { // from JSON or from ids
      return userError("journal " + path + " line " + std::to_string(number) + " is damaged: " + error.what(),
                       kWithoutIt);
    }
  }
  if (record.identity.kernel.empty())
    return userError("journal " + path + " has no first event", kWithoutIt);
  return record;
}

bool isBeingWritten(const std::string &runDirectory) {
  return LockFile::isHeld(lockOf(runDirectory));
}

std::optional<RunRecord> unfinishedRun(const std::string &runsDir, const std::string &kernel) {
  const std::vector<std::string> runs = listRuns(runsDir, kernel);
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (auto record = readRun(*run); record && !record->finished)
      return std::move(*record);
  return std::nullopt;
}

Result<Journal> Journal::create(const std::string &runsDir, const RunIdentity &identity, const RunConfig &config,
                                Redact redact) {
  const std::string directory = newRunDirectory(runsDir, identity.kernel);
  TRY(createDirectories(directory + "/candidates"));
  auto lock = TRY(LockFile::acquire(lockOf(directory), 1));
  Journal journal(directory, std::move(lock), std::move(redact));
  journal.record_.identity = identity;
  journal.record_.config = config;
  if (auto done = journal.append(eventLine("run-started", {{"identity", identityJson(identity)}, {"config", config}}));
      !done)
    return std::unexpected(done.error());
  return journal;
}

Result<Journal> Journal::resume(const std::string &runsDir, const RunIdentity &identity, Redact redact) {
  const std::vector<std::string> runs = listRuns(runsDir, identity.kernel);
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (auto record = readRun(*run); !record || record->finished)
      continue;
    auto lock = TRY(LockFile::tryAcquire(lockOf(*run)));
    if (!lock)
      return userError("run " + *run + " is still being worked on by another process", "wait for it or stop it");
    auto record = readRun(*run); // read again: another process could have continued it before the lock
    if (!record)
      return std::unexpected(record.error());
    if (record->finished)
      continue;
    if (const std::string changed = difference(record->identity, identity); !changed.empty())
      return userError("cannot resume " + *run + ": " + changed + " changed since it was interrupted",
                       "start a new run without --resume");
    Journal journal(*run, std::move(*lock), std::move(redact));
    journal.record_ = std::move(*record);
    for (const Candidate &candidate : journal.record_.pending)
      journal.unsynced_.insert(candidate.id);
    return journal;
  }
  return userError("no unfinished run of kernel '" + identity.kernel + "' to resume", "start one without --resume");
}

Result<void> Journal::append(std::string line, Flush flush) {
  const std::string file = directory_ + "/journal.jsonl", text = redact_ ? redact_(std::move(line)) : line;
  return flush == Flush::Now ? appendSynced(file, text) : appendUnsynced(file, text);
}

Result<void> Journal::searching(double secondsUsed) {
  noteTime(record_, kPreparing, secondsUsed);
  return append(eventLine("searching", {{"seconds", secondsUsed}}));
}

Result<void> Journal::proposed(const Proposal &proposal, double secondsUsed) {
  json list = json::array();
  const Flush flush = proposal.call > 0 || proposal.usd > 0 ? Flush::Now : Flush::Later;
  for (const Candidate &candidate : proposal.candidates) {
    if (TRY(writeFileIfChanged(candidateFile(directory_, candidate.id), candidate.text, flush)) &&
        flush == Flush::Later)
      unsynced_.insert(candidate.id);
    list.push_back(candidateJson(candidate));
    record_.pending.push_back(candidate);
  }
  json body = {{"candidates", list}, {"note", proposal.note}, {"seconds", secondsUsed}};
  if (proposal.call > 0)
    body["call"] = proposal.call;
  if (proposal.isUnusable)
    body["unusable"] = true;
  if (!proposal.agent.empty()) {
    body["agent"] = proposal.agent;
    body["usd"] = proposal.usd;
  }
  if (proposal.ask)
    body["ask"] = *proposal.ask;
  if (!proposal.judged.empty())
    body["judged"] = proposal.judged;
  if (!proposal.summaries.empty())
    body["summaries"] = proposal.summaries;
  noteSearch(record_, secondsUsed);
  noteTurn(record_, proposal);
  return append(eventLine("proposed", std::move(body)), flush);
}

Result<void> Journal::evaluated(const Candidate &candidate, const Evaluation &evaluation, bool becameIncumbent,
                                double secondsUsed) {
  // Earlier variants are not proposed, but a resumed run needs their text.
  TRY(writeFileIfChanged(candidateFile(directory_, candidate.id), candidate.text));
  if (unsynced_.erase(candidate.id) > 0)
    TRY(syncFile(candidateFile(directory_, candidate.id)));
  json body = {{"candidate", candidateJson(candidate)},
               {"evaluation", evaluation},
               {"incumbent", becameIncumbent},
               {"seconds", secondsUsed}};
  if (const std::string agent = proposerOf(record_, candidate, evaluation); !agent.empty())
    body["agent"] = agent;
  TRY(append(eventLine("evaluated", std::move(body))));
  noteSearch(record_, secondsUsed);
  addAttempt(record_, {candidate, evaluation}, becameIncumbent);
  return {};
}

Result<void> Journal::triedSetting(const std::string &candidate, const TriedSetting &tried, double secondsUsed) {
  noteTried(record_, candidate, tried, secondsUsed);
  return append(eventLine("tried", {{"candidate", candidate},
                                    {"setting", tried.setting},
                                    {"evaluation", tried.evaluation},
                                    {"seconds", secondsUsed}}));
}

Result<void> Journal::withdrawn(const std::string &candidate, double secondsUsed) {
  noteWithdrawn(record_, candidate, secondsUsed);
  return append(eventLine("withdrawn", {{"candidate", candidate}, {"seconds", secondsUsed}}));
}

Result<void> Journal::confirming(const Candidate &candidate, double secondsUsed) {
  noteConfirming(record_, candidate.id, secondsUsed);
  return append(eventLine("confirming", {{"candidate", candidateJson(candidate)}, {"seconds", secondsUsed}}));
}

Result<void> Journal::confirmed(const Candidate &candidate, const Evaluation &evaluation, double secondsUsed) {
  noteConfirmed(record_, candidate, evaluation, secondsUsed);
  return append(eventLine(
      "confirmed", {{"candidate", candidateJson(candidate)}, {"evaluation", evaluation}, {"seconds", secondsUsed}}));
}

Result<void> Journal::described(const RunDescription &description, const std::string &baseline, double secondsUsed) {
  record_.description = description;
  noteTime(record_, kPreparing, secondsUsed);
  TRY(writeFileIfChanged(directory_ + "/baseline.cpp", baseline));
  return append(eventLine(
      "described",
      {{"environment", description.environment}, {"baseline_ns", description.baselineNs}, {"seconds", secondsUsed}}));
}

Result<void> Journal::written(const std::vector<std::string> &files, const Measurement &shipped,
                              const std::optional<EndToEnd> &endToEnd, double secondsUsed) {
  json body = {{"files", files}, {"seconds", secondsUsed}};
  record_.written = files;
  noteTime(record_, kWritingBack, secondsUsed);
  if (!shipped.benchmarks.empty()) {
    record_.shipped = shipped;
    for (BenchmarkMeasurement &benchmark : record_.shipped->benchmarks)
      benchmark.pairs.clear();
    body["shipped"] = *record_.shipped;
  }
  record_.endToEnd = endToEnd;
  if (endToEnd)
    body["end_to_end"] = *endToEnd;
  return append(eventLine("written", std::move(body)));
}

Result<void> Journal::paused(double secondsUsed, bool searchesAgain) {
  noteEnd(record_, secondsUsed);
  json body = {{"seconds", secondsUsed}};
  if (searchesAgain) {
    record_.confirming.clear();
    body["searches"] = true;
  }
  return append(eventLine("paused", std::move(body)));
}

Result<void> Journal::finished(const std::string &reason, double secondsUsed) {
  noteEnd(record_, secondsUsed);
  record_.finished = true;
  record_.reason = reason;
  return append(eventLine("finished", {{"reason", reason}, {"seconds", secondsUsed}}));
}

} // namespace agentic
