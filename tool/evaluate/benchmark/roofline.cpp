#include "tool/evaluate/benchmark/roofline.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/host.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/benchmark/roofline_loops.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;
constexpr const char *kCacheFolder = "/sys/devices/system/cpu/cpu0/cache";
constexpr double kSecondsPerLoop = 0.15, kPassSeconds = 2e-3;
constexpr std::size_t kBlock = 512; ///< floats; the loops take a multiple of it
constexpr double kSmallestMemory = 64 << 20, kLargestMemory = 512 << 20;

/// Parses sysfs's "32K", "1024K", "32M".
double sizeOf(std::string_view text) {
  const std::string value(trim(text));
  char *end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return number * (*end == 'K' ? 1 << 10 : *end == 'M' ? 1 << 20 : *end == 'G' ? 1 << 30 : 1);
}

/// Returns the seconds of one call of `pass`: the best of many, each repeated until it is long enough for the clock.
template <class Pass> double bestSeconds(const Pass &pass) {
  const double begin = steadySeconds();
  pass(); // pages, caches, clock frequency
  const double first = std::max(1e-8, steadySeconds() - begin);
  const int repeats = int(std::clamp(kPassSeconds / first, 1.0, 1e6));
  double best = 1e9;
  do {
    const double start = steadySeconds();
    for (int i = 0; i < repeats; ++i)
      pass();
    best = std::min(best, (steadySeconds() - start) / repeats);
  } while (steadySeconds() - begin < kSecondsPerLoop);
  return best;
}

struct Free {
  void operator()(float *memory) const { std::free(memory); }
};

double bandwidth(const RooflineLoops &loops, float *memory, double bytes) {
  const std::size_t count = std::max<std::size_t>(1, std::size_t(bytes) / (kBlock * sizeof(float))) * kBlock;
  volatile float sink = 0;
  const double read = bestSeconds([&] { sink = loops.read(memory, count); });
  // Three parts, some lines apart modulo the page size: no false conflicts of loads with stores.
  const std::size_t part = std::max<std::size_t>(1, count / 3 / kBlock) * kBlock;
  float *out = memory, *a = memory + part + 64, *b = memory + 2 * part + 128;
  const double triad = bestSeconds([&] { loops.triad(out, a, b, part); });
  return std::max(double(count) / read, 3.0 * double(part) / triad) * sizeof(float);
}

Roofline measureNow() {
  const RooflineLoops loops = rooflineLoops();
  Roofline roofline;
  roofline.cpu = cpuName();
  roofline.levels = cacheLevels(kCacheFolder);
  const double memoryBytes = std::clamp(4 * roofline.levels.back().bytes, kSmallestMemory, kLargestMemory);
  const std::size_t allocated = std::size_t(memoryBytes) + 4 * kBlock * sizeof(float);
  const std::unique_ptr<float, Free> memory(
      static_cast<float *>(std::aligned_alloc(4096, (allocated + 4095) / 4096 * 4096)));
  if (!memory)
    return {};
  std::fill_n(memory.get(), allocated / sizeof(float), 1.0f);
  for (MemoryLevel &level : roofline.levels)
    level.bytesPerSecond = bandwidth(loops, memory.get(), level.bytes / 2);
  roofline.levels.push_back({"memory", 0, bandwidth(loops, memory.get(), memoryBytes)});
  constexpr std::size_t kRounds = 4096;
  volatile float sink = 0, factor = 0.75f, term = 0.25f;
  const double seconds = bestSeconds([&] { sink = loops.arithmetic(kRounds, factor, term); });
  roofline.flopsPerSecond = kRounds * loops.flopsPerRound / seconds;
  // A smaller cache is never slower; if it seems so, something disturbed all its passes.
  for (std::size_t i = roofline.levels.size() - 1; i > 0; --i)
    roofline.levels[i - 1].bytesPerSecond =
        std::max(roofline.levels[i - 1].bytesPerSecond, roofline.levels[i].bytesPerSecond);
  return roofline;
}

bool isPositive(double value) {
  return std::isfinite(value) && value > 0;
}

/// A virtual machine's CPU may have another's name, so its caches must be the same, too.
bool hasTheseCaches(const Roofline &roofline) {
  const std::vector<MemoryLevel> caches = cacheLevels(kCacheFolder);
  return std::equal(caches.begin(), caches.end(), roofline.levels.begin(), roofline.levels.end() - 1,
                    [](const MemoryLevel &a, const MemoryLevel &b) { return a.bytes == b.bytes; });
}

} // namespace

