#include "tool/cli/command_line.h"

#include "tool/base/text.h"
#include "tool/base/version.h"

#include <algorithm>
#include <cctype>
#include <optional>

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

/// Returns the first word that looks like an option and is none; empty if there is none.
std::string wrongOption(const std::vector<OptionDoc> &options, const std::vector<std::string> &words) {
  for (const std::string &word : words) {
    if (word == "--")
      break;
    const bool isLong = word.starts_with("--");
    const std::string name = isLong ? word.substr(0, word.find('=')) : word.substr(0, 2);
    const bool isShort =
        !isLong && name.size() == 2 && name[0] == '-' && std::isalpha(static_cast<unsigned char>(name[1]));
    const bool isKnown =
        name == "--help" || name == "--help-all" || name == "-h" ||
        std::ranges::any_of(options, [&](const OptionDoc &doc) { return name == doc.name || name == doc.shortName; });
    if ((isLong || isShort) && !isKnown)
      return name;
  }
  return {};
}

/// Returns the option that was perhaps meant: for a short one, the other case.
std::string meantBy(const std::string &wrong, const std::vector<OptionDoc> &options) {
  std::vector<std::string> names = {"--help", "--help-all"};
  for (const OptionDoc &option : options) {
    const std::string &brief = option.shortName.empty() ? option.name : option.shortName;
    if (brief.size() == wrong.size() && wrong.size() == 2 && std::tolower(brief[1]) == std::tolower(wrong[1]))
      return brief;
    if (!option.isPositional)
      names.push_back(option.name);
  }
  return wrong.size() == 2 ? std::string() : didYouMean(wrong, names);
}

/// Returns the missing option or value, with its meaning.
std::optional<std::string> missing(const CLI::ParseError &error, const CLI::App &command) {
  const CommandDoc doc = describeCommand(command);
  const auto meaning = [](const OptionDoc &option) {
    return option.description.empty() ? std::string() : ": " + option.description;
  };
  const std::string said = error.what();
  for (const OptionDoc &option : doc.options) {
    if (error.get_name() == "ArgumentMismatch" && said.starts_with(option.name + ":"))
      return option.name + " needs a value" + meaning(option);
    const std::string own = option.isPositional ? lowered(option.name) : option.name;
    if (error.get_name() == "RequiredError" && said == own + " is required")
      return doc.name + " needs " + option.name + (option.isPositional ? "" : " " + option.value) + meaning(option);
  }
  return std::nullopt;
}

} // namespace

CommandLine::CommandLine()
    : app_("Measured, checked-in, per-architecture variants of hot C++ functions.", "agentic-kernel") {
  app_.formatter_fn([](const CLI::App *app, std::string, CLI::AppFormatMode mode) { return makeHelp(app, mode); });
  app_.set_help_all_flag("--help-all", "describe every option");
  app_.set_version_flag("--version", std::string("agentic-kernel ") + kVersion);
  app_.require_subcommand(1);
  for (const CommandRow *row : commandTable()) {
    CLI::App *sub = app_.add_subcommand(std::string(row->name), std::string(row->summary));
    if (row->hidden)
      sub->group("");
    entries_.push_back({sub, row->make()});
    entries_.back().command->declare(*sub);
  }
}

int CommandLine::run(Console &console) {
  for (Entry &entry : entries_)
    if (entry.app->parsed())
      return entry.command->run(console);
  return static_cast<int>(ErrorKind::Bug);
}

void CommandLine::parse(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    const auto isNamed = [&](const Entry &entry) { return entry.app->get_name() == arguments.front(); };
    if (!arguments.empty() && std::ranges::none_of(entries_, isNamed))
      throw CLI::ExtrasError({arguments.front()}); // else the help of all commands would be shown
    arguments.emplace_back("--help");
  }
  std::ranges::reverse(arguments); // the order that CLI11 needs
  app_.parse(std::move(arguments));
}

Error CommandLine::unknownCommand(const std::vector<std::string> &arguments, const std::string &word) const {
  std::vector<std::string> names;
  for (const CommandRow *row : commandTable())
    if (!row->hidden)
      names.emplace_back(row->name);
  if (const auto behind = std::ranges::find_first_of(arguments, names);
      behind != arguments.end() && arguments.front().starts_with('-'))
    return {ErrorKind::User, "'" + arguments.front() + "' stands before the subcommand",
            "write it behind: agentic-kernel " + *behind + " " + arguments.front() + " …"};
  return {ErrorKind::User, "there is no subcommand '" + word + "'",
          meantOr(word, names, "choose one of: " + join(names, ", "))};
}

Error CommandLine::explain(const CLI::ParseError &error, const std::vector<std::string> &arguments) const {
  const auto isCommand = [](const std::string &word) { return !word.starts_with('-') && word != "help"; };
  const auto first = std::ranges::find_if(arguments, isCommand);
  const auto entry = std::ranges::find_if(
      entries_, [&](const Entry &entry) { return first != arguments.end() && entry.app->get_name() == *first; });
  if (entry == entries_.end())
    return first == arguments.end() ? Error{ErrorKind::User, error.what(), "run 'agentic-kernel --help'"}
                                    : unknownCommand(arguments, *first);
  const std::string help = "'agentic-kernel " + *first + " --help'";
  const std::vector<OptionDoc> options = describeCommand(*entry->app).options;
  if (const std::string wrong = wrongOption(options, {first + 1, arguments.end()}); !wrong.empty()) {
    const std::string meant = meantBy(wrong, options);
    return {ErrorKind::User, *first + " has no option '" + wrong + "'",
            meant.empty() ? "run " + help : "did you mean '" + meant + "'? " + help + " names them all"};
  }
  return {ErrorKind::User, missing(error, *entry->app).value_or(error.what()), "run " + help};
}

} // namespace agentic
