// The agent of a run whose proposals come from a client, and the other work that needs the run's evaluator: both are
// orders, done one after the other in the run's thread.
#pragma once

#include "tool/mcp/job.h"
#include "tool/run/outside_agent.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace agentic::mcp {

/// One thing that a client wants of a run.
struct Order {
  enum class Kind { Propose, Work, Finish };
  Kind kind = Kind::Work;
  std::shared_ptr<Job> job;
  Candidate candidate; ///< Propose
  std::string idea;    ///< Propose: its hypothesis, for the journal
  /// Work: what is done with the evaluator; its end is the job's.
  std::function<Result<Json>(Evaluator &evaluator)> work;
};

/// Orders in the order of their arrival. Thread-safe.
class Orders {
public:
  static constexpr std::size_t kMost = 16; ///< waiting

  bool add(Order order);      ///< false: there are too many
  void addFirst(Order order); ///< one that was taken already
  /// Returns the next; nullopt once `isOver` holds, which is asked every 50 ms.
  std::optional<Order> next(const std::function<bool()> &isOver);
  bool isEmpty() const;
  bool contains(const std::string &job) const;
  /// Takes out the order of this job; returns whether it was there.
  bool remove(const std::string &job);
  void failAll(const Error &error); ///< an interruption cancels them

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
};

/// What the run does, for whoever answers the client. Called in the run's thread.
class RunAgentListener {
public:
  virtual ~RunAgentListener() = default;
  virtual void isPrepared(Evaluator &evaluator) = 0;
  virtual void isAsked(const RunState &state) = 0;
  /// Returns whether the proposal is new: one that was tried is answered by its first verdict.
  virtual bool isNew(const Order &order) = 0;
  virtual void finishes() = 0;
};

/// `cancelled`: the client or the user has gone. All arguments outlive it.
class RunAgent : public OutsideAgent {
public:
  RunAgent(Orders &orders, RunAgentListener &listener, const std::atomic<bool> &cancelled)
      : orders_(orders), listener_(listener), cancelled_(cancelled) {}

  Result<void> prepared(Evaluator &evaluator, Withdrawal &withdrawal) override;
  Result<Proposal> propose(const RunState &state) override;
  bool searchesAgain() const override { return isFinishTakenBack_; }

  /// Takes back the work of this name if it is in work: a candidate's id, or the job of other work.
  bool withdraw(const std::string &work);
  /// The client takes back that it is done; the run is interrupted by somebody else.
  void takeFinishBack() { isFinishTakenBack_ = true; }
  /// Proposals of an earlier process are tried first: does not wait for orders before the search begins.
  void continueAtOnce() { continuesAtOnce_ = true; }
  /// Returns the order that began a search which then did not take place.
  std::optional<Order> takeFirst() { return std::exchange(first_, std::nullopt); }

private:
  void work(const Order &order);

  Orders &orders_;
  RunAgentListener &listener_;
  const std::atomic<bool> &cancelled_;
  Evaluator *evaluator_ = nullptr;
  std::mutex mutex_;
  Withdrawal *withdrawal_ = nullptr;
  std::optional<Order> first_; ///< the order that begins the search
  bool continuesAtOnce_ = false;
  std::atomic<bool> isFinishTakenBack_ = false;
};

} // namespace agentic::mcp
