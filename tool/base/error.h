// Errors are values: every fallible function returns Result<T>. Nothing below `cli` prints, exits or throws across a
// module boundary. One message names the thing and the reason; `next` says what the user can do about it.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace agentic {

/// Exit status the process ends with if this error reaches `cli` (design §10).
enum class ErrorKind {
  User = 1,          ///< the user's project, input or machine: they can act on it
  Bug = 2,           ///< ours
  Rejected = 3,      ///< findings or failing tests
  NoImprovement = 4, ///< the run ended without a faster candidate
  Interrupted = 130  ///< Ctrl-C or SIGTERM
};

struct Error {
  ErrorKind kind = ErrorKind::User;
  std::string message;    ///< the thing and the reason; lower case, no full stop
  std::string next;       ///< the next step; may be empty only for Bug and Interrupted
  bool isTimeout = false; ///< the process did not end in time: a retry under other circumstances does not help
};

template <class T> using Result = std::expected<T, Error>;

/// `return userError("no kernel named 'x'", "run 'agentic-kernel status' to list them");`
inline std::unexpected<Error> userError(std::string message, std::string next) {
  return std::unexpected(Error{ErrorKind::User, std::move(message), std::move(next)});
}
inline std::unexpected<Error> timeoutError(std::string message, std::string next) {
  return std::unexpected(Error{ErrorKind::User, std::move(message), std::move(next), true});
}
inline std::unexpected<Error> bugError(std::string message) {
  return std::unexpected(Error{ErrorKind::Bug, std::move(message), {}});
}
inline std::unexpected<Error> interruptedError() {
  return std::unexpected(Error{ErrorKind::Interrupted, "interrupted", {}});
}

/// Yields the value of a Result, or ends the function with its error: `const std::string text = TRY(readFile(path));`.
/// Use it only as the whole of an initializer, an assignment or a statement: g++ would not destroy temporaries that the
/// same statement made before.
#define TRY(...)                                                                                                       \
  ({                                                                                                                   \
    auto &&tried_ = (__VA_ARGS__);                                                                                     \
    if (!tried_)                                                                                                       \
      return std::unexpected(std::forward<decltype(tried_)>(tried_).error());                                          \
    *std::forward<decltype(tried_)>(tried_);                                                                           \
  })

} // namespace agentic
