#include "tool/farm/host.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/base/user_command.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;

constexpr double kSendSeconds = 600, kStep = 0.05, kEndSeconds = 5;
/// Our shell's word for "the worker is not there"; shells and ssh end with no such status.
constexpr int kNoWorker = 97;

/// Sets D, the folder for all that is kept there.
std::string folderAt(const HostAddress &address) {
  return address.folder.empty() ? R"(D="${XDG_CACHE_HOME:-${HOME:?}/.cache}/agentic-kernel")"
                                : "D=" + shellQuoted(address.folder + "/agentic-kernel");
}

std::string folderThere(const WorkerProgram &worker) {
  return "\"$D\"/worker-" + worker.hash.substr(0, 24);
}

/// Login shells are of all kinds; this one is the same everywhere.
std::string inShell(const std::string &command) {
  return "exec /bin/sh -c " + shellQuoted(command);
}

HostFacts factsOf(const json &hello) {
  HostFacts facts;
  facts.machine = field(hello, "machine", std::string());
  facts.version = field(hello, "version", std::string());
  facts.cpu = field(hello, "cpu", std::string());
  facts.microcode = field(hello, "microcode", std::string());
  facts.kernel = field(hello, "kernel", std::string());
  facts.governor = field(hello, "governor", std::string());
  facts.sandbox = field(hello, "sandbox", std::string());
  facts.glibc = field(hello, "glibc", std::string());
  facts.isConfined = field(hello, "isConfined", false);
  facts.features = field(hello, "features", std::vector<std::string>());
  return facts;
}

bool isCancelled(const std::atomic<bool> *cancelled) {
  return cancelled && *cancelled;
}

} // namespace

std::string HostFacts::group() const {
  return fmt::format("{}, microcode {}, Linux {}, governor {}", cpu, microcode.empty() ? "unknown" : microcode, kernel,
                     governor.empty() ? "unknown" : governor);
}

std::unexpected<Error> Host::lost(const std::string &why) const {
  return userError(fmt::format("host '{}': {}", address_.name, why),
                   "try the same by hand: " + join(address_.words, " ") + " true");
}

Host::~Host() {
  if (peer_ && isOpen_)
    (void)peer_->ending(kEndSeconds);
}

Result<std::unique_ptr<Host>> Host::connect(HostAddress address, WorkerProgram worker,
                                            const std::atomic<bool> *cancelled) {
  std::unique_ptr<Host> host(new Host(std::move(address), std::move(worker)));
  TRY(host->open(cancelled));
  return host;
}

Result<void> Host::runThere(const std::string &command, std::string input, const std::atomic<bool> *cancelled) {
  ProcessSpec spec;
  spec.argv = address_.words;
  spec.argv.push_back(inShell(command));
  spec.environment = worker_.environment;
  spec.input = std::move(input);
  spec.timeoutSeconds = address_.queueSeconds + kSendSeconds; // it is a job of its own
  spec.cancelled = cancelled;
  spec.ownSession = true;
  const ProcessResult done = TRY(runProcess(spec));
  if (done.end == ProcessResult::End::Cancelled)
    return interruptedError();
  return done.ok() ? Result<void>()
                   : lost("the worker could not be sent there: " + done.describe() + saidAtTheEnd(done));
}

/// By a rename, so that two that send it at once, or one that is cut off, leave no part of it.
Result<void> Host::sendWorker(const std::atomic<bool> *cancelled) {
  const std::string draft = fmt::format("\"$D\"/new-{:08x}{:08x}", std::random_device()(), std::random_device()());
  for (const auto &[name, file] : worker_.files) {
    std::string bytes = TRY(readFile(file));
    TRY(runThere(fmt::format("umask 077; {0} && mkdir -p {1} && cat >{1}/{2} && chmod 700 {1}/{2}", folderAt(address_),
                             draft, name),
                 std::move(bytes), cancelled));
  }
  return runThere(
      fmt::format("{0}; mv -T {1} {2} 2>/dev/null || [ -d {2} ]", folderAt(address_), draft, folderThere(worker_)), {},
      cancelled);
}

Result<void> Host::open(const std::atomic<bool> *cancelled) {
  for (const bool mayBeMissing : {true, false}) {
    std::vector<std::string> argv = address_.words;
    argv.push_back(inShell(fmt::format(R"({0}; [ -x {1}/{3} ] || exit {2}; exec {4}{1}/{3} "$D/farm")",
                                       folderAt(address_), folderThere(worker_), kNoWorker, kWorkerProgram,
                                       address_.cores.empty() ? "" : "taskset -c " + address_.cores + " ")));
    if (peer_ && isOpen_)
      (void)peer_->ending(kEndSeconds);
    reader_ = MessageReader();
    there_.clear();
    isOpen_ = false;
    peer_ = TRY(PipedProcess::start(std::move(argv), worker_.environment));
    const double deadline = steadySeconds() + address_.queueSeconds;
    (void)peer_->send(wireText({{"verb", "hello"}}), address_.queueSeconds,
                      cancelled); // if it is not there, its end says why
    const auto hello = receive(deadline, cancelled);
    if (hello) {
      const json facts = field(hello->json, "hello", json::object());
      if (field(facts, "protocol", 0) != kWorkerProtocol)
        return lost("its worker speaks another protocol");
      facts_ = factsOf(facts);
      isOpen_ = true;
      return {};
    }
    if (!mayBeMissing ||
        hello.error().message.find(fmt::format("exited with status {}", kNoWorker)) == std::string::npos)
      return std::unexpected(hello.error());
    TRY(sendWorker(cancelled));
  }
  return lost("the worker does not stay there");
}

