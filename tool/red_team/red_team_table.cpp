#include "tool/red_team/red_team_table.h"

#include <algorithm>

namespace agentic {
namespace {

/// Returns whether a layer caught the row for the reason that the row gives.
bool isSeen(const ExpectedLayer &expected, const LayerResult &result) {
  if (result.state != LayerResult::State::Caught)
    return false;
  return expected.checks.empty() || std::ranges::any_of(expected.checks, [&](const std::string &check) {
           return std::ranges::find(result.checks, check) != result.checks.end();
         });
}

void addHostile(const RedTeamResult &result, RedTeamSummary &summary) {
  const std::string &name = result.row.name;
  const std::vector<Layer> layers = result.layers.caughtBy();
  ++summary.hostile;
  if (layers.empty())
    (result.row.fault.empty() ? summary.gotThrough : summary.harmless).push_back(name);
  if (layers.size() == 1 && result.row.fault.empty() && result.row.alone.empty())
    summary.single.push_back(name);
  for (Layer layer : layers) {
    if (layers.size() == 1)
      summary.ignored[layer].pass.push_back(name);
    if (layers.size() == 2)
      summary.ignored[layer].single.push_back(name);
  }
  for (const ExpectedLayer &expected : result.row.layers)
    if (!isSeen(expected, result.layers[expected.layer]))
      summary.missed.push_back(name + ": " + layerName(expected.layer));
}

} // namespace

const char *layerStateName(LayerResult::State state) {
  switch (state) {
  case LayerResult::State::NotApplicable:
    return "not applicable";
  case LayerResult::State::NotCaught:
    return "not caught";
  case LayerResult::State::Caught:
    return "caught";
  }
  return "";
}

std::vector<Layer> LayerResults::caughtBy() const {
  std::vector<Layer> result;
  for (Layer layer : kLayers)
    if ((*this)[layer].state == LayerResult::State::Caught)
      result.push_back(layer);
  return result;
}

RedTeamSummary summariseRedTeam(std::span<const RedTeamResult> results) {
  RedTeamSummary summary;
  for (Layer layer : kLayers)
    summary.ignored[layer];
  for (const RedTeamResult &result : results) {
    if (!result.unfit.empty()) {
      ++summary.unfit;
    } else if (result.row.isHostile) {
      addHostile(result, summary);
    } else {
      ++summary.honest;
      if (!result.layers.caughtBy().empty())
        summary.refused.push_back(result.row.name);
    }
  }
  return summary;
}

} // namespace agentic
