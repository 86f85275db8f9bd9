#include "tool/worker/worker.h"

#include "tool/base/lock_file.h"
#include "tool/base/version.h"
#include "tool/build/host.h"
#include "tool/build/machine_fingerprint.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/evaluate/remote/running_task.h"
#include "tool/farm/message.h"

#include <gnu/libc-version.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <future>
#include <mutex>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;

constexpr double kSameTaskSeconds = 3600; ///< longer than any task takes
/// Whoever died without a word asks for nothing any more. A run that needs the worker later starts another.
constexpr int kIdleMilliseconds = 30 * 60 * 1000;

std::vector<std::string> featuresHere() {
  std::vector<std::string> features;
  for (const CpuFeature &feature : cpuFeatures())
    if (hasFeatures(hostCpu(), feature.name))
      features.emplace_back(feature.name);
  return features;
}

json helloOf(const Sandbox &sandbox) {
  const MachineFingerprint machine = machineFingerprint();
  return {{"protocol", kWorkerProtocol},
          {"version", kVersion},
          {"machine", machineIdentity()},
          {"cpu", machine.cpu},
          {"microcode", machine.microcode},
          {"kernel", machine.kernel},
          {"governor", machine.governor},
          {"sandbox", sandbox.name()},
          {"isConfined", sandbox.strength() == Sandbox::Strength::Bubblewrap ||
                             sandbox.strength() == Sandbox::Strength::BubblewrapNoUserNamespace},
          {"glibc", ::gnu_get_libc_version()},
          {"features", featuresHere()}};
}

class Connection {
public:
  Connection(const WorkerStore &store, int output) : store_(store), output_(output), sandbox_(Sandbox::probe()) {}

  void answer(const Message &message) {
    const std::string verb = field(message.json, "verb", std::string());
    if (verb == "hello")
      write({{"hello", helloOf(sandbox_)}});
    else if (verb == "have")
      write({{"missing", store_.missing(field(message.json, "hashes", std::vector<std::string>()))},
             {"ask", field(message.json, "ask", 0)}});
    else if (verb == "put")
      put(message);
    else if (verb == "finished")
      write({{"finished", store_.resultsOf(field(message.json, "run", std::string()))}});
    else if (verb == "perform")
      perform(field(message.json, "task", std::string()), field(message.json, "description", json::object()));
  }

  bool isWorking() const {
    return work_.valid() && work_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }
  void finish() {
    if (work_.valid())
      work_.wait();
  }

private:
  /// What cannot be kept is said with the next task, which lacks it.
  void put(const Message &message) {
    if (const auto kept = store_.put(field(message.json, "hash", std::string()), message.bytes); !kept)
      problem_ = kept.error().message;
  }

  /// A task at a time, in a thread of its own, so that the end of the input is seen.
  void perform(const std::string &task, const json &description) {
    finish();
    if (const auto before = store_.result(task))
      return write({{"task", task}, {"result", *before}});
    if (!problem_.empty()) {
      const std::string problem = std::exchange(problem_, {});
      return write({{"task", task},
                    {"result",
                     {{"error",
                       {{"kind", static_cast<int>(ErrorKind::User)},
                        {"message", "its files could not be kept there: " + problem},
                        {"next", "look at the disk there"}}}}}});
    }
    work_ = std::async(std::launch::async, [this, task, description] {
      const HostSurroundings here{.sandbox = &sandbox_,
                                  .store = store_.files(),
                                  .scratch = store_.scratch(),
                                  .rooflineFile = store_.rooflineFile(),
                                  .cancelled = nullptr};
      if (field(description, "verb", std::string()) == kRunVerb) {
        TaskResult ran = performTask(description, here);
        return write({{"task", task}, {"result", std::move(ran.json)}}, ran.bytes);
      }
      // Another worker may be at it still, whose connection broke.
      const auto lock = LockFile::acquire(store_.lockFile(task), kSameTaskSeconds);
      if (const auto before = store_.result(task))
        return write({{"task", task}, {"result", *before}});
      const TaskResult result = performTask(description, here);
      if (!result.json.contains("error"))
        (void)store_.keepResult(task, result.json); // without it a broken connection costs the work again
      write({{"task", task}, {"result", result.json}});
    });
  }

  void write(json message, std::string_view bytes = {}) const {
    const std::string text = wireText(std::move(message), bytes);
    const std::lock_guard lock(writing_);
    for (std::string_view rest = text; !rest.empty();) {
      const ssize_t count = ::write(output_, rest.data(), rest.size());
      if (count < 0 && errno != EINTR)
        return;
      rest.remove_prefix(static_cast<std::size_t>(count > 0 ? count : 0));
    }
  }

  const WorkerStore &store_;
  const int output_;
  const Sandbox sandbox_;
  mutable std::mutex writing_;
  std::string problem_;
  std::future<void> work_; ///< the first to be destroyed: it uses the others
};

} // namespace

Result<void> serve(const WorkerStore &store, int input, int output) {
  std::signal(SIGPIPE, SIG_DFL); // who cannot be answered is gone: the result is kept, and the worker ends
  Connection connection(store, output);
  MessageReader reader;
  std::array<char, 65536> buffer;
  for (;;) {
    pollfd ready{.fd = input, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kIdleMilliseconds) == 0 && !connection.isWorking())
      break;
    if (ready.revents == 0)
      continue;
    const ssize_t count = ::read(input, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    reader.buffer().append(buffer.data(), static_cast<std::size_t>(count));
    for (;;) {
      const std::optional<Message> message = TRY(reader.next());
      if (!message)
        break;
      connection.answer(*message);
    }
  }
  connection.finish();
  return {};
}

} // namespace agentic
