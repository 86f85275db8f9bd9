// The append-only record of a run: <build>/_agentic/runs/<run>/journal.jsonl, one JSON object a line with "v":1, "event"
// and "time", flushed (fsync) after every event. A torn last line is ignored. RunState is a fold over it.
//
// Events: run-started {kernel, level, family, config, key, spec}, proposed {candidates, note}, evaluated {candidate,
// evaluation, incumbent}, confirmed {…}, written {files}, finished {reason}.
#pragma once

#include "tool/base/error.h"
#include "tool/model/run_config.h"
#include "tool/model/run_state.h"

#include <string>
#include <vector>

namespace agentic {

/// What must be unchanged for a run to be resumed: hash of kernel, closure, flags and compiler.
struct RunIdentity {
  std::string kernel, key, level, family;
};

class Journal {
public:
  /// Creates the run directory `<runsDir>/<kernel>-<utc>-<n>/` with candidates/ and an empty journal.
  static Result<Journal> create(const std::string &runsDir, const RunIdentity &identity, const RunConfig &config);
  /// The kernel's newest unfinished run; an error if there is none or its key differs.
  static Result<Journal> resume(const std::string &runsDir, const RunIdentity &identity);
  Journal(Journal &&) noexcept;
  Journal &operator=(Journal &&) noexcept;
  ~Journal();

  const std::string &directory() const { return directory_; }
  const RunConfig &config() const { return config_; }
  /// Attempts so far (empty for a new run).
  const std::vector<Attempt> &attempts() const { return attempts_; }
  /// Proposed but not yet evaluated when the run was interrupted.
  const std::vector<Candidate> &pending() const { return pending_; }
  int incumbent() const { return incumbent_; }
  double secondsUsed() const { return secondsUsed_; }

  Result<void> proposed(const std::vector<Candidate> &candidates, const std::string &note);
  Result<void> evaluated(const Candidate &candidate, const Evaluation &evaluation, bool becameIncumbent,
                         double secondsUsed);
  Result<void> event(const std::string &name, const std::string &jsonObject);
  Result<void> finished(const std::string &reason);

private:
  Journal() = default;
  Result<void> append(const std::string &line);
  std::string directory_;
  RunConfig config_;
  std::vector<Attempt> attempts_;
  std::vector<Candidate> pending_;
  int incumbent_ = -1;
  double secondsUsed_ = 0;
  int fd_ = -1;
};

} // namespace agentic
