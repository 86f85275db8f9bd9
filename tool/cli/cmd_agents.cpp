// agentic-kernel agents: lists the agents, the sources of their keys, and whether they can be reached; shows or writes
// the set-up of a coding agent that uses the MCP server.
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/option_values.h"
#include "tool/llm/probe.h"
#include "tool/mcp/client_setup.h"
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
    app.add_option("--setup", client_, "show how this coding agent uses the MCP server of this tool")
        ->check(oneOf({"claude", "codex", "opencode"}));
    app.add_option("--into", project_, "write that into this project folder, which it leaves alone otherwise");
    app.add_option("--build-dir,-B", buildDir_, "CMake build tree of the project")->capture_default_str();
  }

  int run(Console &console) override {
    if (!client_.empty() || !project_.empty())
      return setUp(console);
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
  int setUp(Console &console) const {
    const nlohmann::json none = {{"client", client_}, {"files", nlohmann::json::array()}};
    const auto setup = mcp::setupFor(client_, buildDir_);
    if (!setup)
      return console.fail(setup.error(), json_, none);
    nlohmann::json result = none;
    if (!project_.empty()) {
      const auto written = mcp::writeSetup(*setup, project_);
      if (!written)
        return console.fail(written.error(), json_, none);
      for (const mcp::SetupWritten &file : *written) {
        result["files"].push_back({{"path", file.path}, {"written", file.isWritten}});
        console.note(file.path + (file.isWritten ? ": written" : ": as it should be"));
      }
    } else {
      for (const mcp::SetupFile &file : setup->files)
        result["files"].push_back({{"path", file.path}, {"text", file.text}, {"is_block", file.isBlock}});
    }
    result["lines"] = setup->lines;
    result["lines_path"] = setup->linesPath;
    if (json_)
      console.json(result);
    else
      printSetup(console, *setup);
    return 0;
  }

  void printSetup(Console &console, const mcp::Setup &setup) const {
    console.note(setup.intro);
    if (project_.empty())
      for (const mcp::SetupFile &file : setup.files)
        console.out("--- " + file.path + (file.isBlock ? " (at its end)" : "") + "\n" + file.text);
    if (!setup.lines.empty())
      console.out("--- " + setup.linesPath + " (to be added by hand)\n" + setup.lines);
  }

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
  std::string client_, project_, buildDir_ = ".";
};

} // namespace

extern const CommandRow kAgentsCommand = {
    .name = "agents",
    .summary = "list what can propose candidates: providers, their keys, whether they answer",
    .example = "--offline",
    .make = makeCommand<AgentsCommand>,
};

} // namespace agentic
