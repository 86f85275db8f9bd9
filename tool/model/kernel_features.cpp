#include "tool/model/kernel_features.h"

#include "tool/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFeatureWords[] = {
    "argmax",
    "binary-search",
    "bit-count",
    "bit-manipulation",
    "bit-unpacking",
    "branchy",
    "byte",
    "byte-search",
    "byte-classification",
    "checksum",
    "compaction",
    "comparison",
    "complex-numbers",
    "constant-trip",
    "conversion",
    "convolution",
    "copying",
    "decimal",
    "decoding",
    "division",
    "double",
    "early-exit",
    "encoding",
    "exponential",
    "fixed-point",
    "float",
    "gather",
    "half-precision",
    "hashing",
    "histogram",
    "hyperbolic",
    "in-place",
    "integer",
    "interleaved",
    "interpolation",
    "invariant-division",
    "logarithm",
    "matrix-product",
    "memory-reduction",
    "merge",
    "minmax",
    "mixed-precision",
    "modulo",
    "multi-pass",
    "nested-loops",
    "overflow-check",
    "pointer-chasing",
    "polynomial",
    "power",
    "prefix-scan",
    "quantized",
    "random-numbers",
    "recurrence",
    "reduction",
    "saturating-arithmetic",
    "scatter",
    "selection",
    "small-calls",
    "small-matrix",
    "sorting",
    "sparse",
    "square-root",
    "state-machine",
    "stencil",
    "streaming",
    "strided",
    "string-search",
    "table-lookup",
    "transcendental",
    "transposition",
    "triangular-solve",
    "trigonometric",
    "variable-shift",
};
constexpr std::string_view kBoundWords[] = {"memory", "latency", "compute", "branches", "calls"};

template <class T> Json orNull(const std::optional<T> &value) {
  return value ? Json(*value) : Json();
}

Json jsonOf(const LoopFeatures &loop) {
  Json arrays = Json::array();
  for (const ArrayUse &use : loop.arrays)
    arrays.push_back({{"array", use.array},
                      {"element", use.elementType},
                      {"reads", use.reads},
                      {"writes", use.writes},
                      {"stride", orNull(use.stride)},
                      {"indexed_by_data", use.isIndexedByData}});
  return {{"name", loop.name},
          {"depth", loop.depth},
          {"innermost", loop.isInnermost},
          {"counted", loop.isCounted},
          {"trips", orNull(loop.trips)},
          {"may_end_early", loop.mayEndEarly},
          {"reductions", loop.reductions},
          {"carried", loop.carried},
          {"arrays", std::move(arrays)},
          {"bytes", loop.bytes},
          {"operations", loop.operations}};
}

std::optional<std::int64_t> numberIn(const Json &json, const char *name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? std::nullopt : std::optional(found->get<std::int64_t>());
}

LoopFeatures loopOf(const Json &json) {
  LoopFeatures loop{.name = json.value("name", ""),
                    .depth = json.value("depth", 0),
                    .isInnermost = json.value("innermost", false),
                    .isCounted = json.value("counted", false),
                    .trips = numberIn(json, "trips"),
                    .mayEndEarly = json.value("may_end_early", false),
                    .reductions = json.value("reductions", std::vector<std::string>()),
                    .carried = json.value("carried", ""),
                    .bytes = json.value("bytes", 0.0),
                    .operations = json.value("operations", 0.0)};
  for (const Json &use : json.value("arrays", Json::array()))
    loop.arrays.push_back({.array = use.value("array", ""),
                           .elementType = use.value("element", ""),
                           .reads = use.value("reads", false),
                           .writes = use.value("writes", false),
                           .stride = numberIn(use, "stride"),
                           .isIndexedByData = use.value("indexed_by_data", false)});
  return loop;
}