/// What was learnt of a machine, and what was measured on it, says nothing of another.
Result<void> Host::reopen(const std::atomic<bool> *cancelled) {
  const std::string before = facts_.machine;
  TRY(open(cancelled));
  return facts_.machine == before ? Result<void>() : lost("it is another machine now");
}

Result<void> Host::send(const std::string &bytes, double deadline, const std::atomic<bool> *cancelled) {
  if (peer_->send(bytes, deadline - steadySeconds(), cancelled))
    return {};
  isOpen_ = false; // a part may be on its way
  if (isCancelled(cancelled))
    return interruptedError();
  return lost(steadySeconds() >= deadline ? "it does not read what is sent" : peer_->ending());
}

Result<Message> Host::receive(double deadline, const std::atomic<bool> *cancelled) {
  for (const double begin = steadySeconds();;) {
    if (isCancelled(cancelled)) // before what has come: it may never end
      return interruptedError();
    if (steadySeconds() >= deadline)
      return lost(fmt::format("no answer within {:.0f} s", deadline - begin));
    auto message = TRY(reader_.next());
    if (message)
      return std::move(*message);
    if (peer_->receive(reader_.buffer(), kStep) == PipedProcess::Received::End)
      return lost(peer_->ending());
  }
}

Result<void> Host::sendFiles(const Task &task, double deadline, const std::atomic<bool> *cancelled) {
  std::vector<std::string> hashes;
  for (const TaskFile &file : task.files)
    if (!there_.contains(file.hash))
      hashes.push_back(file.hash);
  if (hashes.empty())
    return {};
  const int ask = ++asks_;
  TRY(send(wireText({{"verb", "have"}, {"hashes", hashes}, {"ask", ask}}), deadline, cancelled));
  std::set<std::string> missing;
  for (bool isAnswered = false; !isAnswered;) { // the answer to an earlier question may come first
    const Message answer = TRY(receive(deadline, cancelled));
    isAnswered = field(answer.json, "ask", 0) == ask;
    if (isAnswered)
      missing = field(answer.json, "missing", std::set<std::string>());
  }
  for (const TaskFile &file : task.files)
    if (missing.contains(file.hash) && !there_.contains(file.hash)) {
      const std::string bytes = TRY(readFile(file.file));
      TRY(send(wireText({{"verb", "put"}, {"hash", file.hash}}, bytes), deadline, cancelled));
      there_.insert(file.hash);
    }
  there_.insert(hashes.begin(), hashes.end());
  return {};
}

Result<TaskResult> Host::performOnce(const Task &task, double deadline, const std::atomic<bool> *cancelled) {
  TRY(sendFiles(task, deadline, cancelled));
  TRY(send(wireText({{"verb", "perform"}, {"task", task.id}, {"description", task.description}}), deadline, cancelled));
  for (;;) {
    Message answer = TRY(receive(deadline, cancelled));
    if (field(answer.json, "task", std::string()) == task.id)
      return TaskResult{.json = field(answer.json, "result", json()), .bytes = std::move(answer.bytes)};
  }
}

Result<TaskResult> Host::finishedOnce(const std::string &run, double deadline, const std::atomic<bool> *cancelled) {
  TRY(send(wireText({{"verb", "finished"}, {"run", run}}), deadline, cancelled));
  for (;;) {
    const Message answer = TRY(receive(deadline, cancelled));
    if (answer.json.contains("finished"))
      return TaskResult{.json = field(answer.json, "finished", json::object())};
  }
}

Result<TaskResult> Host::asked(const std::function<Result<TaskResult>()> &ask, const std::atomic<bool> *cancelled) {
  if (!isOpen_)
    TRY(reopen(cancelled));
  Result<TaskResult> answer = ask();
  if (answer || answer.error().kind != ErrorKind::User)
    return answer;
  TRY(reopen(cancelled));
  return ask();
}

Result<TaskResult> Host::perform(const Task &task, double seconds, const std::atomic<bool> *cancelled) {
  return asked([&] { return performOnce(task, steadySeconds() + seconds, cancelled); }, cancelled);
}

Result<std::map<std::string, json>> Host::finished(const std::string &run, const std::atomic<bool> *cancelled) {
  const TaskResult finished =
      TRY(asked([&] { return finishedOnce(run, steadySeconds() + kSendSeconds, cancelled); }, cancelled));
  return finished.json.is_object() ? finished.json.get<std::map<std::string, json>>() : std::map<std::string, json>();
}

} // namespace agentic
