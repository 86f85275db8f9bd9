#include "tool/llm/discovery.h"

#include "tool/llm/model_lists.h"
#include "tool/llm/prices.h"

#include <ctime>

namespace agentic {
namespace {

constexpr std::int64_t kAssumedContext = 8192;
constexpr double kSecondsToAnswer = 30;
constexpr std::size_t kMostListBytes = std::size_t{32} << 20;

/// Collects the whole answer as it came.
class Collected : public HttpSink {
public:
  void head(int status, const HttpHeaders &headers) override {
    status_ = status;
    headers_ = headers;
  }
  BodyStep body(std::string_view bytes) override {
    text_ += bytes;
    return BodyStep::Progress;
  }
  int status_ = 0;
  HttpHeaders headers_;
  std::string text_;
};

class Asker {
public:
  Asker(const Discovery &discovery, const std::atomic<bool> *cancelled)
      : discovery_(discovery), endpoint_(discovery.endpoint), cancelled_(cancelled), facts_{.model = endpoint_.model} {}

  ChatResult<ModelFacts> run() {
    TRY(ask());
    if (discovery_.contextTokens > 0) {
      facts_.contextTokens = discovery_.contextTokens;
      facts_.contextSource = "user";
    }
    if (const PriceRow *row = PriceTable::builtin().find(endpoint_.provider, endpoint_.model)) {
      if (facts_.contextTokens == 0 && row->contextTokens > 0) {
        facts_.contextTokens = row->contextTokens;
        facts_.contextSource = "built-in table of " + row->price.date;
      }
      if (facts_.maxOutputTokens == 0)
        facts_.maxOutputTokens = row->maxOutputTokens;
    }
    if (facts_.contextTokens == 0) {
      facts_.contextTokens = kAssumedContext;
      facts_.contextSource = "assumed";
    }
    return facts_;
  }

private:
  using Asked = ChatResult<void>;

  Asked ask() {
    switch (endpoint_.facts) {
    case FactsFrom::OpenAiModels:
    case FactsFrom::OpenRouterModels:
    case FactsFrom::Vllm:
      return askModels();
    case FactsFrom::AnthropicModels:
      return askAnthropic();
    case FactsFrom::Ollama:
      return askOllama();
    case FactsFrom::LlamaServer:
      return askLlamaServer();
    case FactsFrom::LmStudio:
      return askLmStudio();
    case FactsFrom::AnyServer:
      return askAny();
    }
    return {};
  }

  ChatResult<Json> fetch(const std::string &url, const Json &body = nullptr) {
    HttpRequest request{.method = body.is_null() ? "GET" : "POST",
                        .url = url,
                        .headers =
                            endpoint_.dialect->headers(endpoint_.key, {.stream = false, .quirks = endpoint_.quirks}),
                        .body = body.is_null() ? std::string() : dumpWireJson(body)};
    HttpTransport transport = discovery_.transport;
    transport.firstSeconds = transport.betweenSeconds = kSecondsToAnswer;
    transport.maxBodyBytes = kMostListBytes;
    const ErrorContext context = errorContext(endpoint_);
    Collected answer;
    const HttpOutcome outcome = exchange(request, transport, cancelled_, answer);
    if (outcome.end != HttpEnd::Complete)
      return std::unexpected(unbilled(errorOfOutcome(outcome, context)));
    if (answer.status_ < 200 || answer.status_ >= 300)
      return std::unexpected(unbilled(errorOfAnswer(answer.status_, answer.headers_, answer.text_, context)));
    auto json = parseWireJson(answer.text_);
    if (!json)
      return std::unexpected(unbilled(garbageError("its list of models is no JSON", answer.text_, context)));
    return *json;
  }

  static ChatError unbilled(ChatError error) {
    error.maybeBilled = false;
    return error;
  }

  /// Returns whether the server does not know the question; all other errors are about the server or the key.
  static bool isNotOffered(const ChatError &error) {
    return error.kind == ChatErrorKind::Model || error.kind == ChatErrorKind::Request ||
           error.kind == ChatErrorKind::Garbage;
  }

  Asked unknownModel(const std::vector<std::string> &names) const {
    const std::string near = nearNames(endpoint_.model, names);
    return std::unexpected(ChatError{.kind = ChatErrorKind::Model,
                                     .message = endpoint_.provider + " has no model '" + endpoint_.model + "'",
                                     .next = near.empty() ? "check the model's name" : "models near it: " + near,
                                     .maybeBilled = false});
  }

