#include "tool/evaluate/remote/measuring_hosts.h"

#include "tool/base/text.h"
#include "tool/base/version.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <future>
#include <map>
#include <utility>

namespace agentic {
namespace {

/// A benchmark's processes have limits of their own, which end earlier; this ends a host that is silent.
constexpr double kLearningSeconds = 900, kMeasuringSeconds = 900;

/// Returns why a host cannot be used; empty if it can.
std::string refusalOf(const HostFacts &facts, const FarmRequest &request) {
  if (facts.version != kVersion)
    return fmt::format("its worker is of version {}, this tool of {}", facts.version, kVersion);
  if (!facts.isConfined)
    return fmt::format("its sandbox is '{}', and candidates are run there under bubblewrap alone: install the package "
                       "'bubblewrap' and allow unprivileged user namespaces",
                       facts.sandbox);
  // "2.9" is older than "2.36": compared number by number.
  if (::strverscmp(facts.glibc.c_str(), ::gnu_get_libc_version()) < 0)
    return fmt::format("its glibc {} is older than the {} that the programs are linked with", facts.glibc,
                       ::gnu_get_libc_version());
  std::vector<std::string> lacked;
  for (const std::string &feature : request.features)
    if (std::ranges::find(facts.features, feature) == facts.features.end())
      lacked.push_back(feature);
  return lacked.empty() ? "" : fmt::format("its CPU ({}) lacks {}", facts.cpu, join(lacked, ", "));
}

} // namespace

Result<MeasuringHosts::Opened> MeasuringHosts::openOne(const RunContext &context, const FarmRequest &request,
                                                       const HostAddress &address, CarriedFiles &carried) {
  Opened opened{.member = std::make_unique<Member>(), .refusal = {}};
  Member &member = *opened.member;
  member.name = address.name;
  member.host = TRY(Host::connect(address, request.options->worker, context.cancelled));
  opened.refusal = refusalOf(member.host->facts(), request);
  if (!opened.refusal.empty())
    return opened;
  const CarriedPrograms programs = TRY(carried.of(request.benchmark));
  const Task task = TRY(learningTask(context, request.benchmark, programs));
  const nlohmann::json result = TRY(member.host->perform(task, kLearningSeconds, context.cancelled));
  member.learned = TRY(learnedThere(result));
  const auto &same = member.learned.same.measurement;
  if (!same)
    opened.refusal = "the unchanged kernel could not be compared with itself there: " + member.learned.same.rejection +
                     member.learned.same.undecided;
  else if (same->comparison != Comparison::Same)
    opened.refusal = fmt::format("the unchanged kernel measured against itself is {} there: something disturbs it",
                                 same->comparison == Comparison::TooNoisy ? "too noisy" : "not the same");
  return opened;
}

Result<std::unique_ptr<MeasuringHosts>> MeasuringHosts::open(const RunContext &context, const FarmRequest &request) {
  auto farm = std::make_unique<MeasuringHosts>();
  farm->warn_ = request.warn;
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
  farm->group_ = *std::ranges::max_element(
      order, [&](const std::string &one, const std::string &other) { return sizes[one] < sizes[other]; });
  std::erase_if(farm->hosts_, [&](const std::unique_ptr<Member> &member) {
    if (member->host->facts().group() == farm->group_)
      return false;
    request.warn(
        fmt::format("host '{}' is set aside: it is of another kind ({}) than most ({}), and ratios of two kinds "
                    "cannot be compared",
                    member->name, member->host->facts().group(), farm->group_));
    return true;
  });
  std::vector<std::string> names;
  for (const std::unique_ptr<Member> &member : farm->hosts_)
    names.push_back(member->name);
  request.note(fmt::format("measuring on {} ({})", join(names, ", "), farm->group_));
  return farm;
}

std::optional<std::size_t> MeasuringHosts::first() const {
  for (std::size_t i = 0; i < hosts_.size(); ++i)
    if (!hosts_[i]->isLost)
      return i;
  return std::nullopt;
}

Result<nlohmann::json> MeasuringHosts::perform(Member &member, const Task &task, const RunContext &context) {
  const std::lock_guard lock(member.mutex);
  if (member.isLost)
    return userError("host '" + member.name + "' is lost", "go on with --resume once it is back");
  auto result = member.host->perform(task, kMeasuringSeconds, context.cancelled);
  if (!result && result.error().kind == ErrorKind::User) {
    member.isLost = true;
    const std::lock_guard one(warning_);
    warn_(result.error().message + ": it is left out from here on");
  }
  return result;
}

Result<BenchmarkOutcome> MeasuringHosts::measure(std::size_t host, const RunContext &context,
                                                 const BenchmarkRequest &request) {
  Member &member = *hosts_[host];
  const CarriedPrograms programs = TRY(carried_.of(request));
  const Task task = TRY(measuringTask(context, request, member.learned.facts, programs));
  const nlohmann::json result = TRY(perform(member, task, context));
  return measuredThere(result);
}

Result<Roofline> MeasuringHosts::roofline(std::size_t host, const RunContext &context, bool again) {
  Member &member = *hosts_[host];
  if (!again && !member.learned.roofline.levels.empty())
    return member.learned.roofline;
  const nlohmann::json result = TRY(perform(member, rooflineTask(), context));
  return rooflineThere(result);
}

} // namespace agentic
