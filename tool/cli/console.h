// Everything that the tool prints: results to stdout, progress, warnings and errors to stderr. Colour only on a
// terminal and not with NO_COLOR; the live area only on a terminal that can move its cursor. Foreign names and texts
// cannot move it: output to stderr and a terminal is escaped (base/terminal_text.h).
#pragma once

#include "tool/base/error.h"
#include "tool/cli/live_area.h"
#include "tool/model/finding.h"
#include "tool/run/messages.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

namespace agentic {

class Console : public Messages {
public:
  Console();

  void out(const std::string &line);              ///< a line of the result
  void note(const std::string &line) override;    ///< a line of progress, on stderr
  void warn(const std::string &message) override; ///< once per message
  /// Asks on stderr, also when quiet. nullopt: stdin or stderr is no terminal.
  std::optional<bool> agrees(const std::string &question) override;
  void error(const Error &error);
  void finding(const Finding &finding);    ///< clang style: file:line:column: error: message [check]
  void remark(const Finding &note);        ///< for notes, which reject nothing: file:line:column: note: …
  void json(const nlohmann::json &object); ///< one line on stdout; must be the last

  /// Redraws one line on a terminal, or shows it in the live area; elsewhere does nothing.
  void progress(const std::string &line) override;
  void endProgress() override;

  void beQuiet() { quiet_ = true; } ///< no notes, no progress; warnings, errors and results stay

  /// Draws `source` until endLive(), which must come before it dies. Does nothing if no terminal can show it.
  void beginLive(LiveSource &source);
  void endLive() { area_.end(); }
  void liveChanged() { area_.touch(); }
  bool isLive() const { return area_.isShown(); }

  /// Prints `error` and, with `asJson`, the object with an "error" member added; returns the exit status.
  int fail(const Error &error, bool asJson, nlohmann::json object);

  std::string bold(const std::string &text) const;

private:
  void toErr(const std::string &text); ///< whole lines
  void say(const std::string &line);   ///< on stderr, also when quiet
  void place(const Finding &finding, const std::string &kind);
  std::string paint(const char *code, const std::string &text, bool enabled) const;
  bool outColor_, errColor_, errTerminal_; ///< errTerminal_: one that can move its cursor
  bool progressShown_ = false, quiet_ = false;
  LiveArea area_;
  std::set<std::string> warned_;
};

} // namespace agentic
