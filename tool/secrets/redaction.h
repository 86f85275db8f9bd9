// What is private is taken out of a file: keys that are known or look like some, home folder, user and host.
#pragma once

#include "tool/secrets/redactor.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {

/// Where keys, home folder, user and host are told from.
struct Identity {
  std::vector<std::string> environment; ///< "NAME=value"
  std::string host;
  std::string user, home; ///< as the system's accounts have them, whatever the environment says
};

class Redaction {
public:
  explicit Redaction(const Identity &identity);
  /// JSON, JSON lines or any other text. Of JSON only the strings that are values change, so that it stays what it was.
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
