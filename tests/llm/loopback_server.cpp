#include "tests/llm/loopback_server.h"

#include "tests/llm/test_certificate.h"
#include "tool/base/text.h"

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr int kLongestRequestMilliseconds = 20'000;

/// Returns whether there is something to read before the server stops.
bool readable(int connection, int stop, int milliseconds) {
  pollfd watched[2] = {{connection, POLLIN, 0}, {stop, POLLIN, 0}};
  return poll(watched, 2, milliseconds) > 0 && watched[1].revents == 0;
}

ssize_t readSome(int connection, ssl_st *tls, char *buffer, std::size_t size) {
  return tls ? SSL_read(tls, buffer, static_cast<int>(size)) : recv(connection, buffer, size, 0);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Parses the head's lines; the beginning of the body stays in `rest`.
ServedRequest parseHead(const std::string &head) {
  ServedRequest request;
  const std::vector<std::string> lines = split(replaceAll(head, "\r\n", "\n"), '\n');
  const std::vector<std::string> words = split(lines.at(0), ' ');
  request.method = words.at(0);
  request.target = words.size() > 1 ? words[1] : "";
  for (const std::string &line : lines)
    if (const std::size_t colon = line.find(": "); colon != std::string::npos)
      request.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
  return request;
}

bool readRequest(int connection, int stop, ssl_st *tls, ServedRequest &request) {
  std::string text;
  char buffer[16384];
  std::size_t end = std::string::npos, length = 0;
  while (end == std::string::npos || text.size() < end + 4 + length) {
    if ((!tls || SSL_pending(tls) == 0) && !readable(connection, stop, kLongestRequestMilliseconds))
      return false;
    const ssize_t count = readSome(connection, tls, buffer, sizeof buffer);
    if (count <= 0)
      return false;
    text.append(buffer, static_cast<std::size_t>(count));
    if (end == std::string::npos && (end = text.find("\r\n\r\n")) != std::string::npos) {
      request = parseHead(text.substr(0, end));
      if (const auto found = request.headers.find("content-length"); found != request.headers.end())
        length = std::stoul(found->second);
    }
  }
  request.body = text.substr(end + 4);
  return true;
}

} // namespace

bool Served::send(std::string_view bytes) {
  if (tls_)
    return SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())) > 0;
  while (!bytes.empty()) {
    const ssize_t count = ::send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void Served::answer(int status, std::string_view body, const std::string &headers) {
  send("HTTP/1.1 " + std::to_string(status) + " Whatever\r\n" + headers +
       "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n");
  send(body);
}

void Served::begin(const std::string &headers) {
  send("HTTP/1.1 200 OK\r\n" + headers + "Connection: close\r\n\r\n");
}

bool Served::waitForEnd(int milliseconds) {
  // A client sends nothing after its request: only its end can be read then.
  pollfd watched[2] = {{connection_, POLLIN, 0}, {stop_, POLLIN, 0}};
  return poll(watched, 2, milliseconds) != 0;
}

LoopbackServer::LoopbackServer(Handler handler, bool tls) : handler_(std::move(handler)) {
  if (tls) {
    tls_.reset(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    certificate_ = useOwnCertificate(tls_.get());
    std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes without MSG_NOSIGNAL
  }
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t size = sizeof address;
  if (pipe(stop_) != 0 || bind(listener_, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
      listen(listener_, 16) != 0 || getsockname(listener_, reinterpret_cast<sockaddr *>(&address), &size) != 0)
    return;
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept(); });
}

LoopbackServer::~LoopbackServer() {
  close(stop_[1]);
  if (acceptor_.joinable())
    acceptor_.join();
  connections_.clear(); // joins them
  close(stop_[0]);
  close(listener_);
}

std::string LoopbackServer::url() const {
  return std::string(tls_ ? "https" : "http") + "://127.0.0.1:" + std::to_string(port_);
}

std::vector<ServedRequest> LoopbackServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void LoopbackServer::accept() {
  while (readable(listener_, stop_[0], -1)) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection >= 0)
      connections_.emplace_back([this, connection] { serve(connection); });
  }
}

void LoopbackServer::serve(int connection) {
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(tls_ ? SSL_new(tls_.get()) : nullptr, &SSL_free);
  if (tls)
    SSL_set_fd(tls.get(), connection);
  ServedRequest request;
  if ((!tls || SSL_accept(tls.get()) == 1) && readRequest(connection, stop_[0], tls.get(), request)) {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    Served served(connection, stop_[0], tls.get());
    handler_(request, served);
  }
  shutdown(connection, SHUT_WR); // lets what was sent arrive; a plain close may take it back
  close(connection);
}

} // namespace agentic