  /// Ollama's compatible endpoint knows no context size, and drops the oldest messages silently.
  Asked otherDialectOfOllama() const {
    return std::unexpected(ChatError{
        .kind = ChatErrorKind::Request,
        .message = endpoint_.provider + " is Ollama, whose compatible endpoint shortens long conversations silently",
        .next = "write it as ollama+" + root() + "#" + endpoint_.model,
        .maybeBilled = false});
  }

  std::string root() const { // for requests that are beside /v1
    const std::string &base = endpoint_.baseUrl;
    return base.ends_with("/v1") ? base.substr(0, base.size() - 3) : base;
  }

  Asked askModels() {
    const auto list = fetch(endpoint_.baseUrl + "/models");
    if (!list)
      return isNotOffered(list.error()) ? Asked() : std::unexpected(list.error());
    const std::vector<std::string> names = listedNames(*list);
    if (names.empty())
      return {};
    const Json &entry = listedModel(*list, endpoint_.model);
    if (entry.is_null())
      return mayBeAlias(endpoint_.model, names) ? Asked() : unknownModel(names);
    readListed(entry, "/models", facts_);
    facts_.model = endpoint_.model;
    return {};
  }

  Asked askAnthropic() {
    const auto entry = fetch(endpoint_.baseUrl + "/models/" + endpoint_.model);
    if (entry) {
      readListed(*entry, "/models", facts_);
      facts_.model = endpoint_.model;
      return {};
    }
    if (entry.error().kind != ChatErrorKind::Model)
      return isNotOffered(entry.error()) ? Asked() : std::unexpected(entry.error());
    // A proxy may offer neither of the two: then nothing is known about the model.
    const auto list = fetch(endpoint_.baseUrl + "/models");
    return list ? unknownModel(listedNames(*list)) : Asked();
  }

  Asked askOllama() {
    const auto show = fetch(endpoint_.baseUrl + "/api/show", Json{{"model", endpoint_.model}});
    if (!show) {
      if (show.error().kind != ChatErrorKind::Model)
        return std::unexpected(show.error());
      const auto tags = fetch(endpoint_.baseUrl + "/api/tags");
      Asked unknown = unknownModel(tags ? listedNames(*tags) : std::vector<std::string>());
      unknown.error().next += "; 'ollama pull " + endpoint_.model + "' gets it";
      return unknown;
    }
    readOllamaShow(*show, facts_);
    if (const auto loaded = fetch(endpoint_.baseUrl + "/api/ps"))
      readOllamaLoaded(*loaded, facts_);
    return {};
  }

  Asked askLlamaServer() {
    const auto props = fetch(root() + "/props");
    if (!props)
      return isNotOffered(props.error()) ? askModels() : std::unexpected(props.error());
    readLlamaProps(*props, facts_);
    return {};
  }

  Asked askLmStudio() {
    const auto list = fetch(root() + "/api/v0/models");
    if (!list)
      return isNotOffered(list.error()) ? askModels() : std::unexpected(list.error());
    if (listedModel(*list, endpoint_.model).is_null() && !listedNames(*list).empty())
      return unknownModel(listedNames(*list));
    readLmStudio(*list, facts_);
    return {};
  }

  Asked askAny() {
    if (const auto props = fetch(root() + "/props"); props && at(*props, "default_generation_settings").is_object()) {
      readLlamaProps(*props, facts_);
      return {};
    } else if (!props && !isNotOffered(props.error()) && props.error().kind != ChatErrorKind::Key) {
      return std::unexpected(props.error());
    }
    if (const auto version = fetch(root() + "/api/version"); version && at(*version, "version").is_string())
      return otherDialectOfOllama();
    return askModels();
  }

  const Discovery &discovery_;
  const Endpoint &endpoint_;
  const std::atomic<bool> *cancelled_;
  ModelFacts facts_;
};

} // namespace

ChatResult<ModelFacts> discoverFacts(const Discovery &discovery, const std::atomic<bool> *cancelled) {
  return Asker(discovery, cancelled).run();
}

ErrorContext errorContext(const Endpoint &endpoint) {
  return {.provider = endpoint.provider,
          .model = endpoint.model,
          .keyName = endpoint.keyName,
          .baseUrl = endpoint.baseUrl,
          .unixTime = static_cast<std::int64_t>(std::time(nullptr))};
}

} // namespace agentic
