#include "tool/cli/report_server.h"

#include <microhttpd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace agentic {
namespace {

constexpr const char *kNext = "write it to a file with --html";
constexpr unsigned kMostConnections = 32, kIdleSeconds = 20;

/// Returns 32 hex digits, or "" where the system gives no random bytes.
std::string randomToken() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kDigits[byte >> 4];
    token += kDigits[byte & 15];
  }
  return token;
}

/// Compares in the same time wherever the texts differ.
bool isSecret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at)
    difference |= static_cast<unsigned char>(given[at]) ^ static_cast<unsigned char>(secret[at % secret.size()]);
  return difference == 0;
}

struct Answer {
  unsigned status = MHD_HTTP_NOT_FOUND;
  std::string body = "Not found.\n";
  const char *type = "text/plain; charset=utf-8";
};

class Server final : public ReportServer {
public:
  explicit Server(ServedReport report) : report_(std::move(report)), token_(randomToken()) {}
  ~Server() override {
    if (daemon_)
      MHD_stop_daemon(daemon_);
  }
  const std::string &url() const override { return url_; }

  Result<void> open() {
    if (token_.empty())
      return userError("cannot serve the report: the system gives no random bytes", kNext);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    daemon_ = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, nullptr, nullptr, &Server::onRequest, this,
                               MHD_OPTION_SOCK_ADDR, reinterpret_cast<const sockaddr *>(&address),
                               MHD_OPTION_CONNECTION_LIMIT, kMostConnections, MHD_OPTION_CONNECTION_TIMEOUT,
                               kIdleSeconds, MHD_OPTION_END);
    const MHD_DaemonInfo *info = daemon_ ? MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_BIND_PORT) : nullptr;
    if (!info)
      return userError(std::string("cannot serve the report on 127.0.0.1: ") + std::strerror(errno), kNext);
    port_ = info->port;
    url_ = "http://127.0.0.1:" + std::to_string(port_) + "/" + token_ + "/";
    return {};
  }

private:
  static MHD_Result onRequest(void *self, MHD_Connection *connection, const char *path, const char *method,
                              const char *, const char *, std::size_t *, void **) {
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    return send(connection, static_cast<Server *>(self)->answer(path, method, host ? host : ""));
  }

  static MHD_Result send(MHD_Connection *connection, const Answer &answer) {
    MHD_Response *response = MHD_create_response_from_buffer(answer.body.size(), const_cast<char *>(answer.body.data()),
                                                             MHD_RESPMEM_MUST_COPY); // it reads them
    if (!response)
      return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    const MHD_Result queued = MHD_queue_response(connection, answer.status, response);
    MHD_destroy_response(response);
    return queued;
  }

  Answer answer(std::string_view path, std::string_view method, std::string_view host) {
    const std::string port = ":" + std::to_string(port_);
    if (host != "127.0.0.1" + port && host != "localhost" + port)
      return {MHD_HTTP_FORBIDDEN, "Forbidden.\n"};
    if (method != MHD_HTTP_METHOD_GET && method != MHD_HTTP_METHOD_HEAD)
      return {MHD_HTTP_METHOD_NOT_ALLOWED, "Not allowed.\n"};
    const std::size_t tokenEnd = path.find('/', 1);
    if (tokenEnd == path.npos || !isSecret(path.substr(1, tokenEnd - 1), token_))
      return {};
    const std::string_view file = path.substr(tokenEnd + 1);
    if (file == "state")
      return {MHD_HTTP_OK, report_.state()};
    return file.empty() ? Answer{MHD_HTTP_OK, page(), "text/html; charset=utf-8"} : Answer{};
  }

  const std::string &page() {
    if (const std::string now = report_.state(); page_.empty() || now != pageState_) {
      page_ = report_.page(now);
      pageState_ = now;
    }
    return page_;
  }

  ServedReport report_;
  std::string token_, url_, page_, pageState_;
  std::uint16_t port_ = 0;
  MHD_Daemon *daemon_ = nullptr;
};

} // namespace

Result<std::unique_ptr<ReportServer>> ReportServer::start(ServedReport report) {
  auto server = std::make_unique<Server>(std::move(report));
  TRY(server->open());
  return server;
}

} // namespace agentic
