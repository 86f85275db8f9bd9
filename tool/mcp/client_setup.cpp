#include "tool/mcp/client_setup.h"

#include "tool/base/text.h"
#include "tool/mcp/client_setup_texts.h"
#include "tool/mcp/json_rpc.h"

#include <algorithm>
#include <array>
#include <utility>

namespace agentic::mcp {
namespace {

constexpr std::array<std::string_view, 3> kClients = {"claude", "codex", "opencode"};
constexpr const char *kServer = "agentic-kernel";
constexpr std::string_view kBegin = "<!-- begin agentic-kernel: written by 'agentic-kernel agents --setup' -->\n",
                           kEnd = "<!-- end agentic-kernel -->\n";

std::string instructions() {
  return std::string(clientSetupText("instructions.md"));
}

std::vector<std::string> arguments(const std::string &buildDir) {
  return {"mcp", "--build-dir", buildDir};
}

SetupFile agentsFile() {
  return {"AGENTS.md", std::string(kBegin) + instructions() + std::string(kEnd), true};
}

/// In the order in which people read it, which Json would sort.
std::string jsonFile(const nlohmann::ordered_json &json) {
  return json.dump(2) + "\n";
}

Setup claude(const std::string &buildDir) {
  const nlohmann::ordered_json config = {
      {"mcpServers", {{kServer, {{"type", "stdio"}, {"command", kServer}, {"args", arguments(buildDir)}}}}}};
  const std::string skill = "---\nname: agentic-kernel\ndescription: Makes marked C++ and C functions of this project "
                            "faster with measured proof. Use it when "
                            "asked to optimize or speed up a kernel.\n---\n\n" +
                            instructions();
  return {.intro = "Claude Code reads the server from .mcp.json and the instructions from a skill",
          .files = {{".mcp.json", jsonFile(config)}, {".claude/skills/agentic-kernel/SKILL.md", skill}},
          .lines = {},
          .linesPath = {}};
}

/// Quotes for TOML, whose basic strings are JSON's.
std::string toml(const std::string &text) {
  return Json(text).dump();
}

Setup codex(const std::string &buildDir) {
  std::string list;
  for (const std::string &argument : arguments(buildDir))
    list += (list.empty() ? "" : ", ") + toml(argument);
  return {.intro = "Codex reads servers from its own configuration, and the instructions from AGENTS.md",
          .files = {agentsFile()},
          .lines = "[mcp_servers.agentic-kernel]\ncommand = \"agentic-kernel\"\nargs = [" + list +
                   "]\nstartup_timeout_sec = 30\ntool_timeout_sec = 60\n",
          .linesPath = "~/.codex/config.toml"};
}

Setup opencode(const std::string &buildDir) {
  std::vector<std::string> command = arguments(buildDir);
  command.insert(command.begin(), kServer);
  const nlohmann::ordered_json config = {
      {"$schema", "https://opencode.ai/config.json"},
      {"mcp", {{kServer, {{"type", "local"}, {"command", command}, {"enabled", true}}}}}};
  return {.intro = "opencode reads the server from opencode.json and the instructions from AGENTS.md",
          .files = {{"opencode.json", jsonFile(config)}, agentsFile()},
          .lines = {},
          .linesPath = {}};
}

/// Returns the text of the file with our block in it: in the place of an older one, or at its end.
Result<std::string> withBlock(const std::string &path, std::string text, const std::string &block) {
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  if (begin == std::string::npos && end == std::string::npos) {
    if (!text.empty() && !text.ends_with('\n'))
      text += '\n';
    return text + (text.empty() ? "" : "\n") + block;
  }
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    return userError(path + " has one of the marks of agentic-kernel's block without the other",
                     "mend or take out the lines '<!-- begin agentic-kernel' and '<!-- end agentic-kernel'");
  return text.replace(begin, end + kEnd.size() - begin, block);
}

Result<std::string> wanted(const SetupFile &file, const fs::path &path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return file.text;
  auto text = TRY(readFile(path));
  if (file.isBlock)
    return withBlock(file.path, std::move(text), file.text);
  if (text == file.text)
    return text;
  return userError(file.path + " is there already, with content of its own",
                   "add what 'agentic-kernel agents --setup' prints without --into to it yourself");
}

} // namespace

std::span<const std::string_view> setupClients() {
  return kClients;
}

Result<Setup> setupFor(std::string_view client, const std::string &buildDir) {
  if (client == "claude")
    return claude(buildDir);
  if (client == "codex")
    return codex(buildDir);
  if (client == "opencode")
    return opencode(buildDir);
  return userError("there is no set-up for '" + std::string(client) + "'", "use claude, codex or opencode");
}

Result<std::vector<SetupWritten>> writeSetup(const Setup &setup, const fs::path &project) {
  std::vector<std::string> texts;
  for (const SetupFile &file : setup.files)
    texts.push_back(TRY(wanted(file, project / file.path)));
  std::vector<SetupWritten> written;
  for (std::size_t i = 0; i < texts.size(); ++i)
    written.push_back({setup.files[i].path, TRY(writeFileIfChanged(project / setup.files[i].path, texts[i]))});
  return written;
}

} // namespace agentic::mcp
