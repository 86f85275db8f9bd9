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

  /// A loaded secret, a header that carries a key, or a token with a known prefix: such a text is not written. URLs do
  /// not count, since source code may cite some that only look suspicious.
  bool containsSecret(std::string_view text) const;

  /// What may be written of a text that others made: without loaded secrets, and if containsSecret() still finds
  /// something, as redact() leaves it. A record refuses the secret and not the line around it: what was paid for and
  /// what the run did is kept.
  std::string forRecords(std::string_view text) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::string> forms_; ///< of all secrets: as they are, in JSON, in a URL, in base64
};

} // namespace agentic
