// The command table as plain values, and the help made from it. The manual page (manual.h) and the completions of
// shells (completion.h) use the same values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace agentic {

enum class ValueKind { None, Text, File, Folder, Choice };

struct OptionDoc {
  std::string name;      ///< "--kernel"; of a positional argument "CANDIDATE"
  std::string shortName; ///< "-k"; may be empty
  std::string value;     ///< "NAME"; empty for a flag
  std::string description;
  std::string group; ///< empty = the command's own
  std::vector<std::string> choices;
  ValueKind kind = ValueKind::None;
  bool isPositional = false, isRequired = false, isRepeated = false;

  std::string synopsis() const; ///< "-k, --kernel NAME"
};

struct CommandDoc {
  std::string name, summary, usage, example;
  std::vector<OptionDoc> options;
};

/// Describes one command; or all commands for people, in the order of the table.
CommandDoc describeCommand(const CLI::App &command);
std::vector<CommandDoc> describeCommands(const CLI::App &root);

/// Returns the number of commands that have the option with the same meaning.
int commandsWith(const std::vector<CommandDoc> &commands, const OptionDoc &option);

/// Returns at most 25 lines of at most 100 columns. Options that do not fit are named without their descriptions.
std::string commandHelp(const CommandDoc &command, const std::vector<CommandDoc> &all);
std::string rootHelp(const std::vector<CommandDoc> &all);
/// Returns the whole help, however long.
std::string commandHelpAll(const CommandDoc &command);

/// Breaks a text between words into lines of at most `columns`.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

} // namespace agentic
