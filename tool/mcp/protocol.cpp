#include "tool/mcp/protocol.h"

#include "tool/agent/bounded_text.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/mcp/schema.h"

#include <algorithm>
#include <array>
#include <utility>

namespace agentic::mcp {
namespace {

constexpr const char *kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char *kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr std::array<std::string_view, 4> kLegacyVersions = {"2024-11-05", "2025-03-26", "2025-06-18",
                                                             kNewestLegacyVersion};
constexpr int kListSeconds = 60; ///< how long a client may keep a list: new runs add resources

constexpr const char *kInstructions =
    "Makes marked C++ and C functions (kernels) of this project faster, and proves it. list_kernels names them; "
    "describe_kernel tells code, contract, rules, machine and what bounds it. Send complete replacements, one idea "
    "each, "
    "to evaluate: they are checked, compiled, tested, compared with the original and measured, and the answer says "
    "what is "
    "true. finish confirms the best with fresh measurements and writes it into the project. A call returns within 25 "
    "seconds: with its result, or with state 'running' and a job for status.";

Json serverInfo() {
  return {{"name", "agentic-kernel"}, {"version", kVersion}};
}

Json capabilities() {
  return {{"tools", Json::object()}, {"resources", Json::object()}, {"prompts", Json::object()}};
}

std::string named(const std::string &text) {
  return "'" + boundedText(oneLine(text), kNameBytes) + "'";
}

std::unexpected<RpcError> invalidParams(std::string message) {
  return std::unexpected(RpcError{kInvalidParams, std::move(message)});
}

/// Every modern result says that it is complete, and whose it is.
Json finished(Json result, Era era) {
  if (era == Era::Modern) {
    result["resultType"] = "complete";
    result["_meta"] = {{kServerKey, serverInfo()}};
  }
  return result;
}

/// A result that a modern client may keep for a while.
Json kept(Json result, Era era) {
  if (era == Era::Modern) {
    result["ttlMs"] = kListSeconds * 1000;
    result["cacheScope"] = "private";
  }
  return finished(std::move(result), era);
}

/// Our lists have one page: there is no cursor that we gave.
Answer list(const Incoming &request, const char *key, Json entries, Era era) {
  if (request.params.contains("cursor") && !request.params["cursor"].is_null())
    return invalidParams("there is no such cursor: the list has one page");
  return kept({{key, std::move(entries)}}, era);
}

Json toolsOf(const Host &host) {
  Json tools = Json::array();
  for (const ToolInfo &tool : host.tools())
    tools.push_back(
        {{"name", tool.name},
         {"title", tool.title},
         {"description", tool.description},
         {"inputSchema", tool.input},
         {"outputSchema", orFailed(tool.output)},
         {"annotations", {{"readOnlyHint", tool.isReadOnly}, {"destructiveHint", false}, {"openWorldHint", false}}}});
  return tools;
}

Json resourcesOf(const Host &host) {
  Json resources = Json::array();
  for (const ResourceInfo &resource : host.resources())
    resources.push_back({{"uri", resource.uri},
                         {"name", resource.name},
                         {"title", resource.title},
                         {"description", resource.description},
                         {"mimeType", resource.type}});
  return resources;
}

Json promptsOf(const Host &host) {
  Json prompts = Json::array();
  for (const PromptInfo &prompt : host.prompts()) {
    Json arguments = Json::array();
    for (const PromptInfo::Argument &argument : prompt.arguments)
      arguments.push_back(
          {{"name", argument.name}, {"description", argument.description}, {"required", argument.isRequired}});
    prompts.push_back({{"name", prompt.name},
                       {"title", prompt.title},
                       {"description", prompt.description},
                       {"arguments", std::move(arguments)}});
  }
  return prompts;
}

Answer initialize(const Incoming &request, ProtocolState &state) {
  const auto version = request.params.find("protocolVersion");
  if (version == request.params.end() || !version->is_string())
    return invalidParams("'protocolVersion' is missing");
  const std::string asked = *version;
  const bool isKnown = std::ranges::find(kLegacyVersions, asked) != kLegacyVersions.end();
  state.legacyVersion = isKnown ? asked : std::string(kNewestLegacyVersion);
  return Json{{"protocolVersion", state.legacyVersion},
              {"capabilities", capabilities()},
              {"serverInfo", serverInfo()},
              {"instructions", kInstructions}};
}

Answer readResource(const Incoming &request, const Host &host, Era era) {
  const auto uri = request.params.find("uri");
  if (uri == request.params.end() || !uri->is_string())
    return invalidParams("'uri' is missing");
  const std::string wanted = *uri;
  const auto text = host.read(wanted);
  if (!text)
    return std::unexpected(RpcError{era == Era::Modern ? kInvalidParams : kResourceNotFound,
                                    "there is no resource " + named(wanted) + "; 'resources/list' has them all"});
  return kept({{"contents", {{{"uri", wanted}, {"mimeType", "text/markdown"}, {"text", *text}}}}}, era);
}

Answer getPrompt(const Incoming &request, const Host &host, Era era) {
  const auto name = request.params.find("name");
  if (name == request.params.end() || !name->is_string())
    return invalidParams("'name' is missing");
  const Json arguments = request.params.value("arguments", Json::object());
  if (!arguments.is_object())
    return invalidParams("'arguments' is an object");
  const auto info = std::ranges::find(host.prompts(), name->get<std::string>(), &PromptInfo::name);
  if (info == host.prompts().end())
    return invalidParams("there is no prompt " + named(name->get<std::string>()) + "; 'prompts/list' has them all");
  for (const PromptInfo::Argument &argument : info->arguments)
    if ((argument.isRequired || arguments.contains(argument.name)) &&
        !arguments.value(argument.name, Json()).is_string())
      return invalidParams("the argument '" + argument.name + "' is a string");
  const auto text = host.prompt(info->name, arguments);
  if (!text)
    return invalidParams("the prompt " + named(name->get<std::string>()) + " does not take these arguments");
  return finished({{"description", info->description},
                   {"messages", {{{"role", "user"}, {"content", {{"type", "text"}, {"text", *text}}}}}}},
                  era);
}

} // namespace

ToolResult failed(const std::string &message, const std::string &next) {
  return {{{"error", {{"message", message}, {"next", next}}}}, true};
}

std::expected<Era, RpcError> eraOf(const Incoming &request) {
  const auto meta = request.params.find("_meta");
  if (meta == request.params.end() || !meta->is_object() || !meta->contains(kVersionKey))
    return Era::Legacy;
  const Json &version = (*meta)[kVersionKey];
  if (version == kModernVersion)
    return Era::Modern;
  const Json asked =
      version.is_string() ? Json(boundedText(oneLine(version.get<std::string>()), kNameBytes)) : Json(nullptr);
  return std::unexpected(RpcError{kUnsupportedVersion,
                                  "this version of the protocol is not spoken here",
                                  {{"supported", {kModernVersion}}, {"requested", asked}}});
}

Answer answer(const Incoming &request, Era era, ProtocolState &state, const Host &host) {
  const std::string &method = request.method;
  if (method == "initialize")
    return initialize(request, state);
  if (method == "server/discover" && era == Era::Modern)
    return kept({{"supportedVersions", {kModernVersion}},
                 {"capabilities", capabilities()},
                 {"serverInfo", serverInfo()},
                 {"instructions", kInstructions}},
                era);
  if (method == "ping")
    return finished(Json::object(), era);
  if (method == "tools/list")
    return list(request, "tools", toolsOf(host), era);
  if (method == "resources/list")
    return list(request, "resources", resourcesOf(host), era);
  if (method == "resources/templates/list")
    return list(request, "resourceTemplates", Json::array(), era);
  if (method == "resources/read")
    return readResource(request, host, era);
  if (method == "prompts/list")
    return list(request, "prompts", promptsOf(host), era);
  if (method == "prompts/get")
    return getPrompt(request, host, era);
  return std::unexpected(RpcError{kMethodNotFound, "there is no method " + named(method)});
}

std::expected<std::size_t, RpcError> calledTool(const Incoming &request, const Host &host) {
  const auto name = request.params.find("name");
  if (name == request.params.end() || !name->is_string())
    return invalidParams("'name' is missing");
  if (const auto arguments = request.params.find("arguments");
      arguments != request.params.end() && !arguments->is_null() && !arguments->is_object())
    return invalidParams("'arguments' is an object");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < host.tools().size(); ++i) {
    names.push_back(host.tools()[i].name);
    if (names.back() == name->get_ref<const std::string &>())
      return i;
  }
  return invalidParams("there is no tool " + named(name->get<std::string>()) + ", only " + join(names, ", "));
}

Json callResult(const ToolResult &result, Era era) {
  const std::string text = lineOf(result.value);
  // Read back, so that bytes that are no UTF-8 are replaced in both alike.
  return finished({{"content", {{{"type", "text"}, {"text", text}}}},
                   {"structuredContent", Json::parse(text, nullptr, false)},
                   {"isError", result.isError}},
                  era);
}

Json progressToken(const Incoming &request) {
  const auto meta = request.params.find("_meta");
  if (meta == request.params.end() || !meta->is_object())
    return nullptr;
  const Json token = meta->value("progressToken", Json(nullptr));
  return token.is_string() || token.is_number_integer() ? token : Json(nullptr);
}

} // namespace agentic::mcp
