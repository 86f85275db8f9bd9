// Measures how long the report of a long run takes, and the size of its page: the numbers in tool/report/README.md. Not
// a test: run it by hand on an idle machine.
//   report_cost [attempts]
// A journal of so many attempts (10,000 if not said), of which half were measured in 12 pairs of 5 repetitions, with a
// different text of 2 KB each; then `agentic-kernel report --html` five times, as a user starts it.
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/model/candidate.h"
#include "tool/model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

namespace agentic::cost {
namespace {

using nlohmann::json;

constexpr int kReports = 5, kPairs = 12, kRepetitions = 5, kLines = 40;

void must(const Result<void> &done) {
  if (!done)
    throw std::runtime_error(done.error().message);
}

Candidate candidate(int attempt) {
  std::string text = "void kernel(const float *in, float *out, int n) {\n";
  for (int line = 0; line < kLines; ++line)
    text += fmt::format("  out[{}] = in[{}] * {}.25f + n;\n", line, (line * 7 + attempt) % 64,
                        (attempt * 31 + line * 17) % 1000);
  return makeCandidate(text + "}\n", fmt::format("openai:model call {}", attempt + 1));
}

Evaluation evaluation(const Candidate &candidate, int attempt) {
  Evaluation evaluation;
  evaluation.kernel = "kernel";
  evaluation.candidate = candidate.id;
  evaluation.times = {{"check", 0.02}, {"compile", 0.4}, {"test", 0.3}};
  if (attempt % 2 == 0) {
    evaluation.verdict = Verdict::Rejected;
    evaluation.stage = Stage::Test;
    evaluation.detail = "KernelTest.Sums: the sums differ from the expected ones in 3 of 64 places";
    return evaluation;
  }
  const double ratio = 1 + 3 * (1 - std::exp(-attempt / 2000.0)) + 0.1 * std::sin(attempt);
  Measurement &measurement = evaluation.measurement.emplace();
  measurement.comparison = Comparison::Faster;
  measurement.speedup = {ratio, ratio * 0.99, ratio * 1.01, true};
  measurement.referenceNs = 1e5, measurement.candidateNs = 1e5 / ratio;
  BenchmarkMeasurement &benchmark = measurement.benchmarks.emplace_back();
  benchmark.benchmark = "BM_Kernel/4096";
  for (int pair = 0; pair < kPairs; ++pair)
    benchmark.pairs.push_back({std::vector<double>(kRepetitions, 1e5 + pair + 0.123456789),
                               std::vector<double>(kRepetitions, 1e5 / ratio + pair + 0.987654321)});
  evaluation.verdict = Verdict::Accepted;
  return evaluation;
}

std::string line(const char *event, json body) {
  body["v"] = 1, body["event"] = event, body["time"] = utcTimestamp(), body["at"] = unixSeconds();
  return body.dump() + "\n";
}

/// Writes the format of search/journal.h, without an fsync for each line.
void writeJournal(const fs::path &run, int attempts) {
  std::string journal =
      line("run-started", {{"identity", {{"kernel", "kernel"}, {"level", "x86-64-v3"}, {"family", "clang"}}},
                           {"config", json::object()}});
  double best = 1;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Candidate made = candidate(attempt);
    const Evaluation judged = evaluation(made, attempt);
    const bool isBest = judged.measurement && judged.measurement->speedup.ratio > 1.01 * best;
    if (isBest)
      best = judged.measurement->speedup.ratio;
    const json named = {{"id", made.id}, {"origin", made.origin}, {"parent", made.parent}};
    journal += line("proposed", {{"call", attempt + 1}, {"candidates", {named}}, {"note", ""}});
    journal += line("evaluated",
                    {{"candidate", named}, {"evaluation", judged}, {"incumbent", isBest}, {"seconds", 3.0 * attempt}});
    must(writeFileAtomic(run / "candidates" / (made.id + ".cpp"), made.text, Flush::Later));
  }
  must(writeFileAtomic(run / "journal.jsonl", journal, Flush::Later));
  std::cout << attempts << " attempts, a journal of " << journal.size() / 1000 << " KB\n";
}

void run(int attempts) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-cost-");
  if (!scratch)
    throw std::runtime_error(scratch.error().message);
  const fs::path folder = scratch->path() / "_agentic" / "runs" / "kernel-20260101T000000Z";
  const fs::path page = scratch->path() / "report.html";
  writeJournal(folder, attempts);
  std::vector<double> wall, cpu;
  for (int i = 0; i < kReports; ++i) {
    const auto report = runProcess(
        {.argv = {AGENTIC_KERNEL_PROGRAM, "report", folder.string(), "--html", page.string()}, .mergeOutput = true});
    if (!report || !report->ok())
      throw std::runtime_error(report ? report->out : report.error().message);
    wall.push_back(report->wallSeconds), cpu.push_back(report->cpuSeconds);
  }
  std::ranges::sort(wall);
  std::ranges::sort(cpu);
  std::cout << fmt::format("report --html of {} attempts, wall time  {:.2f} s (fastest {:.2f}, slowest {:.2f})\n"
                           "report --html of {} attempts, CPU time  {:.2f} s\n"
                           "its page  {} KB\n",
                           attempts, wall[kReports / 2], wall.front(), wall.back(), attempts, cpu[kReports / 2],
                           fs::file_size(page) / 1000);
}

} // namespace
} // namespace agentic::cost

int main(int argc, char **argv) {
  try {
    agentic::cost::run(argc > 1 ? std::stoi(argv[1]) : 10'000);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "report_cost: " << error.what() << "\n";
    return 1;
  }
}
