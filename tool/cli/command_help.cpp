#include "tool/cli/command_help.h"

#include "tool/base/text.h"
#include "tool/cli/command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostLines = 25, kMostColumns = 100, kLeftColumns = 28;
constexpr int kMostRank = 5;
constexpr int kCommon = 4; ///< an option of so many commands is a common one
constexpr const char *kTool = "agentic-kernel";

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool endsWithAny(const std::string &text, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

/// Kind and name of the value, from CLI11's type ("TEXT:{clang,gcc}", "FLOAT:NONNEGATIVE") and the option's name.
void settleValue(OptionDoc &doc, const CLI::Option &option) {
  if (!doc.isPositional && option.get_items_expected_max() == 0)
    return;
  const std::string type = option.get_type_name(), name = doc.isPositional ? option.get_name(true) : doc.name;
  doc.kind = ValueKind::Text;
  doc.value = type.substr(0, type.find_first_of(":=["));
  if (const std::size_t brace = type.find('{'); brace != std::string::npos) {
    doc.kind = ValueKind::Choice;
    doc.choices = split(type.substr(brace + 1, type.find('}') - brace - 1), ',');
    doc.value = join(doc.choices, "|");
  } else if (endsWithAny(type, {":DIR"}) || endsWithAny(name, {"-dir", "directory", "folder"})) {
    doc.kind = ValueKind::Folder;
    doc.value = "DIR";
  } else if (endsWithAny(type, {":FILE"}) ||
             endsWithAny(name, {"-file", "--csv", "--html", "--markdown", "--patch", "--record", "--seed-from",
                                "--bundle", "--out", "--output", "candidate", "candidates", "file", "files"})) {
    doc.kind = ValueKind::File;
    doc.value = "FILE";
  } else if (doc.value == "TEXT") {
    doc.value = doc.name == "--kernel" ? "NAME" : upper(name.substr(name.find_last_of('-') + 1));
  } else if (doc.value == "FLOAT" || doc.value == "INT" || doc.value == "UINT") {
    doc.value = "N";
  }
}

OptionDoc describeOption(const CLI::Option &option) {
  OptionDoc doc;
  doc.isPositional = option.get_positional() && option.get_lnames().empty();
  doc.isRequired = option.get_required();
  doc.isRepeated = option.get_items_expected_max() > 1;
  if (doc.isPositional)
    doc.name = upper(option.get_name(true));
  else if (!option.get_lnames().empty())
    doc.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty())
    doc.shortName = "-" + option.get_snames().front();
  if (doc.name.empty())
    std::swap(doc.name, doc.shortName);
  doc.description = replaceAll(option.get_description(), "\n", " ");
  if (const std::string value = option.get_default_str();
      !value.empty() && doc.description.find("default") == std::string::npos)
    doc.description += " (default: " + value + ")";
  doc.group = option.get_group() == "Options" ? "" : option.get_group();
  settleValue(doc, option);
  return doc;
}

std::string exampleOf(const CommandDoc &doc) {
  const std::string start = std::string(kTool) + " " + doc.name;
  for (const CommandRow *row : commandTable())
    if (row->name == doc.name && !row->example.empty())
      return start + " " + std::string(row->example);
  std::string example = start;
  for (const OptionDoc &option : doc.options)
    if (option.isRequired)
      example += " " + (option.isPositional ? option.name : option.name + " " + option.value);
  return example;
}

std::vector<std::string> optionLines(const OptionDoc &option) {
  std::string left = "  " + option.synopsis();
  const std::vector<std::string> texts = wrapped(option.description, kMostColumns - kLeftColumns);
  std::vector<std::string> lines;
  if (left.size() + 2 > kLeftColumns) {
    lines.push_back(std::move(left));
    left.clear();
  }
  for (const std::string &text : texts) {
    lines.push_back(fmt::format("{:<{}}{}", left, kLeftColumns, text));
    left.clear();
  }
  if (!left.empty())
    lines.push_back(left);
  return lines;
}

