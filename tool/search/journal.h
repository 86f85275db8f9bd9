// The append-only record of a run: <build>/_agentic/runs/<run>/journal.jsonl, one JSON object a line with "v", "event"
// and "time". State is a fold over it, so a killed run continues where it stopped: a torn
// last line is ignored, a journal of another version is refused.
//
// Events: run-started {identity, config}, described {environment, baseline_ns, seconds}, proposed {candidates, note,
// call, unusable, agent, usd, ask, judged, summaries, seconds}, searching {seconds}, tried {candidate, setting,
// evaluation, seconds}, evaluated {candidate, evaluation, incumbent, seconds, agent}, withdrawn {candidate,
// seconds}, shortening {candidate, seconds}, shorter {winner, candidate, kept, measured, hash, verdict, seconds},
// shortened {winner, candidate, same_code, summary, seconds}, reviewing {winner, candidate, seconds}, reviewed {winner,
// candidate, same_code, summary, seconds}, confirming {candidate, seconds}, confirmed {candidate, evaluation, seconds},
// written {files, shipped, end_to_end, seconds}, paused {seconds, searches}, finished {reason, seconds}. Seconds are
// those of the run until then. Candidates' texts lie beside it in candidates/<id>.cpp, written before the event that
// names them, the function as written in baseline.cpp.
//
// Every event waits for the disk, except a proposal that cost nothing: it survives the death of the process, and after
// a power cut its agent makes it again. Its text waits together with its verdict.
#pragma once

#include "tool/base/error.h"
#include "tool/base/files.h"
#include "tool/base/lock_file.h"
#include "tool/model/agent.h"
#include "tool/model/end_to_end.h"
#include "tool/model/run_config.h"
#include "tool/model/run_state.h"
#include "tool/model/shortening.h"
#include "tool/search/run_directories.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// The identity that must be unchanged for a run to be resumed.
struct RunIdentity {
  std::string kernel, level, family;
  std::string kernelKey;   ///< hash of the kernel, its closure and its project headers
  std::string flagsKey;    ///< hash of the compile command
  std::string compilerKey; ///< path and version
  std::string policyKey;   ///< hash of the project's policy; empty without one
  bool operator==(const RunIdentity &) const = default;
};

/// One iteration: a candidate that was evaluated, or a model's reply without a usable one.
struct Iteration {
  std::optional<std::size_t> attempt; ///< index into attempts
  int call = 0;                       ///< number of the model call; 0 = none
  std::string agent = {};             ///< its agent's label; empty: none
  double seconds = 0;                 ///< time of the run at its end
};

/// The environment of a run, for later readers.
struct RunDescription {
  std::vector<std::pair<std::string, std::string>> environment; ///< title and value: "CPU", "compiler", …
  double baselineNs = 0;                                        ///< 0 = not known
};

/// The state of a run: a fold over its journal.
struct RunRecord {
  RunIdentity identity;
  RunConfig config;
  std::string started; ///< UTC
  RunDescription description;
  std::vector<Attempt> attempts;
  std::vector<Candidate> pending;                         ///< proposed, not evaluated when the run ended
  std::map<std::string, std::vector<TriedSetting>> tried; ///< settings of pending candidates with open constants, by id
  std::optional<std::size_t> incumbent;                   ///< index into attempts
  std::vector<Iteration> iterations;
  std::set<int> calls;                            ///< calls of a model whose answers were proposed
  std::map<std::string, std::string> proposers;   ///< labels of agents, by the ids of what they proposed first
  std::map<std::string, AgentStanding> standings; ///< key: label; a run of one agent has it by its name
  std::string lastAgent;                          ///< label of the agent that proposed last
  std::vector<Asked> asked;                       ///< what a strategy asked for, with what came of it
  std::vector<Opinion> judged;                    ///< what judges said
  std::vector<Summary> summaries;                 ///< what summarizers said
  double secondsUsed = 0;
  double searchSeconds = 0; ///< part of it for searching: between "searching" and the event that ends it
  /// The parts of the time, as far as they are known: "preparing", the steps of evaluations, "confirm", "write-back".
  std::map<std::string, double> stageSeconds;
  std::string confirming; ///< id of the candidate whose confirmation was begun last: the search had ended then
  std::map<std::string, std::vector<TriedShorter>> shorter; ///< what was tried in the place of a winner, by its id
  std::map<std::string, Shortened> shortened;               ///< what is confirmed in the place of a winner, by its id
  std::map<std::string, Shortened> reviewed;                ///< the same in the place of what shortening left
  std::map<std::string, Evaluation> refused;                ///< candidates that were not confirmed, by id
  std::optional<Attempt> winner;                            ///< confirmed last, with its measurement
  std::vector<std::string> written;                         ///< files of the project
  std::optional<Measurement> shipped; ///< measurement of the written variant as it ships; without its pairs
  std::optional<EndToEnd> endToEnd;   ///< the application with the written variant
  bool finished = false;
  std::string reason; ///< why it ended
};

