#include "tool/mcp/kernel_session.h"

#include "tool/agent/bounded_text.h"
#include "tool/mcp/answers.h"
#include "tool/mcp/kernel_facts.h"

#include <algorithm>
#include <utility>

namespace agentic::mcp {
namespace {

constexpr std::size_t kIdeaBytes = 1000;

std::string lastOf(const std::string &id) {
  return id.substr(id.find_last_of('/') + 1);
}

} // namespace

KernelSession::KernelSession(const SessionSettings &settings, const Manifest &manifest)
    : settings_(settings), manifest_(manifest) {
  thread_ = std::thread([this] { main(); });
}

KernelSession::~KernelSession() {
  stop();
  thread_.join();
  for (const auto &[id, job] : jobs_)
    job->cancel("the server has ended");
}

void KernelSession::stop() {
  isEnding_ = true;
  cancelled_ = true;
  changed_.notify_all();
}

std::string KernelSession::idOf(const std::string &kind, const std::string &candidate) const {
  return manifest_.kernel + "/" + kind + (candidate.empty() ? "" : "/" + candidate);
}

std::string KernelSession::runs() const {
  return runsDirectory(manifest_.buildDir);
}

std::string KernelSession::roofline() const {
  return settings_.surroundings.cacheFile("roofline.json", manifest_.buildDir);
}

std::string KernelSession::newestRun() const {
  const std::vector<std::string> all = listRuns(runs(), manifest_.kernel);
  return all.empty() ? "" : all.back();
}

/// Only a client's run is continued: the search of a person who interrupted it is theirs.
std::optional<RunRecord> KernelSession::unfinished() const {
  auto record = unfinishedRun(runs(), manifest_.kernel);
  return record && record->config.agent == kOutsideAgent ? std::move(record) : std::nullopt;
}

/// Returns the job of this id, a new one if there is none or it has ended and is to be renewed.
KernelSession::JobPointer KernelSession::job(const std::string &id, const std::string &doing, bool isRenewed) {
  const std::lock_guard<std::mutex> lock(mutex_);
  JobPointer &job = jobs_[id];
  if (!job || (isRenewed && job->hasEnded()))
    job = std::make_shared<Job>(id, doing);
  return job;
}

/// A job that is in work already is answered by itself.
KernelSession::JobPointer KernelSession::order(const std::string &id, Order order) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = jobs_.find(id); known != jobs_.end() && !known->second->hasEnded())
    return known->second;
  unwanted_.erase(id);
  const JobPointer made = jobs_[id] = std::make_shared<Job>(id, phase_ == "ready" ? "beginning" : "waiting: " + phase_);
  order.job = made;
  if (!orders_.add(std::move(order)))
    made->fail({ErrorKind::User, "too many calls wait for this kernel", "wait for one of them with status"});
  changed_.notify_all();
  return made;
}

KernelSession::JobPointer KernelSession::prepare() {
  auto made = job(idOf(kPrepare), "waiting", false);
  const std::lock_guard<std::mutex> lock(mutex_);
  isWanted_ = isWanted_ || phase_ == "idle";
  changed_.notify_all();
  return made;
}

KernelSession::JobPointer KernelSession::evaluate(const std::string &name, const std::string &source,
                                                  const std::string &idea) {
  Order order{.kind = Order::Kind::Propose,
              .job = nullptr,
              .candidate = makeCandidate(source, kOrigin + plainName(name)),
              .idea = boundedText(oneLine(idea), kIdeaBytes),
              .work = {}};
  const std::string id = idOf(kEvaluate, order.candidate.id);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (isSpent_)
      return failedJob(id, "the budget of this server is spent",
                       "tell the user what was found; a server with larger --max-iterations or --max-seconds goes on");
    hasProposals_ = true;
  }
  return this->order(id, std::move(order));
}

KernelSession::JobPointer KernelSession::insight(const std::string &candidate) {
  Order order;
  order.work = [this, candidate](Evaluator &evaluator) -> Result<Json> {
    if (candidate.empty())
      return insightInto(evaluator, std::nullopt, roofline());
    std::optional<Candidate> one;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (const auto index = attemptOf(state_, candidate))
        one = state_.attempts[*index].candidate;
    }
    if (!one)
      return userError("there is no attempt '" + boundedText(oneLine(candidate), kNameBytes) + "' in this run",
                       "attempts lists them; evaluate a candidate before you ask for insight into it");
    return insightInto(evaluator, one, roofline());
  };
  return this->order(idOf("insight", candidate.empty() ? "baseline" : candidate), std::move(order));
}

