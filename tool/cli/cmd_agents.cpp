// agentic-kernel agents: lists the agents, the sources of their keys, and whether they can be reached.
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/llm/probe.h"
#include "tool/report/table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdlib>

namespace agentic {
namespace {

/// An agent that is not a provider.
struct OtherAgent {
  const char *name, *key, *summary;
};
constexpr std::array kOthers = {
    OtherAgent{"builtin", "", "the search without a model; no key, no network"},
    OtherAgent{"command:<program>", "",
               "a program of yours: the conversation on its standard input, the reply on its output"},
    OtherAgent{"replay:<file>", "", "a recording that --record made; nothing is called"},
    OtherAgent{"<http-url>#<model>", kUrlKeyName.data(),
               "any server; chat+, anthropic+, responses+ or ollama+ in front names its dialect"},
};

const char *reachText(Reach reach) {
  switch (reach) {
  case Reach::NotTried:
    return "not tried";
  case Reach::Yes:
    return "reachable";
  case Reach::No:
    return "not reachable";
  case Reach::KeyRefused:
    return "reachable, but it";
  }
  return "";
}

nlohmann::json reachJson(Reach reach) {
  return reach == Reach::NotTried ? nlohmann::json(nullptr) : nlohmann::json(reach != Reach::No);
}

std::string keyText(const ProviderState &state) {
  if (state.keyName.empty())
    return "none";
  const char *what = state.keyIsSet ? " (set)" : state.needsKey ? " (not set)" : " (optional)";
  return state.keyName + what;
}

bool isSet(const char *variable) {
  return !environment(variable).value_or("").empty();
}

class AgentsCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_flag("--offline", offline_, "ask no server whether it is there");
    app.add_flag("--json", json_, "print the result as one line of JSON, the last on stdout");
  }

  int run(Console &console) override {
    const std::vector<ProviderState> states = providerStates(environment, !offline_, &interrupted());
    if (interrupted())
      return console.fail(interruptedError().error(), json_, nlohmann::json::object());
    if (json_)
      console.json(asJson(states));
    else
      print(console, states);
    return 0;
  }

private:
  static nlohmann::json asJson(const std::vector<ProviderState> &states) {
    nlohmann::json result = {{"agents", nlohmann::json::array()}};
    for (const OtherAgent &other : kOthers)
      result["agents"].push_back({{"name", other.name},
                                  {"key_variable", other.key},
                                  {"key_set", isSet(other.key)},
                                  {"needs_key", false},
                                  {"base_url", ""},
                                  {"base_url_variable", ""},
                                  {"reachable", nullptr},
                                  {"detail", other.summary}});
    for (const ProviderState &state : states)
      result["agents"].push_back({{"name", state.name + ":<model>"},
                                  {"key_variable", state.keyName},
                                  {"key_set", state.keyIsSet},
                                  {"needs_key", state.needsKey},
                                  {"base_url", state.baseUrl},
                                  {"base_url_variable", state.baseUrlName},
                                  {"reachable", reachJson(state.reach)},
                                  {"detail", state.detail}});
    return result;
  }

  static void print(Console &console, const std::vector<ProviderState> &states) {
    std::vector<Cells> lines = {{"agent", "key", "address", "state"}};
    for (const ProviderState &state : states) {
      const std::string reach = reachText(state.reach);
      // Only the reason is printed where nobody was asked because something is missing.
      const std::string what = state.detail.empty()             ? reach
                               : state.reach == Reach::NotTried ? state.detail
                               : state.reach == Reach::No       ? reach + ": " + state.detail
                                                                : reach + " " + state.detail;
      lines.push_back({state.name + ":<model>", keyText(state), state.baseUrl, what});
    }
    console.out(alignedTable(lines, 4));
    for (const OtherAgent &other : kOthers)
      console.out(fmt::format("{:<20} {}{}", other.name, other.summary,
                              other.key[0] ? fmt::format("; key in {}", other.key) : ""));
  }

  bool offline_ = false, json_ = false;
};

} // namespace

extern const CommandRow kAgentsCommand = {
    .name = "agents",
    .summary = "list what can propose candidates: providers, their keys, whether they answer",
    .example = "--offline",
    .make = makeCommand<AgentsCommand>,
};

} // namespace agentic