class Journal {
public:
  /// Removes secrets from a line that is to be written. An empty function changes nothing.
  using Redact = std::function<std::string(std::string line)>;

  /// Creates `<runsDir>/<kernel>-<utc>[-n]/` with candidates/ and the first event.
  static Result<Journal> create(const std::string &runsDir, const RunIdentity &identity, const RunConfig &config,
                                Redact redact = {});

  /// Opens the kernel's newest unfinished run. Errors: there is none; the kernel, flags or compiler changed (says
  /// which); another process works on it.
  static Result<Journal> resume(const std::string &runsDir, const RunIdentity &identity, Redact redact = {});

  const std::string &directory() const { return directory_; }
  const RunRecord &record() const { return record_; }

  /// Records that a process of the run is prepared; from now on until it confirms it searches.
  Result<void> searching(double secondsUsed);
  Result<void> proposed(const Proposal &proposal, double secondsUsed);
  Result<void> evaluated(const Candidate &candidate, const Evaluation &evaluation, bool becameIncumbent,
                         double secondsUsed);
  /// Records one setting of a candidate's open constants; `evaluated` follows with the best of them.
  Result<void> triedSetting(const std::string &candidate, const TriedSetting &tried, double secondsUsed);
  /// Records that a proposed candidate was taken back: nobody tries it any more.
  Result<void> withdrawn(const std::string &candidate, double secondsUsed);
  /// Records that the search ended and this winner is shortened, reviewed or both; `shorter` for each text that is
  /// tried in its place, `shortened` and `reviewed` at the ends.
  Result<void> shortening(const Candidate &winner, double secondsUsed);
  Result<void> triedShorter(const std::string &winner, const TriedShorter &tried, double secondsUsed);
  Result<void> shortened(const std::string &winner, const Shortened &shortened, double secondsUsed);
  /// Records what a reviewer wrote in the place of this winner, before it is judged.
  Result<void> reviewing(const std::string &winner, const Candidate &answer, double secondsUsed);
  Result<void> reviewed(const std::string &winner, const Shortened &reviewed, double secondsUsed);
  Result<void> confirming(const Candidate &candidate, double secondsUsed);
  Result<void> confirmed(const Candidate &candidate, const Evaluation &evaluation, double secondsUsed);
  /// `baseline`: the function as written.
  Result<void> described(const RunDescription &description, const std::string &baseline, double secondsUsed);
  Result<void> written(const std::vector<std::string> &files, const Measurement &shipped,
                       const std::optional<EndToEnd> &endToEnd, double secondsUsed);
  /// Records that the process ends, but not the run. `searchesAgain`: a confirmation that was begun does not count.
  Result<void> paused(double secondsUsed, bool searchesAgain = false);
  Result<void> finished(const std::string &reason, double secondsUsed);

private:
  Journal(std::string directory, LockFile lock, Redact redact)
      : directory_(std::move(directory)), lock_(std::move(lock)), redact_(std::move(redact)) {}
  Result<void> append(std::string line, Flush flush = Flush::Now);
  std::string directory_;
  LockFile lock_;
  Redact redact_;
  RunRecord record_;
  std::set<std::string> unsynced_; ///< ids of candidates whose texts may not be on the disk
};

/// Returns the kernel's newest unfinished run, of any identity; nullopt if there is none.
std::optional<RunRecord> unfinishedRun(const std::string &runsDir, const std::string &kernel);

/// Reads one run's journal; tolerant of a torn last line. Used by resume, status and report.
Result<RunRecord> readRun(const std::string &runDirectory);

/// Returns whether a process works on the run now.
bool isBeingWritten(const std::string &runDirectory);

} // namespace agentic
