#include "tool/evaluate/baseline/baseline_coverage.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/model/keyed_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kCoverageSchema = 1;
constexpr std::size_t kPlacesNamed = 4;

std::string coverageFileOf(const Manifest &manifest) {
  return fs::path(specFileOf(manifest)).parent_path() / "coverage.json";
}

struct KeptCoverage {
  std::string factsKey;
  BaselineCoverage coverage;
};

std::optional<KeptCoverage> loadCoverage(const Manifest &manifest, const std::string &specKey) {
  const std::optional<json> file = loadKeyed(coverageFileOf(manifest), kCoverageSchema, specKey);
  if (!file)
    return std::nullopt;
  try {
    KeptCoverage kept{file->at("facts"), {file->at("source"), file->at("covered"), file->at("total"), {}}};
    for (const json &place : file->at("uncovered"))
      kept.coverage.uncovered.push_back({place.at("line"), place.at("column"), place.at("what")});
    return kept;
  } catch (const json::exception &) {
    return std::nullopt;
  }
}

} // namespace

Result<BaselineCoverage> baselineCoverage(const InstrumentedContext &context) {
  const KernelSpec &spec = *context.build->spec;
  CoverageOutcome outcome = TRY(coverBaseline(context));
  BaselineCoverage coverage{.source = spec.source, .covered = outcome.total, .total = outcome.total, .uncovered = {}};
  if (!outcome.isKnown || !outcome.unmeasured.empty())
    return coverage;
  coverage.covered = outcome.covered;
  coverage.uncovered = std::move(outcome.uncovered);
  for (UncoveredPlace &place : coverage.uncovered) { // the kernel's text begins at its own place
    place.column += place.line == 1 ? std::max(1u, spec.column) - 1 : 0;
    place.line += std::max(1u, spec.line) - 1;
  }
  return coverage;
}

Result<void> keepBaselineCoverage(const Prepared &prepared, const BaselineCoverage &coverage) {
  json places = json::array();
  for (const UncoveredPlace &place : coverage.uncovered)
    places.push_back({{"line", place.line}, {"column", place.column}, {"what", place.what}});
  return saveKeyed(coverageFileOf(prepared.manifest), kCoverageSchema, prepared.specKey,
                   {{"facts", prepared.factsKey},
                    {"source", coverage.source},
                    {"covered", coverage.covered},
                    {"total", coverage.total},
                    {"uncovered", places}});
}

std::optional<BaselineCoverage> keptBaselineCoverage(const Prepared &prepared) {
  std::optional<KeptCoverage> kept = loadCoverage(prepared.manifest, prepared.specKey);
  return kept && kept->factsKey == prepared.factsKey ? std::optional(std::move(kept->coverage)) : std::nullopt;
}

std::optional<BaselineCoverage> lastBaselineCoverage(const Manifest &manifest) {
  const Result<CompileCommand> command = sourceCommand(manifest, manifest.buildDir);
  const Result<Compiler> compiler = compilerOf(manifest);
  if (!command || !compiler)
    return std::nullopt;
  std::optional<KeptCoverage> kept = loadCoverage(manifest, specKeyOf(manifest, *command, *compiler));
  return kept ? std::optional(std::move(kept->coverage)) : std::nullopt;
}

std::string uncoveredSentence(const BaselineCoverage &coverage, const std::string &root) {
  if (coverage.uncovered.empty())
    return {};
  const std::string prefix = root + "/";
  const std::string file =
      coverage.source.starts_with(prefix) ? coverage.source.substr(prefix.size()) : coverage.source;
  std::vector<std::string> places;
  for (const UncoveredPlace &place : coverage.uncovered)
    if (places.size() < kPlacesNamed)
      places.push_back(file + ":" + place.text());
  const std::size_t more = coverage.uncovered.size() - places.size();
  return fmt::format(
      "no test, recorded call or generated call runs {} of {} places of the unchanged kernel ({}{}), and "
      "a winner that keeps such code is not written back: add a test that runs it, let AGENTIC_REQUIRES "
      "exclude what it is for, or pass --allow-uncovered",
      coverage.total - coverage.covered, coverage.total, join(places, "; "),
      more > 0 ? fmt::format("; and {} more", more) : "");
}

} // namespace agentic