void append(std::vector<std::string> &lines, const std::vector<std::string> &more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// Options that a user of this command looks for come first.
int rank(const OptionDoc &option, const std::vector<CommandDoc> &all) {
  if (option.isPositional)
    return 0;
  if (option.isRequired || option.name == "--kernel")
    return 1;
  if (!option.group.empty())
    return kMostRank;
  return commandsWith(all, option) >= kCommon ? option.name == "--build-dir" ? 3 : 4 : 2;
}

std::vector<std::string> head(const CommandDoc &command) {
  std::vector<std::string> lines = wrapped("Usage: " + command.usage, kMostColumns);
  append(lines, wrapped(command.summary, kMostColumns));
  return lines;
}

/// Returns the first `shown` options in full, the others by name.
std::vector<std::string> helpLines(const CommandDoc &command, const std::vector<OptionDoc> &options,
                                   std::size_t shown) {
  std::vector<std::string> lines = head(command);
  for (std::size_t i = 0; i < shown; ++i)
    append(lines, optionLines(options[i]));
  std::vector<std::string> names;
  for (std::size_t i = shown; i < options.size(); ++i)
    names.push_back(options[i].name);
  if (!names.empty())
    append(lines, wrapped("Also: " + join(names, " ") + "; see --help-all", kMostColumns));
  lines.push_back("Example: " + command.example);
  return lines;
}

} // namespace

std::string OptionDoc::synopsis() const {
  return (shortName.empty() ? "" : shortName + ", ") + name + (isPositional || value.empty() ? "" : " " + value);
}

CommandDoc describeCommand(const CLI::App &command) {
  CommandDoc doc;
  doc.name = command.get_name();
  doc.summary = command.get_description();
  for (const CLI::Option *option : command.get_options())
    if (!option->get_group().empty() && option != command.get_help_ptr() && option != command.get_help_all_ptr())
      doc.options.push_back(describeOption(*option));
  doc.usage = std::string(kTool) + " " + doc.name + (doc.options.empty() ? "" : " [OPTION]...");
  for (const OptionDoc &option : doc.options)
    if (option.isPositional)
      doc.usage +=
          (option.isRequired ? " " + option.name : " [" + option.name + "]") + (option.isRepeated ? "..." : "");
    else if (option.isRequired)
      doc.usage += " " + option.name + " " + option.value;
  doc.example = exampleOf(doc);
  return doc;
}

std::vector<CommandDoc> describeCommands(const CLI::App &root) {
  std::vector<CommandDoc> all;
  for (const CLI::App *command : root.get_subcommands([](const CLI::App *) { return true; }))
    if (!command->get_group().empty())
      all.push_back(describeCommand(*command));
  return all;
}

int commandsWith(const std::vector<CommandDoc> &commands, const OptionDoc &option) {
  return static_cast<int>(std::ranges::count_if(commands, [&](const CommandDoc &command) {
    return std::ranges::any_of(command.options, [&](const OptionDoc &doc) {
      return doc.name == option.name && doc.description == option.description;
    });
  }));
}

std::string commandHelp(const CommandDoc &command, const std::vector<CommandDoc> &all) {
  std::vector<OptionDoc> options;
  for (int wanted = 0; wanted <= kMostRank; ++wanted)
    std::ranges::copy_if(command.options, std::back_inserter(options),
                         [&](const OptionDoc &option) { return rank(option, all) == wanted; });
  std::size_t shown = options.size();
  std::vector<std::string> lines = helpLines(command, options, shown);
  while (lines.size() > kMostLines && shown > 0)
    lines = helpLines(command, options, --shown);
  return join(lines, "\n") + "\n";
}

std::string rootHelp(const std::vector<CommandDoc> &all) {
  std::vector<std::string> lines = {std::string("Usage: ") + kTool + " COMMAND [OPTION]..., or --version",
                                    "Measured, checked-in, per-architecture variants of hot C++ functions."};
  const std::string last = "Example: agentic-kernel optimize -B build -k gemm; each COMMAND has --help and --help-all";
  std::vector<std::string> rest;
  const std::size_t room = kMostLines - lines.size() - 1;
  for (const CommandDoc &command : all)
    if (all.size() <= room || lines.size() + 3 < kMostLines)
      lines.push_back(fmt::format("  {:<12}{}", command.name, wrapped(command.summary, kMostColumns - 14).front()));
    else
      rest.push_back(command.name);
  if (!rest.empty())
    lines.push_back("Also: " + join(rest, ", "));
  lines.push_back(last);
  return join(lines, "\n") + "\n";
}

std::string commandHelpAll(const CommandDoc &command) {
  std::vector<std::string> lines = head(command);
  std::string group;
  for (const OptionDoc &option : command.options) {
    if (option.group != group)
      append(lines, {"", option.group + ":"});
    group = option.group;
    append(lines, optionLines(option));
  }
  lines.push_back("Example: " + command.example);
  return join(lines, "\n") + "\n";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  for (const std::string &word : split(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

} // namespace agentic
