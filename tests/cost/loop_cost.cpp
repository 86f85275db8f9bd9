// Measures what the loop with a model costs beyond the model and the measurements: the numbers in tool/agent/README.md.
// Not a test: run it by hand, on an idle machine.
//   loop_cost [folder=the system's for temporary files]
// A run of 50 tries asks a server on loopback over HTTP, streamed, and is recorded; then the recording is replayed with
// each kind of history. The stages themselves are left out: their verdicts are fixed. Records lie in `folder`, on whose
// disk their fsyncs depend.
#include "tests/cost/recorded_loop.h"

#include "tests/cost/counted_syncs.h"
#include "tests/cost/row.h"
#include "tests/llm/loopback_server.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/llm/cassette.h"
#include "tool/llm/chat_model.h"
#include "tool/search/stop_reason.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <type_traits>

namespace agentic::cost {
namespace {

template <class T> T must(std::expected<T, ChatError> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

template <class T> T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>)
    return std::move(*result);
}

struct Moment {
  double at = 0;
  Syncs until; ///< since the program began
};

Moment now() {
  return {steadySeconds(), countedSyncs()};
}

/// The moments of one run, by try. The server's are known while the loop's thread waits for it.
struct Moments {
  std::vector<Moment> arrived;  ///< the whole request has been read
  std::vector<Moment> lastByte; ///< the reply's last bytes are about to be sent
  std::vector<Moment> begins, verdict;
};

std::string medianAndWorst(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return fmt::format("{:8.2f} ms, at worst {:8.2f} ms", seconds.at(seconds.size() / 2) * 1000, seconds.back() * 1000);
}

/// Streams like servers of Chat Completions: pieces of 64 bytes, the usage, the end.
void stream(const std::string &text, std::size_t tokens, Served &served, Moments &moments) {
  constexpr std::size_t kPiece = 64;
  served.begin();
  for (std::size_t i = 0; i < text.size(); i += kPiece) {
    const nlohmann::json piece = {{"choices", {{{"delta", {{"content", text.substr(i, kPiece)}}}}}}};
    served.send("data: " + piece.dump() + "\n\n");
  }
  const nlohmann::json end = {{"choices", {{{"delta", nlohmann::json::object()}, {"finish_reason", "stop"}}}},
                              {"usage", {{"prompt_tokens", tokens}, {"completion_tokens", tokenCount(text)}}}};
  served.send("data: " + end.dump() + "\n\n");
  moments.lastByte.push_back(now());
  served.send("data: [DONE]\n\n");
}

class Costs {
public:
  explicit Costs(const fs::path &parent) : scratch_(must(ScratchDirectory::create(parent, "agentic-cost-"))) {}

  void measure() {
    recordOverHttp();
    showBetween("from a reply's last byte to the candidate's first stage", moments_.lastByte, moments_.begins);
    showBetween("from a verdict until the next request has arrived", moments_.verdict,
                {moments_.arrived.begin() + 1, moments_.arrived.end()});
    const Sent compact = replay("compact");
    const std::size_t sum = show("compact", compact, 0);
    show("best", replay("best"), sum);
    show("full", replay("full"), sum);
  }

private:
  std::string folder(const std::string &name) const {
    must(createDirectories(scratch_.path() / name));
    return (scratch_.path() / name).string();
  }
  std::string recording() const { return (scratch_.path() / "run.jsonl").string(); }

  void recordOverHttp() {
    std::mutex mutex;
    LoopbackServer server([&](const ServedRequest &request, Served &served) {
      const std::lock_guard lock(mutex);
      if (request.method != "POST")
        return served.answer(404, "{}");
      moments_.arrived.push_back(now());
      const int index = static_cast<int>(moments_.arrived.size()) - 1;
      if (index >= kTries)
        return served.answer(404, "{}");
      stream(replyText(index), tokenCount(request.body), served, moments_);
    });
    const LoopSettings settings{.folder = folder("http"),
                                .recording = recording(),
                                .stageBegins = [&] { moments_.begins.push_back(now()); },
                                .verdictIs = [&] { moments_.verdict.push_back(now()); }};
    const auto noEnvironment = [](const std::string &) { return std::optional<std::string>(); };
    auto model = must(makeChatModel(server.url() + "/v1#some", {.environment = noEnvironment}));
    const LoopRun run = runLoopWith(std::move(model), settings);
    if (run.outcome.iterations != kTries || moments_.begins.size() != kTries || moments_.arrived.size() != kTries)
      throw std::runtime_error(
          fmt::format("the run ended after {} tries: {}", run.outcome.iterations, stopReasonText(run.outcome)));
  }

  Sent replay(const std::string &history) const {
    const LoopRun run =
        runLoopWith(must(makeReplayModel("replay:" + recording())), {.folder = folder(history), .history = history});
    if (run.sent.tokens.size() != kTries)
      throw std::runtime_error("the recording was not replayed to its end: " + stopReasonText(run.outcome));
    return run.sent;
  }

  static void showBetween(const std::string &what, const std::vector<Moment> &from, const std::vector<Moment> &to) {
    std::vector<double> all, inSyncs, others;
    int most = 0;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      all.push_back(to[i].at - from[i].at);
      inSyncs.push_back(to[i].until.seconds - from[i].until.seconds);
      others.push_back(all.back() - inSyncs.back());
      most = std::max(most, to[i].until.count - from[i].until.count);
    }
    row(what, medianAndWorst(all));
    row(fmt::format("  of that waiting for the disk, in {} fsyncs", most), medianAndWorst(inSyncs));
    row("  all else", medianAndWorst(others));
  }

  /// Returns the sum; `compact`: that of the first kind, 0 if this is it.
  static std::size_t show(const std::string &history, const Sent &sent, std::size_t compact) {
    const auto sum = std::accumulate(sent.tokens.begin(), sent.tokens.end(), std::size_t{0});
    const auto bytes = std::accumulate(sent.bytes.begin(), sent.bytes.end(), std::size_t{0});
    row(fmt::format("--history {}: tokens of call 5, 10, 25, 50; most; 50 / 5", history),
        fmt::format("{:6} {:6} {:6} {:6}; {:6}; {:.2f}", sent.tokens[4], sent.tokens[9], sent.tokens[24],
                    sent.tokens[49], std::ranges::max(sent.tokens), double(sent.tokens[49]) / double(sent.tokens[4])));
    row(fmt::format("--history {}: tokens, bytes of all calls", history),
        fmt::format("{:8} {:9}", sum, bytes) +
            (compact > 0 ? fmt::format(", {:.2f} of compact", double(sum) / double(compact)) : ""));
    return sum;
  }

  ScratchDirectory scratch_;
  Moments moments_;
};

} // namespace
} // namespace agentic::cost

int main(int argc, char **argv) {
  using namespace agentic;
  try {
    cost::Costs(argc > 1 ? fs::path(argv[1]) : fs::temp_directory_path()).measure();
  } catch (const std::exception &error) {
    std::cerr << "loop_cost: " << error.what() << "\n";
    return 1;
  }
}
