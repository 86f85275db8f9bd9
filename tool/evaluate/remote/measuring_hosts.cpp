#include "tool/evaluate/remote/measuring_hosts.h"

#include "tool/base/text.h"
#include "tool/evaluate/remote/host_refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <future>
#include <map>
#include <utility>

namespace agentic {
namespace {

/// A benchmark's processes have limits of their own, and the wait for the machine's lock has one of fifteen minutes:
/// these end a host that is silent. A decision takes twenty pairs at most, some of them twice, and a confirmation its
/// share.
constexpr double kLearningSeconds = 1800, kWaitSeconds = 1200, kMostPairs = 100;

/// Returns what differs from this machine's benchmarks; empty if nothing does.
std::string otherBenchmarks(const BenchmarkFacts &there, const BenchmarkFacts &here) {
  for (std::size_t i = 0; i < std::max(there.size(), here.size()); ++i) {
    if (i >= there.size() || i >= here.size())
      return "other programs than here report benchmarks there";
    const BenchmarkProgramFacts &a = there[i], &b = here[i];
    if (a.names != b.names || a.leftOut.size() != b.leftOut.size())
      return fmt::format("'{}' reports other benchmarks there than here", b.target);
    if (a.byWallTime != b.byWallTime || a.unseen != b.unseen)
      return fmt::format("the threads of '{}' do another part of its work there than here", b.target);
  }
  return {};
}

/// Returns what is wrong with a machine on which the same code against itself came to this; empty if nothing is.
std::string disturbance(const BenchmarkOutcome &same) {
  if (!same.measurement)
    return "the unchanged kernel could not be compared with itself there: " + same.rejection + same.undecided;
  if (same.measurement->comparison == Comparison::Same)
    return {};
  return fmt::format("the unchanged kernel measured against itself is {} there: something disturbs it",
                     same.measurement->comparison == Comparison::TooNoisy ? "too noisy" : "not the same");
}

} // namespace

Result<MeasuringHosts::Opened> MeasuringHosts::openOne(const RunContext &context, const FarmRequest &request,
                                                       const HostAddress &address, CarriedFiles &carried) {
  Opened opened{.member = std::make_unique<Member>(), .refusal = {}};
  Member &member = *opened.member;
  member.name = address.name;
  const auto connected = request.connected.find(address.name);
  member.host =
      connected != request.connected.end()
          ? connected->second
          : std::make_shared<SharedHost>(TRY(Host::connect(address, request.options->worker, context.cancelled)));
  opened.refusal = refusalOf(member.host->facts(), request.features);
  if (!opened.refusal.empty())
    return opened;
  const CarriedPrograms programs = TRY(carried.of(request.benchmark));
  const Task task = TRY(learningTask(context, request.benchmark, programs));
  const TaskResult result = TRY(member.host->perform(task, kLearningSeconds, context.cancelled));
  member.learned = TRY(learnedThere(result.json));
  opened.refusal = request.facts ? otherBenchmarks(member.learned.facts, *request.facts) : std::string();
  if (!opened.refusal.empty())
    return opened;
  opened.refusal = disturbance(member.learned.same);
  if (opened.refusal.empty() && request.options->isResumed)
    member.finished = TRY(member.host->finished(request.options->run, context.cancelled));
  return opened;
}

Result<std::unique_ptr<MeasuringHosts>> MeasuringHosts::open(const RunContext &context, const FarmRequest &request) {
  auto farm = std::make_unique<MeasuringHosts>();
  farm->unchanged_ = request.benchmark.reference;
  farm->controlEvery_ = request.options->controlEvery;
  farm->tasks_.begin(request.options->run, request.options->worker.hash);
  TRY(farm->carried_.addData(request.data));
  TRY(farm->carried_.of(request.benchmark)); // what is in the way of all is one error
  std::vector<std::future<Result<Opened>>> opening;
  for (const HostAddress &address : request.options->hosts)
    opening.push_back(
        std::async(std::launch::async, [&] { return openOne(context, request, address, farm->carried_); }));
  std::vector<Result<Opened>> opened;
  for (std::future<Result<Opened>> &one : opening)
    opened.push_back(one.get()); // all, before anything is returned: they use what is here
  std::map<std::string, std::size_t> sizes;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < opened.size(); ++i) {
    const std::string &name = request.options->hosts[i].name;
    if (!opened[i] && opened[i].error().kind != ErrorKind::User)
      return std::unexpected(opened[i].error());
    if (!opened[i] || !opened[i]->refusal.empty()) {
      request.warn(opened[i] ? fmt::format("host '{}' is set aside: {}", name, opened[i]->refusal)
                             : opened[i].error().message + ": it is set aside");
      continue;
    }
    const std::string group = opened[i]->member->host->facts().group();
    if (sizes[group]++ == 0)
      order.push_back(group);
    farm->hosts_.push_back(std::move(opened[i]->member));
  }
  if (farm->hosts_.empty())
    return userError("no host of --farm is left to measure on", "see why above; without --farm this machine measures");
  const std::string &kind = request.options->kind;
  farm->group_ = sizes.contains(kind)
                     ? kind
                     : *std::ranges::max_element(order, [&](const std::string &one, const std::string &other) {
                         return sizes[one] < sizes[other];
                       });
  std::erase_if(farm->hosts_, [&](const std::unique_ptr<Member> &member) {
    if (member->host->facts().group() == farm->group_)
      return false;
    request.warn(
        fmt::format("host '{}' is set aside: it is of another kind ({}) than the others ({}), and ratios of two kinds "
                    "cannot be compared",
                    member->name, member->host->facts().group(), farm->group_));
    return true;
  });
  std::vector<std::string> names;
  for (const std::unique_ptr<Member> &member : farm->hosts_) {
    names.push_back(member->name);
    farm->tasks_.collect(member->name, std::move(member->finished));
  }
  request.note(fmt::format("measuring on {} ({})", join(names, ", "), farm->group_));
  return farm;
}

