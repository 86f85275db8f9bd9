#include "tool/cli/manual.h"

#include "tool/base/text.h"

#include <set>

namespace agentic {
namespace {

constexpr const char *kDescription =
    ".SH DESCRIPTION\n"
    "Searches for faster variants of hot C++ functions, proves that they do the same, measures them against the\n"
    "original and writes the best one back into the source tree, per architecture. The result goes to standard\n"
    "output, progress and errors to standard error; with\n.B \\-\\-json\nthe last line of the output is one line of "
    "JSON,\nat every exit status.\n";

constexpr const char *kEnd =
    ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nan error of the user or the project\n.TP\n2\na bug of the tool\n"
    ".TP\n3\nrejected: findings, failing tests\n.TP\n4\nno improvement\n.TP\n130\ninterrupted\n"
    ".SH SIGNALS\nThe first interrupt ends a run in order: the best so far is kept for\n.BR \\-\\-resume .\n"
    "The second one ends the process at once.\n"
    ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours\n.TP\n.B TERM\nwhere it is \"dumb\", progress is plain lines\n"
    ".TP\n.B XDG_CACHE_HOME\nholds what was measured of this machine (default: ~/.cache)\n"
    ".PP\nThe keys of model providers are listed by\n.BR \"agentic\\-kernel agents\" .\n";

/// Returns a line's text without escapes and without a request at its beginning.
std::string roff(const std::string &text) {
  const std::string safe = replaceAll(replaceAll(text, "\\", "\\e"), "-", "\\-");
  return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

/// Quotes an argument of a macro.
std::string argument(const std::string &text) {
  return "\"" + replaceAll(roff(text), "\"", "\\(dq") + "\"";
}

std::string optionText(const OptionDoc &option) {
  std::string text = ".TP\n.B " + argument(option.synopsis()) + "\n";
  if (!option.description.empty())
    text += roff(option.description) + "\n";
  return text;
}

std::string commandText(const CommandDoc &command, const std::vector<CommandDoc> &all) {
  std::string text =
      ".SS " + argument(command.name) + "\n" + roff(command.summary) + "\n.PP\n.B " + argument(command.usage) + "\n";
  std::vector<std::string> shared;
  for (const OptionDoc &option : command.options)
    if (option.isPositional || commandsWith(all, option) < 2)
      text += optionText(option);
    else
      shared.push_back(option.name);
  if (!shared.empty())
    text += ".PP\nAlso, as described below:\n" + roff(join(shared, ", ")) + "\n";
  return text + ".PP\nExample:\n.B " + argument(command.example) + "\n";
}

} // namespace

std::string manualPage(const std::vector<CommandDoc> &commands, const std::string &version) {
  std::string text = ".\\\" made of the command table of agentic-kernel\n.TH AGENTIC\\-KERNEL 1 \"\" " +
                     argument("agentic-kernel " + version) +
                     "\n.SH NAME\nagentic\\-kernel \\- measured, checked\\-in, per\\-architecture variants of hot C++ "
                     "functions\n.SH SYNOPSIS\n.B agentic\\-kernel\n.I COMMAND\n[\\fIOPTION\\fR]...\n.br\n"
                     ".B agentic\\-kernel\n[\\fICOMMAND\\fR]\n.BR \\-\\-help | \\-\\-help\\-all\n";
  text += std::string(kDescription) + ".SH COMMANDS\n";
  for (const CommandDoc &command : commands)
    text += commandText(command, commands);
  text += ".SH OPTIONS OF SEVERAL COMMANDS\n";
  std::set<std::string> seen;
  for (const CommandDoc &command : commands)
    for (const OptionDoc &option : command.options)
      if (!option.isPositional && commandsWith(commands, option) > 1 &&
          seen.insert(option.name + option.description).second)
        text += optionText(option);
  return text + kEnd;
}

} // namespace agentic
