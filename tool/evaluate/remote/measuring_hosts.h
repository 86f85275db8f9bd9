// The hosts on which a run measures. Everything else of an evaluation is done on this machine.
//
// The ratios of a run come from one group of hosts: same CPU, microcode, kernel and governor. Each host learns the
// baseline's benchmarks by itself and measures the baseline against itself first; one that sees a difference there, or
// that lacks something, is set aside with the reason.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/farm/host.h"
#include "tool/model/level.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

struct FarmOptions {
  std::vector<HostAddress> hosts; ///< none: everything is measured here
  WorkerProgram worker;
};

struct FarmRequest {
  const FarmOptions *options = nullptr;
  std::vector<std::string> features; ///< of the CPU: what the programs and the candidates may use
  BenchmarkRequest benchmark;        ///< its reference is the baseline's shared object
  std::vector<std::string> data;     ///< what the programs read besides, absolute
  std::function<void(const std::string &)> note, warn;
};

class MeasuringHosts {
public:
  /// Connects to all at once and lets each learn. Errors: none is left; interrupted.
  static Result<std::unique_ptr<MeasuringHosts>> open(const RunContext &context, const FarmRequest &request);

  const std::string &group() const { return group_; } ///< HostFacts::group() of all
  std::size_t size() const { return hosts_.size(); }
  const std::string &name(std::size_t host) const { return hosts_[host]->name; }
  /// Returns the limits of that machine; `again`: measured once more, the best that it ever showed.
  Result<Roofline> roofline(std::size_t host, const RunContext &context, bool again);
  bool isLost(std::size_t host) const { return hosts_[host]->isLost; }
  /// Returns the first that is not lost; nullopt: all are.
  std::optional<std::size_t> first() const;

  /// Measures on that host. Thread-safe; one at a time on each host. Errors: the host is lost, which it stays; what
  /// measure() says; interrupted.
  Result<BenchmarkOutcome> measure(std::size_t host, const RunContext &context, const BenchmarkRequest &request);

private:
  struct Member {
    std::string name;
    std::mutex mutex; ///< of `host`
    std::unique_ptr<Host> host;
    HostBenchmarks learned;
    std::atomic<bool> isLost = false;
  };
  /// Has the host do a task. An error of the connection makes it lost.
  Result<nlohmann::json> perform(Member &member, const Task &task, const RunContext &context);
  struct Opened {
    std::unique_ptr<Member> member;
    std::string refusal;
  };
  static Result<Opened> openOne(const RunContext &context, const FarmRequest &request, const HostAddress &address,
                                CarriedFiles &carried);

  CarriedFiles carried_;
  std::vector<std::unique_ptr<Member>> hosts_;
  std::function<void(const std::string &)> warn_;
  std::mutex warning_;
  std::string group_;
};

} // namespace agentic
