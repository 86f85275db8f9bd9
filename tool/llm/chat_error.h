// Classifies a server's refusals: the table of statuses, codes and texts that providers use, turned into a
// ChatErrorKind. Pure; messages are not yet redacted (redacting_model.h does that for everything).
#pragma once

#include "tool/base/wire_json.h"
#include "tool/llm/chat.h"
#include "tool/llm/http.h"

namespace agentic {

/// The server that was asked, for messages and advice.
struct ErrorContext {
  std::string provider;      ///< "openrouter"
  std::string model;         ///< as sent
  std::string keyName;       ///< environment variable; empty = the provider needs none
  std::string baseUrl;       ///< without user and query
  std::int64_t unixTime = 0; ///< for Retry-After dates
};

/// Classifies an answer whose status is not 2xx. `body` may be anything.
ChatError errorOfAnswer(int status, const HttpHeaders &headers, std::string_view body, const ErrorContext &context);

/// Returns whether a JSON answer is an error whatever its status says: a non-null `error`, `{"object":"error"}`,
/// `{"type":"error"}`, also as the first element of an array.
bool isErrorBody(const Json &body);

/// Classifies a body for which isErrorBody() holds. `status` is the answer's, 200 for errors inside a success.
ChatError errorOfBody(int status, const HttpHeaders &headers, const Json &body, const ErrorContext &context);

/// Classifies an exchange that did not end as HttpEnd::Complete.
ChatError errorOfOutcome(const HttpOutcome &outcome, const ErrorContext &context);

/// Returns the error for an invalid answer. `excerpt` is cut to 4 kB.
ChatError garbageError(const std::string &what, std::string_view excerpt, const ErrorContext &context);

/// Returns the error for a stream that ended before the reply was complete.
ChatError cutStreamError(const ErrorContext &context);

} // namespace agentic
