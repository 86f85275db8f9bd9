#include "tool/llm/answer.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

constexpr std::size_t kMostErrorBytes = std::size_t{256} << 10;
constexpr std::size_t kMostHeaderBytes = 300;

std::string contentType(const HttpHeaders &headers) {
  const auto found = headers.find("content-type");
  if (found == headers.end())
    return {};
  return lowered(trim(std::string_view(found->second).substr(0, found->second.find(';'))));
}

} // namespace

AnswerReader::AnswerReader(const Dialect &dialect, bool stream, ErrorContext context, ReplyReader::TextHandler onText)
    : dialect_(dialect), stream_(stream), context_(std::move(context)),
      reader_(dialect.reader(context_, std::move(onText))) {
  const Framing::Handler handler = [this](const StreamEvent &event) {
    if (step_ == BodyStep::Done)
      return;
    const BodyStep step = reader_->event(event);
    if (step != BodyStep::Nothing)
      step_ = step;
  };
  if (dialect.streamsLines())
    framing_ = std::make_unique<LineFraming>(handler);
  else
    framing_ = std::make_unique<SseFraming>(handler);
}

void AnswerReader::head(int status, const HttpHeaders &headers) {
  status_ = status;
  headers_ = headers;
  const std::string type = contentType(headers);
  if (status < 200 || status >= 300 || !stream_)
    form_ = Form::Whole;
  else if (type == "text/event-stream" || type == "application/x-ndjson")
    form_ = Form::Stream;
  else if (type == "text/html" || (type == "application/json" && !dialect_.streamsLines()))
    form_ = Form::Whole;
}

/// Chooses the form by the first character if the headers do not decide.
void AnswerReader::choose(std::string_view bytes) {
  const std::string_view text = trim(bytes);
  if (text.empty())
    return;
  if (dialect_.streamsLines())
    form_ = text.front() == '{' ? Form::Stream : Form::Whole;
  else
    form_ = text.front() == '{' || text.front() == '[' || text.front() == '<' ? Form::Whole : Form::Stream;
}

BodyStep AnswerReader::body(std::string_view bytes) {
  if (step_ == BodyStep::Done)
    return step_;
  if (form_ == Form::Unknown)
    choose(bytes);
  if (form_ == Form::Unknown) // only white space so far
    return BodyStep::Nothing;
  step_ = BodyStep::Nothing;
  if (form_ == Form::Whole) {
    whole_ += bytes;
    step_ = status_ >= 300 && whole_.size() > kMostErrorBytes ? BodyStep::Done : BodyStep::Progress;
    return step_;
  }
  if (!framing_->feed(bytes)) {
    reader_->fail(garbageError("an event of the reply is larger than 16 MiB", {}, context_));
    step_ = BodyStep::Done;
  }
  return step_;
}

ChatResult<ChatReply> AnswerReader::finishWhole() {
  if (status_ < 200 || status_ >= 300)
    return std::unexpected(errorOfAnswer(status_, headers_, whole_, context_));
  const auto json = parseWireJson(whole_);
  if (!json)
    return std::unexpected(garbageError("the answer is no JSON", whole_, context_));
  reader_->whole(*json);
  return reader_->finish(dialect_.name());
}

ChatResult<ChatReply> AnswerReader::finish(const HttpOutcome &outcome) {
  // The server's answer counts more than the end of the connection: a reset may follow a refusal.
  const bool isRefused = status_ >= 300;
  if (outcome.end != HttpEnd::Complete && !isRefused && !reader_->failed())
    return std::unexpected(errorOfOutcome(outcome, context_));
  ChatResult<ChatReply> reply = std::unexpected(garbageError("the answer is empty", {}, context_));
  if (isRefused || form_ == Form::Whole) {
    reply = finishWhole();
  } else if (form_ == Form::Stream) {
    framing_->end();
    reply = reader_->finish(dialect_.name());
  }
  if (reply)
    reply->headers = keptHeaders(headers_);
  return reply;
}

std::map<std::string, std::string> keptHeaders(const HttpHeaders &headers) {
  constexpr std::array<std::string_view, 5> kNames = {"request-id", "x-request-id", "retry-after", "x-generation-id",
                                                      "openai-processing-ms"};
  constexpr std::array<std::string_view, 2> kPrefixes = {"x-ratelimit-", "anthropic-ratelimit-"};
  std::map<std::string, std::string> kept;
  for (const auto &[name, value] : headers)
    if (std::ranges::find(kNames, name) != kNames.end() ||
        std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); }))
      kept[name] = value.substr(0, kMostHeaderBytes);
  return kept;
}

} // namespace agentic
