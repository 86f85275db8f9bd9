#include "tool/evaluate/remote/program_hosts.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/shared_libraries.h"
#include "tool/base/text.h"
#include "tool/build/host.h"
#include "tool/build/machine_fingerprint.h"
#include "tool/build/sandbox_view.h"
#include "tool/evaluate/remote/host_refusal.h"
#include "tool/evaluate/remote/running_task.h"
#include "tool/evaluate/remote/task_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>
#include <utility>

namespace agentic {
namespace {

/// Beyond the program's own limit: for sending its files, and for its turn on a host's only CPU.
constexpr double kTransferSeconds = 1200;

/// The CPU of a host as levels see it.
Cpu cpuOf(const HostFacts &facts) {
  Cpu cpu{.processor = hostCpu().processor};
  for (const std::string &feature : facts.features)
    if (const auto bits = cpuBits(feature))
      for (std::size_t i = 0; i < kCpuWords; ++i)
        cpu.words[i] |= (*bits)[i];
  return cpu;
}

bool isElf(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  char magic[4] = {};
  return stream.read(magic, sizeof magic) && std::string_view(magic, sizeof magic) == "\177ELF";
}

bool isShown(const std::string &path, const Sandbox::View &view) {
  return std::ranges::any_of(view.readOnly,
                             [&](const std::string &shown) { return liesIn(path, normalizedPath(shown)); });
}

bool isRegularFile(const std::string &path) {
  std::error_code error;
  return path.starts_with('/') && fs::is_regular_file(path, error);
}

std::string placeOf(const std::string &file) {
  return isOfTheSystem(file) ? std::string(kCarriedLibraries) + "/" + fs::path(file).filename().string() : file;
}

struct Connected {
  std::unique_ptr<Host> host;
  std::string refusal;
};

Result<Connected> connectOne(const ProgramHostsRequest &request, const HostAddress &address) {
  Connected connected{.host = TRY(Host::connect(address, request.options->worker, request.cancelled)), .refusal = {}};
  connected.refusal = refusalOf(connected.host->facts(), {});
  if (connected.refusal.empty())
    connected.refusal = request.refusal(cpuOf(connected.host->facts()));
  return connected;
}

std::vector<Result<Connected>> connectAll(const ProgramHostsRequest &request) {
  std::vector<std::future<Result<Connected>>> connecting;
  for (const HostAddress &address : request.options->hosts)
    connecting.push_back(std::async(std::launch::async, [&] { return connectOne(request, address); }));
  std::vector<Result<Connected>> connected;
  for (auto &one : connecting)
    connected.push_back(one.get());
  return connected;
}

} // namespace

std::vector<Cpu> cpusOf(const FarmOptions &options, const std::atomic<bool> *cancelled) {
  std::vector<Cpu> cpus;
  const ProgramHostsRequest request{
      .options = &options, .refusal = [](const Cpu &) { return std::string(); }, .data = {}, .cancelled = cancelled};
  for (const Result<Connected> &one : connectAll(request))
    if (one && one->refusal.empty())
      cpus.push_back(cpuOf(one->host->facts()));
  return cpus;
}

Result<std::shared_ptr<ProgramHosts>> ProgramHosts::open(const ProgramHostsRequest &request) {
  auto hosts = std::make_shared<ProgramHosts>();
  CarriedFiles carried;
  TRY(carried.addData(request.data));
  hosts->data_ = carried.data();
  hosts->local_ = Sandbox::probe();
  const std::vector<HostAddress> &addresses = request.options->hosts;
  std::vector<Result<Connected>> connected = connectAll(request);
  std::string why;
  std::map<std::string, std::size_t> sizes;
  for (std::size_t i = 0; i < connected.size(); ++i) {
    Result<Connected> &one = connected[i];
    if (!one && one.error().kind != ErrorKind::User)
      return std::unexpected(one.error());
    if (!one || !one->refusal.empty()) {
      why += (why.empty() ? "" : "; ") +
             (one ? fmt::format("host '{}': {}", addresses[i].name, one->refusal) : one.error().message);
      continue;
    }
    ++sizes[one->host->facts().group()];
    auto member = std::make_unique<Member>();
    member->name = addresses[i].name;
    member->host = std::make_shared<SharedHost>(std::move(one->host));
    hosts->members_.push_back(std::move(member));
  }
  if (hosts->members_.empty())
    return userError(why, "name hosts that have what is missing with --farm");
  const std::string &kind = request.options->kind;
  hosts->group_ = sizes.contains(kind)
                      ? kind
                      : std::ranges::max_element(sizes, {}, [](const auto &entry) { return entry.second; })->first;
  std::erase_if(hosts->members_,
                [&](const std::unique_ptr<Member> &member) { return member->host->facts().group() != hosts->group_; });
  hosts->cpu_ = cpuOf(hosts->members_.front()->host->facts());
  for (const std::unique_ptr<Member> &member : hosts->members_) {
    const Cpu one = cpuOf(member->host->facts());
    for (std::size_t i = 0; i < kCpuWords; ++i)
      hosts->cpu_.words[i] &= one.words[i];
  }
  return hosts;
}

std::string ProgramHosts::names() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<Member> &member : members_)
    names.push_back(member->name);
  return join(names, ", ");
}

