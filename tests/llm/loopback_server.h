// A server of our own for behaviour that other test servers lack: silence, half answers, redirects, questions about the
// context. On loopback, on a port of its own choosing; one thread for each connection, all ended with the object.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct ssl_ctx_st;
struct ssl_st;

namespace agentic {

struct ServedRequest {
  std::string method, target;
  std::map<std::string, std::string> headers; ///< names in lower case
  std::string body;
};

/// The answer's side of one connection.
class Served {
public:
  Served(int connection, int stop, ssl_st *tls) : connection_(connection), stop_(stop), tls_(tls) {}
  /// Returns false once the client has gone.
  bool send(std::string_view bytes);
  /// A whole answer: status line, headers, body.
  void answer(int status, std::string_view body, const std::string &headers = "Content-Type: application/json\r\n");
  /// The head of an answer that ends with the connection.
  void begin(const std::string &headers = "Content-Type: text/event-stream\r\n");
  /// Waits until the client closes or the server stops. False: this many milliseconds are over (-1: no limit).
  bool waitForEnd(int milliseconds = -1);

private:
  int connection_, stop_;
  ssl_st *tls_;
};

class LoopbackServer {
public:
  using Handler = std::function<void(const ServedRequest &, Served &)>;
  /// With `tls` it speaks TLS, with a certificate for 127.0.0.1 that nobody vouches for.
  explicit LoopbackServer(Handler handler, bool tls = false);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer &) = delete;
  LoopbackServer &operator=(const LoopbackServer &) = delete;

  std::string url() const; ///< "http://127.0.0.1:39599"
  std::vector<ServedRequest> requests() const;
  const std::string &certificate() const { return certificate_; } ///< PEM

private:
  void accept();
  void serve(int connection);
  Handler handler_;
  int listener_ = -1, port_ = 0;
  int stop_[2] = {-1, -1}; ///< a pipe: closing its writing end wakes everybody
  std::shared_ptr<ssl_ctx_st> tls_;
  std::string certificate_;
  mutable std::mutex mutex_;
  std::vector<ServedRequest> requests_;
  std::vector<std::jthread> connections_;
  std::jthread acceptor_;
};

} // namespace agentic
