// What the command table says of itself, as plain values, and the help that is made of it. The manual page (manual.h)
// and the completions of shells (completion.h) are made of the same values.
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

/// One command; of all that people call, in the order of the table.
CommandDoc describeCommand(const CLI::App &command);
std::vector<CommandDoc> describeCommands(const CLI::App &root);

/// In how many of the commands the option is, with the same meaning.
int commandsWith(const std::vector<CommandDoc> &commands, const OptionDoc &option);

/// At most 25 lines of at most 100 columns. What does not fit is named without its description.
std::string commandHelp(const CommandDoc &command, const std::vector<CommandDoc> &all);
std::string rootHelp(const std::vector<CommandDoc> &all);
/// Everything, however long.
std::string commandHelpAll(const CommandDoc &command);

/// Broken between words into lines of at most `columns`.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

} // namespace agentic
