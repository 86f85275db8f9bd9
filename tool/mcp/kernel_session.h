// One kernel for one client: its run, its jobs. The run is that of `optimize` (run/optimize_run.h) with an agent whose
// proposals are the client's, so that budgets, gates, confirmation and write-back are the same.
#pragma once

#include "tool/base/lock_file.h"
#include "tool/mcp/run_agent.h"
#include "tool/run/optimize_run.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace agentic::mcp {

struct SessionSettings {
  OptimizeOptions options; ///< of every run; its kernel is set by the session
  Surroundings surroundings;
  std::function<void(const std::string &line)> log; ///< thread-safe
};

/// A thread of its own runs: prepares, waits for orders, evaluates, ends with the write-back, and begins again with the
/// next order. An unfinished run of an earlier server is continued. Thread-safe.
class KernelSession : private RunAgentListener {
public:
  using JobPointer = std::shared_ptr<Job>;

  KernelSession(const SessionSettings &settings, const Manifest &manifest);
  ~KernelSession(); ///< stop(), and waits for it
  /// Ends whatever is in work; what was not evaluated stays in the journal. Does not wait.
  void stop();

  /// Begins to prepare, if that has not happened.
  JobPointer prepare();
  JobPointer evaluate(const std::string &name, const std::string &source, const std::string &idea);
  /// `candidate`: id of an attempt of the run; empty: the baseline.
  JobPointer insight(const std::string &candidate);
  JobPointer describe();
  JobPointer finish();
  /// Returns the job, also one of an earlier server; nullptr: there is none of this id.
  JobPointer find(const std::string &id);
  /// Ends the job without a result, if it has not ended. A candidate ends at once and has no verdict, whatever is done
  /// with it still; finishing and preparing end a moment later.
  void cancel(const std::string &id);

  /// "idle", "preparing", "ready", "evaluating", "finishing"; "idle: <why it could not be prepared>".
  std::string state() const;
  std::string newestRun() const; ///< folder of the newest run of the kernel; empty: there is none

private:
  static constexpr const char *kEvaluate = "evaluate", *kFinish = "finish", *kPrepare = "prepare";
  class View;
  void isPrepared(Evaluator &evaluator) override;
  void isAsked(const RunState &state) override;
  bool isNew(const Order &order) override;
  void finishes() override;

  void main();
  Result<void> run(); ///< fails if it could not be prepared
  Result<void> runOnce(OptimizedKernel &run, bool resumes);
  Result<LockFile> lockTree() const;
  void on(const RunEvent &event);
  void worksOnFinish(const std::string &what);
  void note(const std::string &what); ///< of the job in work
  void ended(const Result<void> &done, const OptimizedKernel &run);
  std::optional<RunRecord> unfinished() const;
  std::string runs() const;
  std::string roofline() const;
  JobPointer order(const std::string &id, Order order);
  JobPointer job(const std::string &id, const std::string &doing, bool isRenewed);
  JobPointer ofRecords(const std::string &id);
  static JobPointer failedJob(const std::string &id, const std::string &message, const std::string &next);
  std::string idOf(const std::string &kind, const std::string &candidate = {}) const;
  Json budgetJson() const;

  const SessionSettings &settings_;
  const Manifest manifest_;
  Orders orders_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, JobPointer> jobs_;                 ///< of this server
  JobPointer working_;                                     ///< what the run's next stages belong to
  RunState state_;                                         ///< of the run, as far as the client may know it
  std::string phase_ = "idle", problem_;                   ///< problem_: of the last preparation
  std::unique_ptr<RunAgent> agent_;                        ///< of the run in work
  OptimizedKernel *run_ = nullptr;                         ///< of the run's thread
  std::string begun_;                                      ///< candidate that is evaluated; empty: none
  std::set<std::string> unwanted_;                         ///< jobs that were cancelled after their turn, before begun_
  bool isWanted_ = false;                                  ///< to be prepared, without an order
  bool hasProposals_ = false;                              ///< since the last run ended
  int iterations_ = 0;                                     ///< of the runs that have ended: the budget is that of all
  bool isSpent_ = false;                                   ///< the budget
  std::atomic<bool> isEnding_ = false, cancelled_ = false; ///< cancelled_: the run in work
  std::thread thread_;
};

} // namespace agentic::mcp
