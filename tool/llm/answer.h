// Turns the bytes of an answer into a reply or an error: chooses the framing, feeds the dialect's reader, and makes
// every answer, whatever its content, end as one of the two. No network and no clock: the fuzz test feeds it.
#pragma once

#include "tool/llm/dialect.h"

namespace agentic {

class AnswerReader : public HttpSink {
public:
  /// `stream`: whether a stream was requested; servers may answer otherwise.
  AnswerReader(const Dialect &dialect, bool stream, ErrorContext context, ReplyReader::TextHandler onText);

  void head(int status, const HttpHeaders &headers) override;
  BodyStep body(std::string_view bytes) override;

  /// Ends the exchange. Call once.
  ChatResult<ChatReply> finish(const HttpOutcome &outcome);

private:
  enum class Form { Unknown, Whole, Stream };
  void choose(std::string_view bytes);
  ChatResult<ChatReply> finishWhole();

  const Dialect &dialect_;
  bool stream_;
  ErrorContext context_;
  std::unique_ptr<ReplyReader> reader_;
  std::unique_ptr<Framing> framing_;
  Form form_ = Form::Unknown;
  int status_ = 0;
  HttpHeaders headers_;
  std::string whole_;
  BodyStep step_ = BodyStep::Nothing; ///< step of the piece that is being read
};

/// Returns the headers of an answer that may be kept: request ids, rate limits, processing times.
std::map<std::string, std::string> keptHeaders(const HttpHeaders &headers);

} // namespace agentic
