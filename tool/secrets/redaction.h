// Removes private data from a file: known keys and texts that look like keys, home folder, user and host.
#pragma once

#include "tool/secrets/redactor.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {

/// The source of keys, home folder, user and host.
struct Identity {
  std::vector<std::string> environment; ///< "NAME=value"
  std::string host;
  std::string user, home; ///< from the system's accounts, independent of the environment
};

class Redaction {
public:
  explicit Redaction(const Identity &identity);
  /// Redacts JSON, JSON lines or any other text. In JSON only string values change, so that it stays valid.
  std::string of(std::string_view text) const;

private:
  void addSecret(const std::string &value);
  void addWord(std::string_view word, const std::string &by);
  void addHome(std::string home);
  std::string ofJson(std::string_view json) const;
  std::string ofText(std::string_view text) const;

  Redactor secrets_;
  std::vector<std::pair<std::string, std::string>> homes_, words_; ///< what → by what, longest first
};

} // namespace agentic
