// Serves one client on two streams until it closes one of them.
#pragma once

#include "tool/mcp/host.h"

#include <atomic>
#include <functional>

namespace agentic::mcp {

/// Reads `in` to its end, `out` being closed, or `cancelled`; calls `ends` then, before it waits for the calls in work.
/// SIGPIPE is ignored by the caller. Cost: none while nothing arrives.
void serve(int in, int out, Host &host, const std::atomic<bool> &cancelled, const std::function<void()> &ends);

} // namespace agentic::mcp
