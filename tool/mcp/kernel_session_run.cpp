// The run's thread of a session.
#include "tool/mcp/kernel_session.h"

#include "tool/base/files.h"
#include "tool/mcp/answers.h"
#include "tool/model/stages.h"
#include "tool/search/start_state.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace agentic::mcp {

/// The run as the session's jobs and log see it.
class KernelSession::View : public RunView, public Messages {
public:
  explicit View(KernelSession &session) : session_(session) {}

  Messages &messages() override { return *this; }
  void begins(const RunHeading &, const RunBudget &) override {}
  void prepared(const Evaluator &) override {}
  void searches(const RunRecord &record) override {
    const std::lock_guard<std::mutex> lock(session_.mutex_);
    session_.state_.attempts = record.attempts;
    session_.state_.incumbent = record.incumbent;
  }
  void enters(Stage stage) override { session_.note(stageName(stage)); }
  void does(const std::string &what) override { session_.note(what); }
  void spent(const CallTotals &, double, bool) override {}
  void happened(const RunEvent &event) override { session_.on(event); }
  void ends() override {}

  void note(const std::string &line) override { session_.settings_.log(line); }
  void warn(const std::string &message) override { session_.settings_.log("warning: " + message); }
  void progress(const std::string &line) override { session_.note(line); }
  void endProgress() override {}
  std::optional<bool> agrees(const std::string &) override { return std::nullopt; }

private:
  KernelSession &session_;
};

void KernelSession::note(const std::string &what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (working_)
    working_->does(what);
}

void KernelSession::isPrepared(Evaluator &evaluator) {
  const std::lock_guard<std::mutex> lock(mutex_);
  phase_ = "ready";
  state_ = stateAtTheStart(evaluator);
  if (run_->config.maxIterations > 0)
    state_.iterationsLeft = run_->config.maxIterations;
  state_.secondsLeft = run_->config.maxSeconds > 0 ? run_->config.maxSeconds : kNoTimeLimit;
  jobs_[idOf(kPrepare)]->succeed({{"kernel", manifest_.kernel}, {"state", phase_}});
  working_.reset();
}

void KernelSession::isAsked(const RunState &state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  phase_ = "ready";
  state_ = state;
  working_.reset();
}

bool KernelSession::isNew(const Order &order) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto tried = attemptOf(state_, order.candidate.id);
  if (tried) {
    Json answer = attemptAnswer(state_, *tried);
    answer["was_tried_before"] = true;
    order.job->succeed(std::move(answer));
    return false;
  }
  return true;
}

void KernelSession::finishes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  phase_ = "finishing";
  working_ = jobs_[idOf(kFinish)];
}

void KernelSession::on(const RunEvent &event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto jobOf = [this](const std::string &candidate) {
    const auto found = jobs_.find(idOf(kEvaluate, candidate));
    return found == jobs_.end() ? nullptr : found->second;
  };
  begun_.clear();
  if (const auto *started = std::get_if<run_event::Started>(&event)) {
    phase_ = "evaluating";
    begun_ = started->candidate.id;
    if (unwanted_.erase(idOf(kEvaluate, begun_)) > 0)
      agent_->withdraw(begun_);
    // What is tried first may be a checked-in variant, while the client waits for its own.
    if (auto own = jobOf(started->candidate.id))
      working_ = own;
    if (working_)
      working_->does("beginning");
  } else if (const auto *evaluated = std::get_if<run_event::Evaluated>(&event)) {
    state_.attempts.push_back(evaluated->attempt);
    if (evaluated->becameIncumbent)
      state_.incumbent = state_.attempts.size() - 1;
    state_.bestRatio = evaluated->bestRatio;
    if (state_.iterationsLeft)
      state_.iterationsLeft = std::max(0, run_->config.maxIterations - evaluated->iteration);
    const Candidate &candidate = evaluated->attempt.candidate;
    for (const std::string &id : {candidate.id, candidate.parent})
      if (const auto known = id.empty() ? nullptr : jobOf(id)) {
        Json answer = attemptAnswer(state_, state_.attempts.size() - 1);
        answer.update(budgetJson());
        known->succeed(std::move(answer));
      }
  } else if (const auto *withdrawn = std::get_if<run_event::Withdrawn>(&event)) {
    // The same source may have been sent again meanwhile: then its new job waits.
    if (const auto known = jobOf(withdrawn->candidate.id); known && !orders_.contains(known->id()))
      known->cancel("it was cancelled");
  } else if (const auto *late = std::get_if<run_event::OutOfTime>(&event)) {
    if (const auto known = jobOf(late->candidate.id))
      known->fail({ErrorKind::User, "the time budget of the run was spent before there was a verdict",
                   "call finish; the run ends with the best so far"});
  } else if (const auto *shortening = std::get_if<run_event::Shortening>(&event)) {
    worksOnFinish("shortening " + shortening->candidate.id);
  } else if (const auto *confirming = std::get_if<run_event::Confirming>(&event)) {
    worksOnFinish("confirming " + confirming->candidate.id);
  }
}

/// Under the lock.
void KernelSession::worksOnFinish(const std::string &what) {
  phase_ = "finishing";
  JobPointer &finish = jobs_[idOf(kFinish)];
  if (!finish || finish->hasEnded())
    finish = std::make_shared<Job>(idOf(kFinish), "");
  working_ = finish;
  working_->does(what);
}

