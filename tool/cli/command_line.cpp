#include "tool/cli/command_line.h"

#include "tool/base/text.h"
#include "tool/base/version.h"

#include <algorithm>

namespace agentic {
namespace {

std::string makeHelp(const CLI::App *app, CLI::AppFormatMode mode) {
  const bool wantsAll = mode == CLI::AppFormatMode::All;
  if (const CLI::App *root = app->get_parent())
    return wantsAll ? commandHelpAll(describeCommand(*app))
                    : commandHelp(describeCommand(*app), describeCommands(*root));
  const std::vector<CommandDoc> all = describeCommands(*app);
  std::string help = rootHelp(all);
  if (wantsAll)
    for (const CommandDoc &command : all)
      help += "\n" + commandHelpAll(command);
  return help;
}

} // namespace

CommandLine::CommandLine()
    : app_("Measured, checked-in, per-architecture variants of hot C++ functions.", "agentic-kernel") {
  app_.formatter_fn([](const CLI::App *app, std::string, CLI::AppFormatMode mode) { return makeHelp(app, mode); });
  app_.set_help_all_flag("--help-all", "describe every option");
  app_.set_version_flag("--version", std::string("agentic-kernel ") + kVersion);
  app_.require_subcommand(1);
  for (const CommandRow &row : commandTable()) {
    CLI::App *sub = app_.add_subcommand(std::string(row.name), std::string(row.summary));
    if (row.hidden)
      sub->group("");
    entries_.push_back({sub, row.make()});
    entries_.back().command->declare(*sub);
  }
}

int CommandLine::run(Console &console) {
  for (Entry &entry : entries_)
    if (entry.app->parsed())
      return entry.command->run(console);
  return static_cast<int>(ErrorKind::Bug);
}

Error CommandLine::unknownCommand(const std::string &word) const {
  std::vector<std::string> names;
  for (const CommandRow &row : commandTable())
    if (!row.hidden)
      names.emplace_back(row.name);
  const std::string meant = didYouMean(word, names);
  return {ErrorKind::User, "there is no subcommand '" + word + "'",
          meant.empty() ? "choose one of: " + join(names, ", ") : "did you mean '" + meant + "'?"};
}

Error CommandLine::explain(const CLI::ParseError &error, const std::vector<std::string> &arguments) const {
  const auto first = std::ranges::find_if(arguments, [](const std::string &word) { return !word.starts_with('-'); });
  const auto entry = std::ranges::find_if(
      entries_, [&](const Entry &entry) { return first != arguments.end() && entry.app->get_name() == *first; });
  if (entry == entries_.end())
    return first == arguments.end() ? Error{ErrorKind::User, error.what(), "run 'agentic-kernel --help'"}
                                    : unknownCommand(*first);
  const std::string help = "'agentic-kernel " + *first + " --help'";
  std::vector<std::string> names = {"--help", "--help-all"};
  for (const OptionDoc &option : describeCommand(*entry->app).options)
    if (!option.isPositional)
      names.push_back(option.name);
  for (auto word = first + 1; word != arguments.end() && *word != "--"; ++word) {
    const std::string name = word->substr(0, word->find('='));
    if (!name.starts_with("--") || std::ranges::find(names, name) != names.end())
      continue;
    if (const std::string meant = didYouMean(name, names); !meant.empty())
      return {ErrorKind::User, *first + " has no option '" + name + "'",
              "did you mean '" + meant + "'? " + help + " names them all"};
    return {ErrorKind::User, *first + " has no option '" + name + "'", "run " + help};
  }
  return {ErrorKind::User, error.what(), "run " + help};
}

} // namespace agentic