std::map<std::string, std::shared_ptr<SharedHost>> ProgramHosts::connected() const {
  std::map<std::string, std::shared_ptr<SharedHost>> out;
  for (const std::unique_ptr<Member> &member : members_)
    if (!member->isLost)
      out.emplace(member->name, member->host);
  return out;
}

ProgramHosts::Member *ProgramHosts::idle() {
  Member *first = nullptr;
  for (const std::unique_ptr<Member> &member : members_) {
    if (member->isLost)
      continue;
    if (!member->host->isBusy())
      return member.get();
    first = first ? first : member.get();
  }
  return first;
}

/// The loader is asked inside the sandbox: a candidate's shared object is hostile.
Result<std::vector<TaskFile>> ProgramHosts::filesOf(const std::string &file, const Sandbox::View &view) {
  const std::string stamp = fileStamp(file);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(file); known != known_.end() && known->second.stamp == stamp)
      return known->second.files;
  }
  std::vector<TaskFile> files{{.path = placeOf(file), .file = file, .hash = fileHash(file)}};
  if (files.front().hash.empty())
    return userError(fmt::format("'{}' cannot be read, which a program needs on a host", file), "start again");
  if (isElf(file)) {
    Sandbox::View shown = view;
    shown.readOnly.push_back(file);
    shown.tasks = Tasks::Processes; // ldd is a script
    const auto libraries = TRY(sharedLibraries(file, [&](const ProcessSpec &spec) { return local_.run(spec, shown); }));
    for (const auto &[name, library] : libraries)
      files.push_back({.path = isOfTheSystem(library) ? std::string(kCarriedLibraries) + "/" + name : library,
                       .file = library,
                       .hash = fileHash(library)});
  }
  const std::lock_guard lock(mutex_);
  known_[file] = {.stamp = stamp, .files = files};
  return files;
}

Result<std::string> ProgramHosts::placed(const std::string &word, const Sandbox::View &view,
                                         std::map<std::string, TaskFile> &files) {
  std::string path = normalizedPath(word);
  if (!isRegularFile(word) || !isShown(path, view))
    return word;
  for (TaskFile &file : TRY(filesOf(path, view)))
    files.emplace(file.path, std::move(file));
  return placeOf(path);
}

Result<ProcessResult> ProgramHosts::run(const ProcessSpec &asked, const Sandbox::View &view) {
  std::map<std::string, TaskFile> files;
  for (const TaskFile &file : data_)
    files.emplace(file.path, file);
  ProcessSpec spec = asked;
  for (std::string &word : spec.argv)
    word = TRY(placed(word, view, files));
  for (const std::string &path : view.readOnly)
    TRY(placed(path, view, files));
  for (std::string &entry : spec.environment ? *spec.environment : spec.environment.emplace()) {
    const std::size_t begin = entry.find('=') + 1;
    std::vector<std::string> parts = split(entry.substr(begin), ':'); // LD_PRELOAD is a list
    for (std::string &part : parts)
      part = TRY(placed(part, view, files));
    entry = entry.substr(0, begin) + join(parts, ":");
  }
  std::vector<TaskFile> sent;
  for (auto &[place, file] : files)
    sent.push_back(std::move(file));
  std::string why;
  for (;;) {
    Member *const member = idle();
    if (!member)
      return userError("all hosts that run the programs are lost" + why, "go on with --resume once they are back");
    const bool locks = member->host->facts().machine != machineIdentity();
    const Task task = runningTask(spec, view, sent, locks);
    const auto result = member->host->perform(task, spec.timeoutSeconds + kTransferSeconds, spec.cancelled);
    if (result)
      return ranThere(*result, view.writable);
    if (spec.cancelled && *spec.cancelled) {
      ProcessResult process;
      process.end = ProcessResult::End::Cancelled;
      return process;
    }
    if (result.error().kind != ErrorKind::User)
      return std::unexpected(result.error());
    why = ": " + result.error().message;
    if (member->isLost.exchange(true)) // whoever waited for its turn meanwhile found so, too
      continue;
    const std::lock_guard lock(mutex_);
    warnings_.push_back(result.error().message + ": it is left out from here on");
  }
}

std::vector<std::string> ProgramHosts::takeWarnings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

} // namespace agentic
