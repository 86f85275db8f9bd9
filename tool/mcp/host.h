// What a connection serves: tools, resources and prompts, without any protocol.
#pragma once

#include "tool/mcp/json_rpc.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic::mcp {

struct ToolInfo {
  std::string name, title, description;
  Json input, output; ///< JSON schemas: objects
  bool isReadOnly = true;
};

struct ToolResult {
  Json value; ///< an object; the text of the answer is the same
  bool isError = false;
};

/// Returns {"error": {"message", "next"}} as a failed result.
ToolResult failed(const std::string &message, const std::string &next);

/// One call of a tool while it runs.
class Call {
public:
  virtual ~Call() = default;
  virtual const Json &arguments() const = 0; ///< fits the tool's input schema
  virtual bool isCancelled() const = 0;
  /// Tells the client, if it asked for progress. Never the only carrier of a fact: clients drop some.
  virtual void progress(const std::string &what) = 0;
};

struct ResourceInfo {
  std::string uri, name, title, description, type; ///< type: "text/markdown"
};

struct PromptInfo {
  struct Argument {
    std::string name, description;
    bool isRequired = false;
  };
  std::string name, title, description;
  std::vector<Argument> arguments;
};

/// Every function may be called from any thread, several at once.
class Host {
public:
  virtual ~Host() = default;
  virtual const std::vector<ToolInfo> &tools() const = 0;
  /// `tool` is the name of one. Returns within 25 s.
  virtual ToolResult call(const std::string &tool, Call &call) = 0;
  virtual std::vector<ResourceInfo> resources() const = 0;
  virtual std::optional<std::string> read(const std::string &uri) const = 0; ///< nullopt: there is none
  virtual const std::vector<PromptInfo> &prompts() const = 0;
  /// Returns the text of a prompt; nullopt: there is none of this name.
  virtual std::optional<std::string> prompt(const std::string &name, const Json &arguments) const = 0;
};

} // namespace agentic::mcp
