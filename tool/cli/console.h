// Everything the tool prints: results to stdout, progress, warnings and errors to stderr. Colour and the redrawn
// progress line only on a terminal, and not with NO_COLOR.
#pragma once

#include "tool/base/error.h"
#include "tool/model/finding.h"

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace agentic {

class Console {
public:
  Console();

  void out(const std::string &line);     ///< a line of the result
  void note(const std::string &line);    ///< a line of progress, on stderr
  void warn(const std::string &message); ///< once per message
  void error(const Error &error);
  void finding(const Finding &finding);    ///< clang style: file:line:column: error: message [check]
  void remark(const Finding &note);        ///< the same for what rejects nothing: file:line:column: note: …
  void json(const nlohmann::json &object); ///< one line on stdout; must be the last

  /// Redraws one line on a terminal; elsewhere does nothing.
  void progress(const std::string &line);
  void endProgress();

  /// Prints `error` and, with `asJson`, the object with an "error" member added; returns the exit status.
  int fail(const Error &error, bool asJson, nlohmann::json object);

  std::string bold(const std::string &text) const;

private:
  void place(const Finding &finding, const std::string &kind);
  std::string paint(const char *code, const std::string &text, bool enabled) const;
  bool outColor_, errColor_, errTerminal_;
  bool progressShown_ = false;
  std::set<std::string> warned_;
};

} // namespace agentic
