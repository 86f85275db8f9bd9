// Measures the index of sources: the numbers in tool/knowledge/README.md. Not a test: run it by hand on an idle
// machine.
//   knowledge_cost FOLDER
// A checkout is added as `agentic-kernel knowledge add` adds it, and again; then questions are asked, and one candidate
// is compared with all of it.
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/knowledge/cut.h"
#include "tool/knowledge/source_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <sys/resource.h>

namespace agentic::cost {
namespace {

constexpr int kRepetitions = 20;
// Rare words, common ones, and as many as the research of a kernel asks for.
constexpr const char *kQuestions[] = {
    "prefix sum", "saturate", "int for return size", "horizontal_add_epi16",
    "gemm sgemm_kernel matrix-product nested-loops interleaved gather table-lookup reduction minmax polynomial"};

constexpr const char *kCandidate = R"(void kernel(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i * n + j] * b[j];
    if (sum < 0)
      sum = -sum;
    if (sum > 255)
      sum = 255;
    c[i] = sum;
  }
}
)";

template <class T> T valueOf(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

void row(const std::string &what, double value, const char *unit) {
  std::cout << fmt::format("{:<72}  {:.{}f} {}", what, value, value < 1000 ? 2 : 0, unit) << std::endl;
}

/// Of this process so far.
double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval &time) { return static_cast<double>(time.tv_sec) + time.tv_usec * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::size_t functionsIn(const std::string &file) {
  Database database = valueOf(Database::open(file, {.name = "index", .repair = {}}));
  Statement rows = valueOf(database.prepare("SELECT files.path, count(*) FROM passages JOIN files ON files.id = "
                                            "passages.file GROUP BY files.id"));
  std::size_t functions = 0;
  while (valueOf(rows.step()))
    if (fileKindOf(rows.text(0)) == FileKind::Code)
      functions += static_cast<std::size_t>(rows.number(1));
  return functions;
}

/// "it has a line of 20020 bytes: generated or packed" and the like are one reason each.
std::string reasonOf(const SkippedFile &file) {
  for (const char *reason : {"binary", "a line of", "MiB", "PDF"})
    if (file.reason.find(reason) != std::string::npos)
      return reason;
  return "other";
}

void showAdded(const AddReport &report, double seconds) {
  const auto all = static_cast<double>(report.files + report.skipped.size());
  row("files read", static_cast<double>(report.files), "");
  row("functions and sections", static_cast<double>(report.passages), "");
  row("to add all of it, wall time", seconds, "s");
  std::map<std::string, int> reasons;
  for (const SkippedFile &file : report.skipped)
    ++reasons[reasonOf(file)];
  for (const auto &[reason, count] : reasons)
    row("files left out: " + reason, 100 * count / all, "%");
}

template <class Work> void showTimes(const std::string &what, const Work &work) {
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = steadySeconds();
    work();
    times.push_back(1000 * (steadySeconds() - start));
  }
  std::ranges::sort(times);
  row(what + ", median", times[times.size() / 2], "ms");
  row(what + ", slowest", times.back(), "ms");
}

void measure(const std::string &folder) {
  const auto scratch = valueOf(ScratchDirectory::create(fs::temp_directory_path(), "agentic-cost-"));
  const std::string file = (scratch.path() / "index.sqlite").string();
  SourceIndex index = valueOf(SourceIndex::open(file));
  double start = steadySeconds();
  const AddReport report = valueOf(index.add(folder));
  showAdded(report, steadySeconds() - start);
  row("to add all of it, CPU time", cpuSeconds(), "s");
  row("functions of code", static_cast<double>(functionsIn(file)), "");
  start = steadySeconds();
  valueOf(index.add(folder));
  row("to add it again, nothing changed, wall time", steadySeconds() - start, "s");
  row("file of the index", static_cast<double>(fs::file_size(file)) / 1e6, "MB");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  row("memory at most", static_cast<double>(usage.ru_maxrss) / 1e3, "MB");
  for (const char *question : kQuestions)
    showTimes(fmt::format("question '{}'", question), [&] { valueOf(index.search(question, 10)); });
  showTimes("to compare a candidate for copies",
            [&] { valueOf(index.copies({.candidate = kCandidate, .baseline = "", .licences = {}, .own = {}})); });
}

} // namespace
} // namespace agentic::cost

int main(int argc, char **argv) {
  try {
    if (argc != 2)
      throw std::runtime_error("name a folder of sources");
    agentic::cost::measure(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "knowledge_cost: " << error.what() << "\n";
    return 1;
  }
}
