// The messages of MCP, of both eras. Pure: a request and a host in, a result out; calls of tools are connection.h's.
//
// Modern (2026-07-28): no handshake; every request names its version in `_meta`. Legacy (2024-11-05 to 2025-11-25):
// `initialize` names it once. The era is that of each message.
#pragma once

#include "tool/mcp/host.h"
#include "tool/mcp/json_rpc.h"

#include <expected>
#include <string>
#include <string_view>

namespace agentic::mcp {

inline constexpr std::string_view kModernVersion = "2026-07-28", kNewestLegacyVersion = "2025-11-25";

enum class Era { Legacy, Modern };

/// What the messages so far have settled.
struct ProtocolState {
  std::string legacyVersion; ///< of `initialize`; empty before it

  /// Returns whether a line may hold several messages: only 2025-03-26 has batches.
  bool hasBatches() const { return legacyVersion == "2025-03-26"; }
};

using Answer = std::expected<Json, RpcError>;

/// Returns the era of a request, or the error of one that names a version that we do not speak.
std::expected<Era, RpcError> eraOf(const Incoming &request);

/// Answers every request but `tools/call`. `initialize` settles `state`.
Answer answer(const Incoming &request, Era era, ProtocolState &state, const Host &host);

/// Returns the index of the tool that a `tools/call` names, or the error of a call that names none.
std::expected<std::size_t, RpcError> calledTool(const Incoming &request, const Host &host);

/// The result of a call: text and structured content are the same object.
Json callResult(const ToolResult &result, Era era);

/// Returns the token under which the sender of a request wants progress: a string or an integer, 0 included; null:
/// none.
Json progressToken(const Incoming &request);

} // namespace agentic::mcp