Result<LockFile> KernelSession::lockTree() const {
  const fs::path folder = fs::path(manifest_.buildDir) / "_agentic" / "mcp";
  TRY(createDirectories(folder));
  std::optional<LockFile> lock = TRY(LockFile::tryAcquire(folder / (manifest_.kernel + ".lock")));
  if (!lock)
    return userError("another 'agentic-kernel mcp' works on kernel '" + manifest_.kernel + "' in " + manifest_.buildDir,
                     "end the other client or its server, or configure a build tree of your own; then call again");
  return std::move(*lock);
}

void KernelSession::main() {
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      while (!isEnding_ && !isWanted_ && orders_.isEmpty())
        changed_.wait_for(lock, std::chrono::milliseconds(50));
      if (isEnding_)
        return;
      isWanted_ = false;
      phase_ = "preparing";
      problem_.clear();
      cancelled_ = isEnding_.load();
      JobPointer &prepare = jobs_[idOf(kPrepare)];
      if (!prepare || prepare->hasEnded())
        prepare = std::make_shared<Job>(idOf(kPrepare), "");
      prepare->does("reading the project");
      working_ = prepare;
    }
    const auto lock = lockTree();
    const Result<void> prepared = lock ? run() : std::unexpected(lock.error());
    const std::lock_guard<std::mutex> guard(mutex_);
    phase_ = "idle";
    working_.reset();
    if (prepared)
      continue;
    problem_ = prepared.error().message;
    settings_.log("error: " + problem_);
    jobs_[idOf(kPrepare)]->fail(prepared.error());
    orders_.failAll(prepared.error());
  }
}

/// What changed since an earlier server's run is known only when all is prepared: then a new run begins.
Result<void> KernelSession::run() {
  bool resumes = unfinished().has_value();
  for (;;) {
    OptimizedKernel run;
    const Result<void> done = runOnce(run, resumes);
    const bool isOther = !done && resumes && run.runDirectory.empty() && run.evaluator && !cancelled_;
    if (!isOther) {
      ended(done, run);
      return run.runDirectory.empty() ? done : Result<void>();
    }
    settings_.log(manifest_.kernel + ": a new run begins, for " + done.error().message);
    resumes = false;
  }
}

Result<void> KernelSession::runOnce(OptimizedKernel &run, bool resumes) {
  View view(*this);
  Surroundings surroundings = settings_.surroundings;
  surroundings.cancelled = &cancelled_;
  OptimizeOptions options = settings_.options;
  options.target.kernel = manifest_.kernel;
  options.target.buildDir = manifest_.buildDir;
  options.config.resume = resumes;
  options.agent = kOutsideAgent;
  RunAgent *agent = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    agent_ = std::make_unique<RunAgent>(orders_, static_cast<RunAgentListener &>(*this), cancelled_);
    options.outside = agent = agent_.get();
    run_ = &run;
    state_ = {};
    const int most = options.maxIterations.value_or(manifest_.maxIterations);
    if (!resumes && most > 0)
      options.maxIterations = std::max(1, most - iterations_);
  }
  if (const auto before = resumes ? unfinished() : std::nullopt)
    if (!before->pending.empty() || !before->confirming.empty())
      agent->continueAtOnce();
  const Result<void> done = optimizeKernel(view, surroundings, options, run);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (auto first = agent->takeFirst())
    orders_.addFirst(std::move(*first));
  agent_.reset();
  run_ = nullptr;
  return done;
}

void KernelSession::ended(const Result<void> &done, const OptimizedKernel &run) {
  const std::lock_guard<std::mutex> lock(mutex_);
  begun_.clear();
  const bool isInterrupted = cancelled_ || (done && run.outcome.reason == StopReason::Interrupted);
  for (const auto &[id, job] : jobs_) {
    if (!id.starts_with(idOf(kEvaluate) + "/") || job->hasEnded() || orders_.contains(id))
      continue;
    if (isInterrupted)
      job->cancel("the run was interrupted");
    else
      job->fail({ErrorKind::User, "the run ended before this candidate had a verdict", "finish says what came of it"});
  }
  if (run.runDirectory.empty())
    return;
  orders_.remove(idOf(kFinish)); // one that came while the run ended by itself
  JobPointer &finish = jobs_[idOf(kFinish)];
  if (!finish || finish->hasEnded())
    finish = std::make_shared<Job>(idOf(kFinish), "");
  if (isInterrupted)
    finish->cancel("the run was interrupted, nothing was written; the next call continues it");
  else if (!done)
    finish->fail(done.error());
  else
    finish->succeed(finishAnswer(run));
  if (isInterrupted || !done)
    return;
  hasProposals_ = !orders_.isEmpty();
  iterations_ += run.outcome.iterations;
  const int most = settings_.options.maxIterations.value_or(manifest_.maxIterations);
  isSpent_ = run.outcome.reason == StopReason::Iterations || run.outcome.reason == StopReason::Time ||
             (most > 0 && iterations_ >= most);
  if (isSpent_)
    orders_.failAll({ErrorKind::User, "the budget of this server is spent", "finish says what came of it"});
}

} // namespace agentic::mcp