std::string textOf(const ArrayUse &use) {
  const std::string walk = use.isIndexedByData ? "indexed by data"
                           : !use.stride       ? "with a stride that varies"
                           : *use.stride == 0  ? "the same element"
                           : *use.stride == 1  ? "one after the other"
                                               : fmt::format("every {} elements", *use.stride);
  return fmt::format("{} {} ({}) {}", use.reads ? (use.writes ? "reads and writes" : "reads") : "writes", use.array,
                     use.elementType, walk);
}

} // namespace

std::span<const std::string_view> featureWords() {
  return kFeatureWords;
}

std::span<const std::string_view> boundWords() {
  return kBoundWords;
}

bool isFeatureWord(std::string_view word) {
  return std::ranges::find(kFeatureWords, word) != std::end(kFeatureWords);
}

bool isBoundWord(std::string_view word) {
  return std::ranges::find(kBoundWords, word) != std::end(kBoundWords);
}

bool KernelFeatures::has(std::string_view word) const {
  return std::ranges::find(words, word) != words.end();
}

void to_json(Json &json, const KernelFeatures &features) {
  Json loops = Json::array(), tables = Json::array();
  for (const LoopFeatures &loop : features.loops)
    loops.push_back(jsonOf(loop));
  for (const TableUse &table : features.tables)
    tables.push_back({{"name", table.name}, {"bytes", table.bytes}});
  json = {{"words", features.words},
          {"element_types", features.elementTypes},
          {"loops", std::move(loops)},
          {"calls", features.calls},
          {"tables", std::move(tables)},
          {"data_branches", features.dataBranches},
          {"early_exits", features.earlyExits},
          {"likely_bounds", features.likelyBounds},
          {"measured_bounds", features.measuredBounds}};
}

void from_json(const Json &json, KernelFeatures &features) {
  features = {};
  features.words = json.value("words", std::vector<std::string>());
  features.elementTypes = json.value("element_types", std::vector<std::string>());
  for (const Json &loop : json.value("loops", Json::array()))
    features.loops.push_back(loopOf(loop));
  features.calls = json.value("calls", std::vector<std::string>());
  for (const Json &table : json.value("tables", Json::array()))
    features.tables.push_back({table.value("name", ""), table.value("bytes", std::int64_t{0})});
  features.dataBranches = json.value("data_branches", 0);
  features.earlyExits = json.value("early_exits", 0);
  features.likelyBounds = json.value("likely_bounds", std::vector<std::string>());
  features.measuredBounds = json.value("measured_bounds", std::vector<std::string>());
}

std::string featuresText(const KernelFeatures &features) {
  std::string text = "features: " + (features.words.empty() ? "none" : join(features.words, ", ")) + "\n";
  if (!features.measuredBounds.empty())
    text += "bound, as measured: " + join(features.measuredBounds, ", ") + "\n";
  else if (!features.likelyBounds.empty())
    text += "bound, as its form suggests: " + join(features.likelyBounds, ", ") + "\n";
  for (const LoopFeatures &loop : features.loops) {
    text += fmt::format("{}loop {}:", std::string(2 * static_cast<std::size_t>(loop.depth), ' '), loop.name);
    std::vector<std::string> facts;
    if (loop.trips)
      facts.push_back(fmt::format("{} iterations", *loop.trips));
    if (loop.mayEndEarly)
      facts.emplace_back("may end early");
    for (const std::string &reduction : loop.reductions)
      facts.push_back(reduction);
    for (const ArrayUse &use : loop.arrays)
      facts.push_back(textOf(use));
    if (loop.isInnermost)
      facts.push_back(fmt::format("{:.0f} bytes and {:.0f} operations an iteration", loop.bytes, loop.operations));
    text += facts.empty() ? "\n" : " " + join(facts, "; ") + "\n";
  }
  if (!features.calls.empty())
    text += "calls: " + join(features.calls, ", ") + "\n";
  for (const TableUse &table : features.tables)
    text += fmt::format("table {}: {} bytes\n", table.name, table.bytes);
  return text;
}

} // namespace agentic
