// The hosts on which a run measures. Everything else of an evaluation is done on this machine.
//
// The ratios of a run come from one group of hosts: same CPU, microcode, kernel and governor. Each host learns the
// baseline's benchmarks by itself and measures the baseline against itself first; one that sees a difference there, or
// that lacks something, is set aside with the reason. The same is asked again during the run: who shares a host with
// others does not know when they come.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/evaluate/remote/run_tasks.h"
#include "tool/farm/shared_host.h"
#include "tool/model/level.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct FarmOptions {
  std::vector<HostAddress> hosts; ///< none: everything is measured here
  WorkerProgram worker;
  std::string kind; ///< HostFacts::group() of a run that goes on; empty: that of most hosts
  std::string run;  ///< newTaskId() of the run: its tasks' ids begin with it; empty: no run, or none that can go on
  bool isResumed = false; ///< what hosts have finished for that run counts
  /// A host's measurements before it measures the unchanged kernel against itself again. Each takes about as long as
  /// that does: 4 % of the host's time.
  std::size_t controlEvery = 25;
};

struct FarmRequest {
  const FarmOptions *options = nullptr;
  std::vector<std::string> features;     ///< of the CPU: what the programs and the candidates may use
  BenchmarkRequest benchmark;            ///< its reference is the baseline's shared object
  const BenchmarkFacts *facts = nullptr; ///< of this machine: a host that reports other benchmarks is refused
  std::vector<std::string> data;         ///< what the programs read besides, absolute
  std::map<std::string, std::shared_ptr<SharedHost>> connected{}; ///< by name: what runs programs there already
  std::function<void(const std::string &)> note, warn;            ///< called by open(), in its thread
};

class MeasuringHosts {
public:
  /// Connects to all at once and lets each learn. Errors: none is left; interrupted.
  static Result<std::unique_ptr<MeasuringHosts>> open(const RunContext &context, const FarmRequest &request);

  const std::string &group() const { return group_; } ///< HostFacts::group() of all
  std::size_t size() const { return hosts_.size(); }
  const std::string &cpu() const { return hosts_.front()->host->facts().cpu; }
  /// Returns the limits of that machine; `again`: measured once more, the best that it ever showed.
  Result<Roofline> roofline(std::size_t host, const RunContext &context, bool again);
  bool isLost(std::size_t host) const { return hosts_[host]->isLost; }
  /// Returns the first that is not lost; nullopt: all are.
  std::optional<std::size_t> first() const;

  /// Measures on that host, unless another process of this run had it measured. Thread-safe; one at a time on each
  /// host. Errors: the host is lost, which it stays, because it was not reached, could not do it, or saw a difference
  /// where there is none; interrupted.
  Result<BenchmarkOutcome> measure(std::size_t host, const RunContext &context, const BenchmarkRequest &request);

  /// Returns what is to be said of hosts that were lost, once. Thread-safe.
  std::vector<std::string> takeWarnings();
  ~MeasuringHosts();

private:
  struct Member {
    std::string name;
    std::shared_ptr<SharedHost> host;
    HostBenchmarks learned;
    std::map<std::string, nlohmann::json> finished; ///< what it kept for the run, by id, until it is collected
    std::atomic<std::size_t> measured = 0;          ///< measurements that were asked for
    std::atomic<bool> isLost = false;
  };
  /// Has the host do a task, and reads the result. A user's error makes it lost.
  template <class Value>
  Result<Value> perform(Member &member, const Task &task, const RunContext &context,
                        Result<Value> (*read)(const nlohmann::json &));
  /// Has the host measure the unchanged kernel against itself, by the request's programs. A difference makes it lost.
  Result<void> control(Member &member, const RunContext &context, BenchmarkRequest request,
                       const CarriedPrograms &carried);
  void leaveOut(Member &member, std::string why);
  struct Opened {
    std::unique_ptr<Member> member;
    std::string refusal;
  };
  static Result<Opened> openOne(const RunContext &context, const FarmRequest &request, const HostAddress &address,
                                CarriedFiles &carried);

  CarriedFiles carried_;
  RunTasks tasks_;
  std::string unchanged_; ///< the baseline's shared object
  std::size_t controlEvery_ = 0;
  std::vector<std::unique_ptr<Member>> hosts_;
  std::mutex warning_; ///< of `warnings_`
  std::vector<std::string> warnings_;
  std::string group_;
};

} // namespace agentic