KernelSession::JobPointer KernelSession::describe() {
  Order order;
  order.work = [this](Evaluator &evaluator) -> Result<Json> {
    RunState state;
    Json budget;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      state = state_;
      budget = budgetJson();
    }
    Json facts = TRY(kernelFacts(evaluator, state, roofline()));
    facts["budget"] = std::move(budget);
    return facts;
  };
  return this->order(idOf("describe"), std::move(order));
}

/// A run that ended by itself, its budget being spent, has its outcome already.
KernelSession::JobPointer KernelSession::finish() {
  const std::string id = idOf(kFinish);
  bool hasProposals = false;
  JobPointer known;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    hasProposals = hasProposals_;
    if (const auto found = jobs_.find(id); found != jobs_.end())
      known = found->second;
  }
  if (!hasProposals && known && known->view()["state"] == "done")
    return known;
  if (!hasProposals && !unfinished()) {
    const JobPointer before = ofRecords(id);
    return before ? before : failedJob(id, "nothing was evaluated yet", "call evaluate with a candidate first");
  }
  return order(id, {.kind = Order::Kind::Finish, .job = nullptr, .candidate = {}, .idea = {}, .work = {}});
}

KernelSession::JobPointer KernelSession::find(const std::string &id) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = jobs_.find(id); known != jobs_.end())
      return known->second;
  }
  return ofRecords(id);
}

/// A job of an earlier server: its result, or its continuation.
KernelSession::JobPointer KernelSession::ofRecords(const std::string &id) {
  auto unfinished = this->unfinished();
  auto record = unfinished ? Result<RunRecord>(*unfinished) : readRun(newestRun());
  if (!record || record->config.agent != kOutsideAgent)
    return nullptr;
  const std::string candidate = lastOf(id);
  const RunState state = stateOf(*record);
  if (id == idOf(kFinish) && record->finished) {
    auto known = job(id, "", false);
    known->succeed(finishAnswer(*record));
    return known;
  }
  if (const auto attempt = attemptOf(state, candidate); attempt && id == idOf(kEvaluate, candidate)) {
    auto known = job(id, "", false);
    known->succeed(attemptAnswer(state, *attempt));
    return known;
  }
  const bool isPending = id == idOf(kEvaluate, candidate) &&
                         std::ranges::find(record->pending, candidate, &Candidate::id) != record->pending.end();
  if (record->finished || !(isPending || (id == idOf(kFinish) && !record->confirming.empty())))
    return nullptr;
  prepare(); // a continued run begins with what was interrupted
  return job(id, "waiting for the run to continue", false);
}

void KernelSession::cancel(const std::string &id) {
  if (isEnding_)
    return; // what is in work stays in the journal for the next server
  const auto known = find(id);
  if (!known)
    return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (known->hasEnded())
    return;
  const bool isWaiting = orders_.remove(id);
  const std::string candidate = id.starts_with(idOf(kEvaluate) + "/") ? lastOf(id) : "";
  if (!isWaiting && (id == idOf(kFinish) || id == idOf(kPrepare))) {
    if (agent_ && id == idOf(kFinish))
      agent_->takeFinishBack();
    cancelled_ = true; // the run; what was measured stays
    return known->ends();
  }
  if (!isWaiting && !candidate.empty() && begun_ == candidate && !(agent_ && agent_->withdraw(candidate)))
    return; // its verdict is being written
  if (!isWaiting && !candidate.empty() && begun_ != candidate)
    unwanted_.insert(id); // between the queue and its begin, or of an earlier server
  if (!isWaiting && candidate.empty() && agent_)
    agent_->withdraw(id);
  known->cancel("it was cancelled");
}

std::string KernelSession::state() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return phase_ + (problem_.empty() ? "" : ": " + problem_);
}

Json KernelSession::budgetJson() const {
  Json budget = Json::object();
  budget["iterations_left"] = state_.iterationsLeft ? Json(*state_.iterationsLeft) : Json(nullptr);
  budget["seconds_left"] = state_.secondsLeft < kNoTimeLimit / 2 ? Json(state_.secondsLeft) : Json(nullptr);
  return budget;
}

KernelSession::JobPointer KernelSession::failedJob(const std::string &id, const std::string &message,
                                                   const std::string &next) {
  auto job = std::make_shared<Job>(id, "");
  job->fail({ErrorKind::User, message, next});
  return job;
}

} // namespace agentic::mcp
