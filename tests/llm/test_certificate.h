// A certificate for 127.0.0.1, made anew by each test, that nobody vouches for.
#pragma once

#include <string>

struct ssl_ctx_st;

namespace agentic {

/// Gives it to the server's side, and returns it as PEM.
std::string useOwnCertificate(ssl_ctx_st *context);

} // namespace agentic
