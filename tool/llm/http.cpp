#include "tool/llm/http.h"

#include "tool/base/clock.h"
#include "tool/base/text.h"

#include <cmath>
#include <curl/curl.h>
#include <memory>
#include <mutex>
#include <optional>

namespace agentic {
namespace {

constexpr int kPollMilliseconds = 50;
constexpr std::size_t kMostHeaders = 256;

template <auto kFree> struct Freed {
  template <class T> void operator()(T *handle) const { kFree(handle); }
};
using Easy = std::unique_ptr<CURL, Freed<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, Freed<curl_multi_cleanup>>;
using HeaderList = std::unique_ptr<curl_slist, Freed<curl_slist_free_all>>;

/// One answer as it arrives.
class Transfer {
public:
  Transfer(const HttpRequest &request, const HttpTransport &transport, HttpSink &sink)
      : request_(request), transport_(transport), sink_(sink) {}
  HttpOutcome run(const std::atomic<bool> *cancelled);

private:
  bool prepare();
  void setProxy();
  HttpOutcome loop(const std::atomic<bool> *cancelled);
  HttpOutcome finished(CURLcode code);
  HttpOutcome ended(HttpEnd end, std::string reason) const { return {end, std::move(reason), status_}; }
  std::optional<HttpOutcome> overdue() const;
  void begin();
  std::size_t onHeader(std::string_view line);
  std::size_t onBody(std::string_view bytes);

  static std::size_t headerThunk(char *data, std::size_t, std::size_t size, void *self) {
    return static_cast<Transfer *>(self)->onHeader({data, size});
  }
  static std::size_t bodyThunk(char *data, std::size_t, std::size_t size, void *self) {
    return static_cast<Transfer *>(self)->onBody({data, size});
  }

  const HttpRequest &request_;
  const HttpTransport &transport_;
  HttpSink &sink_;
  HeaderList headerList_; // must outlive the handle that sends it
  Easy easy_;
  Multi multi_;
  char why_[CURL_ERROR_SIZE] = {};
  HttpHeaders headers_;
  int status_ = 0;
  bool begun_ = false, done_ = false, tooLarge_ = false, progressed_ = false;
  std::size_t received_ = 0;
  double begin_ = 0, lastProgress_ = 0;
};

bool Transfer::prepare() {
  easy_.reset(curl_easy_init());
  multi_.reset(curl_multi_init());
  if (!easy_ || !multi_)
    return false;
  CURL *easy = easy_.get();
  curl_slist *list = curl_slist_append(nullptr, "Expect:"); // else large bodies wait for a "100 Continue"
  for (const auto &[name, value] : request_.headers)
    list = curl_slist_append(list, (name + ": " + value).c_str());
  headerList_.reset(list);
  curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headerList_.get());
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(transport_.connectSeconds * 1000));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L); // a reasoning model may be silent for many minutes
  curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, why_);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "agentic-kernel");
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); // a cancelled exchange does not wait for a resolver
#endif
  if (!transport_.caFile.empty())
    curl_easy_setopt(easy, CURLOPT_CAINFO, transport_.caFile.c_str());
  if (request_.method == "POST") {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.data());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  }
  setProxy();
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &headerThunk);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &bodyThunk);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  return curl_multi_add_handle(multi_.get(), easy) == CURLM_OK;
}

/// The proxy is always set, even to none: libcurl would else read the environment by itself.
void Transfer::setProxy() {
  const UrlParts url = urlParts(request_.url);
  const bool near = isLoopbackHost(url.host);
  const std::string &proxy = url.scheme == "https" ? transport_.httpsProxy : transport_.httpProxy;
  curl_easy_setopt(easy_.get(), CURLOPT_PROXY, near ? "" : proxy.c_str());
  curl_easy_setopt(easy_.get(), CURLOPT_NOPROXY, near ? "*" : transport_.noProxy.c_str());
}

std::size_t Transfer::onHeader(std::string_view line) {
  const std::size_t size = line.size();
  if (line.starts_with("HTTP/")) { // only the final answer counts, after any "100 Continue"
    headers_.clear();
    return size;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || headers_.size() >= kMostHeaders)
    return size;
  headers_[lowered(trim(line.substr(0, colon)))] = std::string(trim(line.substr(colon + 1)));
  return size;
}

