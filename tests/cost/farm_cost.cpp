// What a farm costs the front end, and how many hosts it can use: the figures in tool/farm/README.md. Not a test: run
// it by hand, on an idle machine.
//   farm_cost [folder=the system's for temporary files]
// First the bookkeeping of a measurement, measured: its messages, and its line in the journal in `folder`, on whose
// disk the fsync depends. Then a simulation of 1 to 1,000 hosts with these times: the stages before the measurement on
// the front end's cores, the measurement on a host, the bookkeeping in one thread. Everything else is left out: agents
// that think, hosts that fail, a network's latency.
#include "tests/cost/row.h"
#include "tool/base/append.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/farm/message.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <iostream>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace agentic::cost {
namespace {

// Of examples/quickstart, by `optimize --timings`: check, compile, tests and comparison of calls of one candidate in
// CPU seconds here; its pairs on a host, if the first few show its speed and if they do not.
constexpr double kLocalSeconds = 1.3, kClearSeconds = 1.1, kCloseSeconds = 7.5, kCloseShare = 0.25;

/// The median seconds of a call.
double secondsOf(const std::function<void()> &work) {
  constexpr int kTimes = 200;
  std::vector<double> all;
  for (int i = 0; i < kTimes; ++i) {
    const double start = steadySeconds();
    work();
    all.push_back(steadySeconds() - start);
  }
  std::ranges::nth_element(all, all.begin() + kTimes / 2);
  return all[kTimes / 2];
}

/// As large as that of a kernel with five benchmarks, twenty pairs each.
BenchmarkOutcome largeOutcome() {
  BenchmarkOutcome outcome{.measurement = Measurement{}};
  for (int b = 0; b < 5; ++b) {
    BenchmarkMeasurement benchmark{.benchmark = fmt::format("BM_Kernel/{}", 1 << b)};
    for (int pair = 0; pair < 20; ++pair)
      benchmark.pairs.push_back({{123.4567 + pair, 124.4567 + pair}, {61.234 + pair, 62.2345 + pair}});
    outcome.measurement->benchmarks.push_back(std::move(benchmark));
  }
  return outcome;
}

void read(const std::string &answer) {
  MessageReader reader;
  reader.buffer() += answer;
  const auto message = reader.next();
  if (!message || !*message || !measuredThere((**message).json.at("result")))
    throw std::runtime_error("the result is not understood");
}

/// A queue before so many servers.
struct Station {
  int servers = 1, busy = 0;
  std::deque<int> waiting{};
};

struct Farm {
  int hosts = 1, cores = 2;
  double bookkeeping = 0; ///< seconds
};

struct Throughput {
  double perSecond = 0, hostsBusy = 0; ///< hostsBusy: a share
};

Throughput simulate(const Farm &farm) {
  enum Step { Local, Measuring, Bookkeeping };
  struct End {
    double at;
    int candidate, step;
    double lasted;
    bool operator>(const End &other) const { return at > other.at; }
  };
  std::array<Station, 3> stations = {Station{farm.cores}, Station{farm.hosts}, Station{1}};
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::mt19937 random(1);
  double now = 0;
  const auto seconds = [&](int step) {
    if (step == Local)
      return kLocalSeconds;
    return step == Bookkeeping
               ? farm.bookkeeping
               : (std::uniform_real_distribution()(random) < kCloseShare ? kCloseSeconds : kClearSeconds);
  };
  const auto start = [&](int candidate, int step) {
    Station &station = stations[std::size_t(step)];
    const double lasts = seconds(step);
    ++station.busy;
    ends.push({now + lasts, candidate, step, lasts});
  };
  const auto arrive = [&](int candidate, int step) {
    Station &station = stations[std::size_t(step)];
    if (station.busy < station.servers)
      start(candidate, step);
    else
      station.waiting.push_back(candidate);
  };
  // Beyond what the hosts can use, more on their way change nothing.
  const int onTheirWay = 2 * farm.hosts + 2 * std::min(farm.cores, 2 * farm.hosts);
  for (int i = 0; i < onTheirWay; ++i)
    arrive(i, Local);
  int done = 0;
  double measured = 0;
  for (const int wanted = 40 * onTheirWay; done < wanted;) {
    const End end = ends.top();
    ends.pop();
    now = end.at;
    Station &station = stations[std::size_t(end.step)];
    --station.busy;
    if (!station.waiting.empty()) {
      const int next = station.waiting.front();
      station.waiting.pop_front();
      start(next, end.step);
    }
    done += end.step == Bookkeeping;
    measured += end.step == Measuring ? end.lasted : 0;
    arrive(end.candidate, end.step == Bookkeeping ? Local : end.step + 1);
  }
  return {done / now, measured / now / farm.hosts};
}

/// The most hosts that are busy for nine tenths of their time, by halving; the bookkeeping alone bounds them.
int busyHosts(Farm farm) {
  int least = 1, most = 1 << 14;
  while (least + 1 < most) {
    farm.hosts = (least + most) / 2;
    (simulate(farm).hostsBusy >= 0.9 ? least : most) = farm.hosts;
  }
  return least;
}

void measure(const fs::path &folder) {
  auto scratch = ScratchDirectory::create(folder, "agentic-cost-");
  if (!scratch)
    throw std::runtime_error(scratch.error().message);
  const std::string file = (scratch->path() / "journal.jsonl").string();
  const nlohmann::json result = {{"outcome", largeOutcome()}};
  const std::string line = result.dump() + "\n";
  const std::string answer = wireText({{"task", "aa"}, {"result", result}});
  const double message = secondsOf([&] { read(answer); });
  const double synced = secondsOf([&] { (void)appendSynced(file, line); });
  const double unsynced = secondsOf([&] { (void)appendUnsynced(file, line); });
  row(fmt::format("a measurement's answer of {} KB, read", line.size() / 1024),
      fmt::format("{:.3f} ms", message * 1e3));
  row("its line in the journal, on the disk", fmt::format("{:.3f} ms", synced * 1e3));
  row("its line in the journal, without the fsync", fmt::format("{:.3f} ms", unsynced * 1e3));
  row("measurements whose bookkeeping one core does in a second", fmt::format("{:.0f}", 1 / (message + synced)));
  Farm farm{.bookkeeping = message + synced};
  for (farm.cores = 2; farm.cores <= 128; farm.cores *= 4) {
    row(fmt::format("hosts that {} cores here keep busy for nine tenths of their time", farm.cores),
        std::to_string(busyHosts(farm)));
    for (farm.hosts = 1; farm.hosts <= 1000; farm.hosts *= 10) {
      const Throughput reached = simulate(farm);
      row(fmt::format("{} hosts, {} cores here: candidates a second", farm.hosts, farm.cores),
          fmt::format("{:.2f}", reached.perSecond));
      row(fmt::format("{} hosts, {} cores here: share of the hosts' time without work", farm.hosts, farm.cores),
          fmt::format("{:.0f} %", 100 * (1 - reached.hostsBusy)));
    }
  }
  farm.cores = 1 << 20;
  row("hosts that the bookkeeping of one core keeps busy so", std::to_string(busyHosts(farm)));
}

} // namespace
} // namespace agentic::cost

int main(int argc, char **argv) {
  try {
    agentic::cost::measure(argc > 1 ? agentic::fs::path(argv[1]) : agentic::fs::temp_directory_path());
  } catch (const std::exception &error) {
    std::cerr << "farm_cost: " << error.what() << "\n";
    return 1;
  }
}
