// Keys, kept out of everything that is written: error messages, journals, recordings, logs.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Knows every secret that was loaded. Thread-safe.
class Redactor {
public:
  /// Secrets shorter than eight characters are not looked for: they would be found everywhere.
  void add(std::string_view secret);

  /// The text with each loaded secret, value of a header that carries keys, password in a URL, key in its query and
  /// token with a known prefix ("sk-…") replaced by "[redacted]".
  std::string redact(std::string_view text) const;

  /// Only the loaded ones: for texts that must stay as they are otherwise, such as source code.
  std::string redactLoaded(std::string_view text) const;

  /// A loaded secret, a header that carries a key, or a token with a known prefix: who writes refuses then. URLs do not
  /// count, since source code may cite some that only look suspicious.
  bool containsSecret(std::string_view text) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::string> forms_; ///< of all secrets: as they are, in JSON, in a URL, in base64
};

} // namespace agentic