void Transfer::begin() {
  if (begun_)
    return;
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  status_ = static_cast<int>(status);
  begun_ = true;
  sink_.head(status_, headers_);
}

std::size_t Transfer::onBody(std::string_view bytes) {
  begin();
  received_ += bytes.size();
  if (received_ > transport_.maxBodyBytes) {
    tooLarge_ = true;
    return 0;
  }
  switch (sink_.body(bytes)) {
  case BodyStep::Nothing:
    break;
  case BodyStep::Progress:
    progressed_ = true;
    lastProgress_ = steadySeconds();
    break;
  case BodyStep::Done:
    done_ = true;
    return 0; // any other number makes libcurl end the transfer
  }
  return bytes.size();
}

std::optional<HttpOutcome> Transfer::overdue() const {
  const double now = steadySeconds(), silent = now - lastProgress_;
  if (transport_.totalSeconds > 0 && now - begin_ > transport_.totalSeconds)
    return ended(HttpEnd::TooSlow,
                 "the reply was not complete after " + std::to_string(std::lround(transport_.totalSeconds)) + " s");
  const auto words = [](double limit, const char *what) {
    return "the server sent nothing of " + std::string(what) + " for " + std::to_string(std::lround(limit)) + " s";
  };
  if (!progressed_ && transport_.firstSeconds > 0 && silent > transport_.firstSeconds)
    return ended(HttpEnd::NoFirst, words(transport_.firstSeconds, "its reply"));
  if (progressed_ && transport_.betweenSeconds > 0 && silent > transport_.betweenSeconds)
    return ended(HttpEnd::NoNext, words(transport_.betweenSeconds, "the rest of its reply"));
  return std::nullopt;
}

HttpOutcome Transfer::finished(CURLcode code) {
  if (done_)
    return ended(HttpEnd::Complete, {});
  if (tooLarge_)
    return ended(HttpEnd::TooLarge,
                 "the answer is larger than " + std::to_string(transport_.maxBodyBytes >> 20) + " MiB");
  const std::string reason = why_[0] ? firstLine(why_) : curl_easy_strerror(code);
  switch (code) {
  case CURLE_OK:
    begin();
    return ended(HttpEnd::Complete, {});
  case CURLE_URL_MALFORMAT:
  case CURLE_UNSUPPORTED_PROTOCOL:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
    return ended(HttpEnd::Unacceptable, reason);
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY:
  case CURLE_COULDNT_CONNECT:
  case CURLE_SSL_CONNECT_ERROR:
    return ended(HttpEnd::NotSent, reason);
  default:
    break;
  }
  curl_off_t connected = 0; // the connection limit passed, or the connection broke before it was one
  curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME_T, &connected);
  return ended(connected > 0 ? HttpEnd::Broken : HttpEnd::NotSent, reason);
}

HttpOutcome Transfer::loop(const std::atomic<bool> *cancelled) {
  while (true) {
    int running = 0;
    if (curl_multi_perform(multi_.get(), &running) != CURLM_OK)
      return ended(HttpEnd::Broken, "libcurl gave up");
    int left = 0;
    if (const CURLMsg *message = curl_multi_info_read(multi_.get(), &left); message && message->msg == CURLMSG_DONE)
      return finished(message->data.result);
    if (cancelled && cancelled->load())
      return ended(HttpEnd::Cancelled, "cancelled");
    if (const auto late = overdue())
      return *late;
    curl_multi_poll(multi_.get(), nullptr, 0, kPollMilliseconds, nullptr);
  }
}

HttpOutcome Transfer::run(const std::atomic<bool> *cancelled) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const UrlParts url = urlParts(request_.url);
  if (url.host.empty())
    return ended(HttpEnd::Unacceptable, "the address is no http or https URL");
  if (cancelled && cancelled->load())
    return ended(HttpEnd::Cancelled, "cancelled");
  if (!prepare())
    return ended(HttpEnd::NotSent, "libcurl could not be set up");
  begin_ = lastProgress_ = steadySeconds();
  const HttpOutcome outcome = loop(cancelled);
  curl_multi_remove_handle(multi_.get(), easy_.get());
  return outcome;
}

} // namespace

HttpOutcome exchange(const HttpRequest &request, const HttpTransport &transport, const std::atomic<bool> *cancelled,
                     HttpSink &sink) {
  return Transfer(request, transport, sink).run(cancelled);
}

} // namespace agentic
