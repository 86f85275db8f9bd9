#include "tool/llm/http_model.h"

#include "tool/base/clock.h"
#include "tool/base/error.h"
#include "tool/base/text.h"
#include "tool/llm/answer.h"
#include "tool/llm/discovery.h"
#include "tool/llm/redacting_model.h"

#include <ctime>

namespace agentic {
namespace {

/// A near model may read a long prompt on a slow machine; silence of a far one means that something is wrong.
constexpr double kFirstNear = 3600, kBetweenNear = 900;
constexpr double kFirstFar = 900, kBetweenFar = 300;

class HttpModel : public ChatModel {
public:
  HttpModel(std::string name, Endpoint endpoint, const ChatSettings &settings)
      : name_(std::move(name)), endpoint_(std::move(endpoint)), settings_(settings),
        transport_(transportOf(settings.environment)) {
    const UrlParts url = urlParts(endpoint_.baseUrl);
    host_ = url.host + (url.port.empty() ? "" : ":" + url.port);
    // A billing provider may be behind a proxy of the user's on this machine; a server that wants a key may bill.
    isLocal_ = isLoopbackHost(url.host) && !endpoint_.needsKey;
    const bool isNear = isNearHost(url.host);
    const auto orDefault = [](double given, double otherwise) { return given > 0 ? given : otherwise; };
    transport_.firstSeconds = orDefault(settings.firstTokenSeconds, isNear ? kFirstNear : kFirstFar);
    transport_.totalSeconds = settings.totalSeconds;
    transport_.betweenSeconds = orDefault(settings.betweenTokensSeconds, isNear ? kBetweenNear : kBetweenFar);
  }

  const std::string &name() const override { return name_; }

  ChatResult<ModelFacts> discover(const std::atomic<bool> *cancelled) override {
    if (facts_)
      return *facts_;
    const Discovery discovery{endpoint_, transport_, settings_.contextTokens};
    ChatResult<ModelFacts> facts = discoverFacts(discovery, cancelled);
    if (!facts)
      return facts;
    facts->host = host_;
    facts->isLocal = isLocal_;
    facts_ = *facts;
    return *facts_;
  }

  std::string requestBody(const ChatRequest &request) const override {
    return dumpWireJson(dialectFor(request).body(request, options()));
  }

  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    const double begin = steadySeconds();
    double firstText = 0;
    const auto seeText = [&](std::string_view text) {
      if (firstText == 0)
        firstText = steadySeconds();
      if (onText)
        onText(text);
    };
    const Dialect &dialect = dialectFor(request);
    const HttpRequest call{.url = endpoint_.baseUrl + std::string(dialect.path()),
                           .headers = dialect.headers(endpoint_.key, options()),
                           .body = requestBody(request)};
    AnswerReader answer(dialect, settings_.stream, errorContext(endpoint_), seeText);
    const HttpOutcome outcome = exchange(call, transport_, cancelled, answer);
    ChatResult<ChatReply> reply = answer.finish(outcome);
    if (!reply)
      return reply;
    reply->seconds = steadySeconds() - begin;
    reply->firstTokenSeconds = firstText > 0 ? firstText - begin : reply->seconds;
    return reply;
  }

private:
  const Dialect &dialectFor(const ChatRequest &request) const {
    return request.tools.empty() ? *endpoint_.dialect : *endpoint_.dialectOfTools;
  }

  WireOptions options() const {
    return {.model = endpoint_.model,
            .stream = settings_.stream,
            .contextTokens = facts_ ? facts_->contextTokens : settings_.contextTokens,
            .quirks = endpoint_.quirks};
  }

  std::string name_, host_;
  Endpoint endpoint_;
  ChatSettings settings_;
  HttpTransport transport_;
  bool isLocal_ = false;
  std::optional<ModelFacts> facts_;
};

} // namespace

HttpTransport transportOf(const EnvironmentLookup &environment) {
  const auto first = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (const auto value = environment ? environment(name) : std::nullopt; value && !value->empty())
        return *value;
    return std::string();
  };
  HttpTransport transport;
  // HTTP_PROXY in capitals is not read: the caller of a CGI program can set it.
  transport.httpProxy = first({"http_proxy", "all_proxy", "ALL_PROXY"});
  transport.httpsProxy = first({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  transport.noProxy = first({"no_proxy", "NO_PROXY"});
  transport.caFile = first({"SSL_CERT_FILE", "CURL_CA_BUNDLE"});
  return transport;
}

ChatResult<void> checkKey(const Endpoint &endpoint, bool allowPlainHttp) {
  const auto refused = [](std::string message, std::string next) {
    return std::unexpected(ChatError{
        .kind = ChatErrorKind::Key, .message = std::move(message), .next = std::move(next), .maybeBilled = false});
  };
  const UrlParts url = urlParts(endpoint.baseUrl);
  if (endpoint.needsKey && endpoint.key.empty() && !isNearHost(url.host))
    return refused(endpoint.provider + " needs a key, and " + endpoint.keyName + " is not set",
                   "set " + endpoint.keyName + " in the environment");
  if (endpoint.key.find_first_of("\r\n") != std::string::npos)
    return refused("the value of " + endpoint.keyName + " has several lines", "set it to the key alone");
  if (!endpoint.key.empty() && url.scheme == "http" && !isNearHost(url.host) && !allowPlainHttp)
    return refused("the key would travel unencrypted to " + url.host,
                   "use https, or unset " + endpoint.keyName + " if the server needs no key");
  return {};
}

ChatResult<std::unique_ptr<ChatModel>> makeChatModel(const std::string &name, const ChatSettings &settings) {
  ChatResult<Endpoint> endpoint = resolveEndpoint(name, settings.environment);
  if (!endpoint)
    return std::unexpected(endpoint.error());
  TRY(checkKey(*endpoint, settings.allowPlainHttp));
  ChatSettings own = settings;
  if (!own.redactor)
    own.redactor = std::make_shared<Redactor>();
  own.redactor->add(endpoint->key);
  return redactingModel(std::make_unique<HttpModel>(name, std::move(*endpoint), own), own.redactor);
}

} // namespace agentic
