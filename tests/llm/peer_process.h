// A foreign server, started for a test: on loopback, on a port of its own choosing. It ends with the object, and with
// the test process however that ends.
#pragma once

#include "tool/base/files.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace agentic {

class PeerProcess {
public:
  /// `announcement`: the server's output directly before its address.
  static Result<std::unique_ptr<PeerProcess>> start(std::vector<std::string> argv,
                                                    std::vector<std::pair<std::string, std::string>> environment,
                                                    const std::string &announcement);
  ~PeerProcess();
  PeerProcess(const PeerProcess &) = delete;
  PeerProcess &operator=(const PeerProcess &) = delete;
  const std::string &url() const { return url_; } ///< "http://127.0.0.1:39599"
  std::string output() const;

private:
  explicit PeerProcess(ScratchDirectory scratch) : scratch_(std::move(scratch)) {}
  ScratchDirectory scratch_;
  std::atomic<bool> cancelled_{false}, ended_{false};
  std::thread thread_;
  std::string url_;
};

/// Returns node_modules of tests/llm/peers as the tests' fixture installed it; empty if it is missing.
std::string peersFolder();

/// Returns a Node.js that is new enough for them: the packages' own, else the machine's.
std::string peersNode();

} // namespace agentic