std::optional<std::size_t> MeasuringHosts::first() const {
  for (std::size_t i = 0; i < hosts_.size(); ++i)
    if (!hosts_[i]->isLost)
      return i;
  return std::nullopt;
}

MeasuringHosts::~MeasuringHosts() {
  for (const std::unique_ptr<Member> &member : hosts_) // all at once: each may take a while to end
    member->host->endInput();
}

std::vector<std::string> MeasuringHosts::takeWarnings() {
  const std::lock_guard lock(warning_);
  return std::exchange(warnings_, {});
}

template <class Value>
Result<Value> MeasuringHosts::perform(Member &member, const Task &task, const RunContext &context,
                                      Result<Value> (*read)(const nlohmann::json &)) {
  if (member.isLost)
    return userError("host '" + member.name + "' is lost", "go on with --resume once it is back");
  const double seconds = kWaitSeconds + kMostPairs * pairSeconds(member.learned.facts);
  auto result = member.host->perform(task, seconds, context.cancelled);
  Result<Value> value = result ? read(result->json) : std::unexpected(result.error());
  if (!value && value.error().kind == ErrorKind::User)
    leaveOut(member, (result ? fmt::format("host '{}': ", member.name) : std::string()) + value.error().message);
  return value;
}

void MeasuringHosts::leaveOut(Member &member, std::string why) {
  if (member.isLost.exchange(true)) // whoever waited for its turn meanwhile found so, too
    return;
  const std::lock_guard one(warning_);
  warnings_.push_back(std::move(why) + ": it is left out from here on");
}

Result<void> MeasuringHosts::control(Member &member, const RunContext &context, BenchmarkRequest request,
                                     const CarriedPrograms &carried) {
  request.reference = unchanged_;
  const Task task = TRY(controlTask(context, request, member.learned.facts, carried));
  const BenchmarkOutcome same = TRY(perform(member, task, context, measuredThere));
  const std::string why = disturbance(same);
  if (why.empty())
    return {};
  leaveOut(member, fmt::format("host '{}': {}", member.name, why));
  return userError(fmt::format("host '{}' is disturbed", member.name), "go on with --resume once it is quiet");
}

Result<BenchmarkOutcome> MeasuringHosts::measure(std::size_t host, const RunContext &context,
                                                 const BenchmarkRequest &request) {
  Member &member = *hosts_[host];
  const CarriedPrograms programs = TRY(carried_.of(request));
  const std::string question = tasks_.questionOf(request, programs);
  if (const std::optional<RunTasks::Finished> before = tasks_.take(question))
    if (Result<BenchmarkOutcome> outcome = measuredThere(before->result)) { // else measured, under another id
      outcome->host = before->host;
      return outcome;
    }
  if (member.measured++ % controlEvery_ == controlEvery_ - 1)
    TRY(control(member, context, request, programs));
  Task task = TRY(measuringTask(context, request, member.learned.facts, programs));
  task.id = tasks_.idOf(question);
  BenchmarkOutcome outcome = TRY(perform(member, task, context, measuredThere));
  tasks_.answered(question);
  outcome.host = member.name;
  return outcome;
}

Result<Roofline> MeasuringHosts::roofline(std::size_t host, const RunContext &context, bool again) {
  Member &member = *hosts_[host];
  if (!again && !member.learned.roofline.levels.empty())
    return member.learned.roofline;
  return perform(member, rooflineTask(), context, rooflineThere);
}

} // namespace agentic
