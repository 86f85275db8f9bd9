#include "tool/report/page_data.h"

#include "tool/report/html_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace agentic {
namespace {

using nlohmann::json;

/// A table of names: verdicts, stages, checks and agents are few, so each is stored once.
class Names {
public:
  int indexOf(const std::string &name) {
    if (name.empty())
      return -1;
    const auto [known, isNew] = known_.try_emplace(name, static_cast<int>(list_.size()));
    if (isNew)
      list_.push_back(clippedText(name, kNameBytes));
    return known->second;
  }
  const json &list() const { return list_; }

private:
  std::map<std::string, int> known_;
  json list_ = json::array();
};

/// JSON has no infinities, so they become null. Six digits are more than is shown.
json numberJson(double value) {
  if (!std::isfinite(value))
    return nullptr;
  if (value == 0)
    return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 6);
  const double rounded = std::round(value / unit) * unit;
  return std::isfinite(rounded) ? rounded : value;
}

int detailIndex(const PageAttempt &attempt, TextPack &pack) {
  if (attempt.facts.empty() && attempt.texts.empty())
    return -1;
  const json detail = {{"facts", attempt.facts}, {"texts", attempt.texts}};
  return pack.add(detail.dump(-1, ' ', false, json::error_handler_t::replace));
}

json attemptsJson(const PageRun &run, Names &names, TextPack &pack) {
  std::map<std::string, json> columns;
  for (const char *column : {"id", "iteration", "verdict", "stage", "check", "agent", "ns", "ratio", "estimate", "best",
                             "wall", "cost", "agentCost", "source", "detail"})
    columns[column] = json::array();
  for (const PageAttempt &attempt : run.attempts) {
    columns["id"].push_back(clippedText(attempt.id, kNameBytes));
    columns["iteration"].push_back(attempt.iteration);
    columns["verdict"].push_back(names.indexOf(attempt.verdict));
    columns["stage"].push_back(names.indexOf(attempt.stage));
    columns["check"].push_back(names.indexOf(attempt.check));
    columns["agent"].push_back(names.indexOf(attempt.agent));
    columns["ns"].push_back(attempt.ns ? numberJson(*attempt.ns) : json(nullptr));
    columns["ratio"].push_back(attempt.speedup ? numberJson(attempt.speedup->ratio) : json(nullptr));
    columns["estimate"].push_back(attempt.estimate ? numberJson(*attempt.estimate) : json(nullptr));
    columns["best"].push_back(numberJson(attempt.best));
    columns["wall"].push_back(numberJson(attempt.wall));
    columns["cost"].push_back(numberJson(attempt.dollars));
    columns["agentCost"].push_back(numberJson(attempt.agentDollars));
    columns["source"].push_back(pack.add(attempt.source));
    columns["detail"].push_back(detailIndex(attempt, pack));
  }
  return columns;
}

json runJson(const PageRun &run, Names &names, TextPack &pack) {
  json stages = json::array(), rejected = json::array();
  for (const PageStage &stage : run.stages)
    stages.push_back({{"name", clippedText(stage.name, kNameBytes)}, {"seconds", numberJson(stage.seconds)}});
  for (const auto &[name, count] : run.rejected)
    rejected.push_back({{"name", clippedText(name, kNameBytes)}, {"count", count}});
  return {{"name", clippedText(run.name, kNameBytes)},
          {"label", run.label},
          {"attempts", attemptsJson(run, names, pack)},
          {"stages", stages},
          {"rejected", rejected}};
}

} // namespace

json pageData(const PageModel &page, const std::string &follow, TextPack &pack) {
  Names names;
  json runs = json::array(), agents = json::array();
  for (const PageRun &run : page.runs)
    runs.push_back(runJson(run, names, pack));
  for (const PageAgent &agent : page.agents)
    agents.push_back({{"name", clippedText(agent.name, kNameBytes)},
                      {"ratio", agent.speedup ? numberJson(agent.speedup->ratio) : json(nullptr)}});
  pack.finish();
  return {{"names", names.list()}, {"runs", runs}, {"agents", agents}, {"texts", pack.places()}, {"follow", follow}};
}

} // namespace agentic
