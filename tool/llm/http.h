// One HTTP exchange over libcurl: streamed, cancellable, and limited by silence rather than by total time unless that
// is asked for, because a model on a slow machine may think for an hour.
//
// No redirect is followed (a key would follow it), TLS certificates are always verified, loopback never goes through a
// proxy, and every exchange has a connection of its own: libcurl sends a request again on its own when a kept
// connection turns out to be closed, and a paid call must not be sent twice. Blocks; one exchange at a time per thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {

using HttpHeaders = std::map<std::string, std::string>; ///< names in lower case; the last of several counts

/// The way to a server.
struct HttpTransport {
  std::string httpProxy, httpsProxy, noProxy; ///< as in the environment; empty = none
  std::string caFile;                         ///< certificates besides the system's; empty = the system's
  double connectSeconds = 10;                 ///< name, connection and TLS together
  double firstSeconds = 0;                    ///< until the first Progress; 0 = no limit
  double betweenSeconds = 0;                  ///< from one Progress to the next; 0 = no limit
  double totalSeconds = 0;                    ///< limit of the whole exchange; 0 = none
  std::size_t maxBodyBytes = std::size_t{64} << 20;
};

struct HttpRequest {
  std::string method = "POST"; ///< or GET
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers; ///< may hold secrets
  std::string body;
};

/// The meaning of a piece of the body. Keep-alives are Nothing: they must not hide that the model is stuck. Done closes
/// the connection.
enum class BodyStep { Nothing, Progress, Done };

/// Receives the answer; called by exchange().
class HttpSink {
public:
  virtual ~HttpSink() = default;
  virtual void head(int status, const HttpHeaders &headers) = 0;
  virtual BodyStep body(std::string_view bytes) = 0;
};

enum class HttpEnd {
  Complete,     ///< the server ended its answer, or the sink was Done
  Cancelled,    ///< by us
  NotSent,      ///< no connection, or no safe one: the server never saw the request
  Broken,       ///< the connection broke after the request may have been sent
  NoFirst,      ///< silent longer than firstSeconds
  NoNext,       ///< silent longer than betweenSeconds
  TooSlow,      ///< not complete after totalSeconds
  TooLarge,     ///< more than maxBodyBytes
  Unacceptable, ///< the URL cannot be used: see `reason`
};

struct HttpOutcome {
  HttpEnd end = HttpEnd::Broken;
  std::string reason; ///< in words, without secrets; empty if Complete
  int status = 0;     ///< 0 = no answer began
};

/// Makes the exchange. `cancelled` may be nullptr; the exchange ends within 0.1 s of it.
HttpOutcome exchange(const HttpRequest &request, const HttpTransport &transport, const std::atomic<bool> *cancelled,
                     HttpSink &sink);

/// The parts of an http or https URL; empty host = not a URL.
struct UrlParts {
  std::string scheme, user, host, port, path, query; ///< `path` with its slash, or empty
};
UrlParts urlParts(const std::string &url);

bool isLoopbackHost(std::string_view host);
/// Returns whether plain http to the host does not cross the internet: loopback, private networks, names without a dot.
bool isNearHost(std::string_view host);

} // namespace agentic
