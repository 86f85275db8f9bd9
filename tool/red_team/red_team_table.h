// The red team's table, row by layer, and its summary. Pure.
#pragma once

#include "tool/red_team/red_team_row.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace agentic {

struct LayerResult {
  enum class State { NotApplicable, NotCaught, Caught };
  State state = State::NotApplicable;
  std::string reason;              ///< the layer's message; or why it does not apply
  std::vector<std::string> checks; ///< the checks that found them
  double seconds = 0;
};
const char *layerStateName(LayerResult::State state); ///< "not applicable", "not caught", "caught"

struct LayerResults {
  std::array<LayerResult, kLayers.size()> all;
  LayerResult &operator[](Layer layer) { return all[static_cast<std::size_t>(layer)]; }
  const LayerResult &operator[](Layer layer) const { return all[static_cast<std::size_t>(layer)]; }
  std::vector<Layer> caughtBy() const;
};

struct RedTeamResult {
  RedTeamRow row;
  std::string unfit; ///< why the row does not fit this kernel; then there are no results
  LayerResults layers;
};

struct RedTeamSummary {
  std::vector<std::string> gotThrough; ///< hostile rows that no layer caught, without:
  /// Hostile rows with faults of the result alone whose result was right in every call: the condition for the fault (a
  /// size, a value, an element that the kernel writes) does not occur with this kernel.
  std::vector<std::string> harmless;
  std::vector<std::string> refused; ///< honest rows that a layer caught
  std::vector<std::string> missed;  ///< "any/malloc: audit": a layer that the row names did not see it
  std::vector<std::string> single;  ///< caught by one layer, although they are neither a fault of the result alone
                                    ///< nor excused
  /// The result if that layer's were ignored: hostile rows that would pass, and those left with one layer.
  struct Ignored {
    std::vector<std::string> pass, single;
  };
  std::map<Layer, Ignored> ignored;
  std::size_t hostile = 0, honest = 0, unfit = 0;

  bool holds() const { return gotThrough.empty() && refused.empty(); }
};

RedTeamSummary summariseRedTeam(std::span<const RedTeamResult> results);

} // namespace agentic
