// JSON-RPC 2.0 as MCP uses it over streams: one message a line. Pure: text in, values out.
//
// Errors are answers to the sender, never of this process. Cost: linear in the line, at most kMostLineBytes.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::mcp {

using Json = nlohmann::json;

inline constexpr std::size_t kMostLineBytes = std::size_t{4} << 20;
inline constexpr int kMostDepth = 64; ///< of arrays and objects within each other: code that walks them recurses
inline constexpr std::size_t kMostIdBytes = 1024;
inline constexpr std::size_t kMostBatch = 64;

/// Codes of the specification, and those of MCP.
inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602,
                     kInternalError = -32603, kResourceNotFound = -32002, kUnsupportedVersion = -32022;

struct RpcError {
  int code = kInternalError;
  std::string message;
  Json data = nullptr; ///< null = none
};

struct Incoming {
  /// Response: an answer to a request that we never sent. Invalid: `error` is the answer.
  enum class Kind { Request, Notification, Response, Invalid };
  Kind kind = Kind::Invalid;
  Json id;                      ///< a string or an integer; null where there is none
  std::string method;           ///< as sent
  Json params = Json::object(); ///< always an object
  RpcError error;
};

struct IncomingLine {
  bool isBatch = false;
  std::vector<Incoming> messages; ///< one, unless it is a batch
};

/// Reads one line, without its end. Whatever it holds, the result has at least one message.
IncomingLine readLine(std::string_view line);

/// The answer to a line that was longer than kMostLineBytes.
RpcError tooLong();

Json resultMessage(const Json &id, Json result);
Json errorMessage(const Json &id, const RpcError &error);
Json notification(std::string_view method, Json params);

/// Returns one line without its end. Bytes that are no UTF-8 are replaced.
std::string lineOf(const Json &message);

} // namespace agentic::mcp