const MemoryLevel &Roofline::levelFor(double bytes) const {
  for (const MemoryLevel &level : levels)
    if (bytes <= level.bytes)
      return level;
  return levels.back();
}

BandwidthShare bandwidthShare(const Roofline &roofline, double bytes, double ns) {
  const MemoryLevel &level = roofline.levelFor(bytes);
  return {100 * bytes / (ns * 1e-9) / level.bytesPerSecond, level.name};
}

std::vector<MemoryLevel> cacheLevels(const std::string &folder) {
  std::vector<MemoryLevel> levels;
  for (int index = 0; index < 8; ++index) {
    const std::string cache = folder + "/index" + std::to_string(index);
    const std::string type = readTrimmed(cache + "/type");
    const double bytes = sizeOf(readTrimmed(cache + "/size"));
    if ((type == "Data" || type == "Unified") && bytes > 0)
      levels.push_back({"L" + readTrimmed(cache + "/level"), bytes, 0});
  }
  if (levels.empty())
    levels = {{"L1", 32 << 10, 0}, {"L2", 1 << 20, 0}, {"L3", 16 << 20, 0}};
  std::sort(levels.begin(), levels.end(), [](const MemoryLevel &a, const MemoryLevel &b) { return a.bytes < b.bytes; });
  return levels;
}

std::optional<Roofline> parseRoofline(const std::string &text, const std::string &cpu) {
  const json object = json::parse(text, nullptr, false);
  try {
    if (object.at("schema") != kSchema || object.at("cpu") != cpu)
      return std::nullopt;
    Roofline roofline{.cpu = cpu, .flopsPerSecond = object.at("flops_per_second").get<double>()};
    for (const json &level : object.at("levels"))
      roofline.levels.push_back({level.at("name"), level.at("bytes"), level.at("bytes_per_second")});
    if (roofline.levels.empty() || !isPositive(roofline.flopsPerSecond))
      return std::nullopt;
    for (const MemoryLevel &level : roofline.levels)
      if (!isPositive(level.bytesPerSecond))
        return std::nullopt;
    return roofline;
  } catch (const json::exception &) {
    return std::nullopt;
  }
}

std::string rooflineText(const Roofline &roofline) {
  json object = {{"schema", kSchema},
                 {"cpu", roofline.cpu},
                 {"flops_per_second", roofline.flopsPerSecond},
                 {"levels", json::array()}};
  for (const MemoryLevel &level : roofline.levels)
    object["levels"].push_back(
        {{"name", level.name}, {"bytes", level.bytes}, {"bytes_per_second", level.bytesPerSecond}});
  return object.dump(1) + "\n";
}

namespace {

std::optional<Roofline> knownRoofline(const std::string &file) {
  const Result<std::string> text = readFile(file);
  std::optional<Roofline> known = text ? parseRoofline(*text, cpuName()) : std::nullopt;
  return known && hasTheseCaches(*known) ? known : std::nullopt;
}

} // namespace

Roofline bestOf(const Roofline &first, Roofline second) {
  const bool isSame = std::ranges::equal(first.levels, second.levels, [](const MemoryLevel &a, const MemoryLevel &b) {
    return a.name == b.name && a.bytes == b.bytes;
  });
  if (first.cpu != second.cpu || !isSame)
    return second;
  for (std::size_t i = 0; i < second.levels.size(); ++i)
    second.levels[i].bytesPerSecond = std::max(first.levels[i].bytesPerSecond, second.levels[i].bytesPerSecond);
  second.flopsPerSecond = std::max(first.flopsPerSecond, second.flopsPerSecond);
  return second;
}

Result<Roofline> measuredRoofline(const std::string &file, const std::atomic<bool> *cancelled,
                                  const std::string &lockFile) {
  if (std::optional<Roofline> known = knownRoofline(file))
    return std::move(*known);
  return betterRoofline(file, cancelled, lockFile);
}

Result<Roofline> betterRoofline(const std::string &file, const std::atomic<bool> *cancelled,
                                const std::string &lockFile) {
  const LockFile lock = TRY(lockMeasuring(lockFile, cancelled));
  Roofline roofline = measureNow();
  if (roofline.levels.empty())
    return userError("there is no memory to measure its bandwidth with", "free about 128 MiB and try again");
  if (const std::optional<Roofline> known = knownRoofline(file))
    roofline = bestOf(*known, std::move(roofline));
  (void)writeFileAtomic(file, rooflineText(roofline)); // only a cache
  return roofline;
}

} // namespace agentic
