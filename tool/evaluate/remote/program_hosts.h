// The hosts that run a kernel's programs in the place of this machine: tests, replayed calls, sanitizers and all else
// that executes code of a candidate. Compilers and checks run here.
//
// A program sees its own files there and no others: those that its command line, its environment and the sandbox's view
// name one by one, their shared libraries, and the data that belong to the kernel. Folders of a view are not sent. The
// file that a path names is sent by its contents, once, and has the same path there, unless it belongs to the system.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/remote/carried_files.h"
#include "tool/evaluate/remote/measuring_hosts.h"
#include "tool/farm/shared_host.h"
#include "tool/model/cpu.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace agentic {

struct ProgramHostsRequest {
  const FarmOptions *options = nullptr;
  /// Returns why a CPU is not the one that is wanted; empty if it is.
  std::function<std::string(const Cpu &)> refusal;
  std::vector<std::string> data;                ///< what programs read besides, absolute
  const std::atomic<bool> *cancelled = nullptr; ///< of connecting
};

/// Returns the CPUs of the hosts that answer and may run programs. Connects to each, for that alone.
std::vector<Cpu> cpusOf(const FarmOptions &options, const std::atomic<bool> *cancelled);

class ProgramHosts final : public ProgramsElsewhere {
public:
  /// Connects to all at once, and keeps those of the kind that most of the suitable ones are of. Errors: none is left,
  /// with what is in the way of each; interrupted.
  static Result<std::shared_ptr<ProgramHosts>> open(const ProgramHostsRequest &request);

  const Cpu &cpu() const { return cpu_; }                               ///< with the features of all
  const std::string &group() const { return group_; }                   ///< HostFacts::group() of all
  std::string names() const;                                            ///< "box1, box2"
  std::map<std::string, std::shared_ptr<SharedHost>> connected() const; ///< those that are not lost, by name

  /// Runs on one that has nothing else to do, else on the first that is free. One that is lost is left out, and another
  /// runs the program again. Errors: all are lost; Sandbox::run()'s there.
  Result<ProcessResult> run(const ProcessSpec &spec, const Sandbox::View &view) override;

  /// Returns what is to be said of hosts that were lost, once. Thread-safe.
  std::vector<std::string> takeWarnings();

private:
  struct Member {
    std::string name;
    std::shared_ptr<SharedHost> host;
    std::atomic<bool> isLost = false;
  };
  struct Known {
    std::string stamp;
    std::vector<TaskFile> files; ///< itself, and its libraries
  };
  Member *idle();
  Result<std::vector<TaskFile>> filesOf(const std::string &file, const Sandbox::View &view);
  /// Finds the files that a word names, and writes them as they are named there.
  Result<std::string> placed(const std::string &word, const Sandbox::View &view,
                             std::map<std::string, TaskFile> &files);

  Sandbox local_ = Sandbox::none(); ///< asks the loader here
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<TaskFile> data_;
  Cpu cpu_;
  std::string group_;
  std::mutex mutex_; ///< of the two below
  std::map<std::string, Known> known_;
  std::vector<std::string> warnings_;
};

} // namespace agentic
