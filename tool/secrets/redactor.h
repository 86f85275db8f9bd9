// Keeps keys out of everything that is written: error messages, journals, recordings, logs.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Knows every secret that was loaded. Thread-safe.
class Redactor {
public:
  /// Loads a secret. One shorter than eight characters is ignored: it would be found everywhere.
  void add(std::string_view secret);

  /// Returns the text with "[redacted]" in place of each loaded secret, value of a header that carries keys, password
  /// in a URL, key in a URL's query and token with a known prefix ("sk-…").
  std::string redact(std::string_view text) const;

  /// Redacts only the loaded secrets, for texts that must otherwise stay as they are, such as source code.
  std::string redactLoaded(std::string_view text) const;

  /// Returns whether the text has a loaded secret, a header that carries a key, or a token with a known prefix: such a
  /// text is not written. URLs do not count, since source code may cite URLs that only look suspicious.
  bool containsSecret(std::string_view text) const;

  /// Returns a foreign text as it may be written: without loaded secrets, and redact()ed if containsSecret() still
  /// finds one. A record drops the secret and keeps the line around it, so that costs and actions of the run stay
  /// recorded.
  std::string forRecords(std::string_view text) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::string> forms_; ///< the forms of all secrets: plain, in JSON, in a URL, in base64
};

} // namespace agentic
