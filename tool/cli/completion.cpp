#include "tool/cli/completion.h"

#include "tool/base/text.h"

#include <fmt/format.h>

namespace agentic {
namespace {

/// Quotes a text with single quotes for a POSIX shell and zsh.
std::string quoted(const std::string &text) {
  return "'" + replaceAll(text, "'", "'\\''") + "'";
}

std::string fishQuoted(const std::string &text) {
  return "'" + replaceAll(replaceAll(text, "\\", "\\\\"), "'", "\\'") + "'";
}

/// Escapes a text inside [...] and between the colons of an _arguments specification.
std::string zshText(std::string text) {
  for (const char *special : {"\\", "[", "]", ":"})
    text = replaceAll(text, special, std::string("\\") + special);
  return text;
}

std::string wordsOf(const CommandDoc &command) {
  std::string words = "--help --help-all";
  for (const OptionDoc &option : command.options)
    if (!option.isPositional)
      words += " " + option.name + (option.shortName.empty() ? "" : " " + option.shortName);
  return words;
}

std::string bashAction(const OptionDoc &option) {
  switch (option.kind) {
  case ValueKind::Choice:
    return "_agentic_kernel_words " + quoted(join(option.choices, " "));
  case ValueKind::File:
    return "_agentic_kernel_files";
  case ValueKind::Folder:
    return "_agentic_kernel_folders";
  default:
    return ":"; // any value: there is nothing to offer
  }
}

std::string zshAction(const OptionDoc &option) {
  switch (option.kind) {
  case ValueKind::Choice:
    return "(" + join(option.choices, " ") + ")";
  case ValueKind::File:
    return "_files";
  case ValueKind::Folder:
    return "_files -/";
  default:
    return " ";
  }
}

std::string zshOption(const OptionDoc &option) {
  if (option.isPositional)
    return quoted("*:" + zshText(option.name) + ":" + (option.kind == ValueKind::Text ? "_files" : zshAction(option)));
  const std::string value = option.value.empty() ? "" : ":" + zshText(option.value) + ":" + zshAction(option);
  std::string specs;
  for (const std::string &name : {option.name, option.shortName})
    if (!name.empty())
      specs += (specs.empty() ? "" : " ") + quoted(name + (value.empty() || !name.starts_with("--") ? "" : "=") + "[" +
                                                   zshText(option.description) + "]" + value);
  return specs;
}

std::string fishOption(const CommandDoc &command, const OptionDoc &option) {
  std::string line =
      "complete -c agentic-kernel -n '__fish_seen_subcommand_from " + command.name + "' -l " + option.name.substr(2);
  if (option.shortName.size() == 2)
    line += " -s " + option.shortName.substr(1);
  switch (option.kind) {
  case ValueKind::None:
    break;
  case ValueKind::Choice:
    line += " -x -a " + fishQuoted(join(option.choices, " "));
    break;
  case ValueKind::File:
    line += " -r -F";
    break;
  case ValueKind::Folder:
    line += " -x -a '(__fish_complete_directories)'";
    break;
  case ValueKind::Text:
    line += " -x";
    break;
  }
  return line + " -d " + fishQuoted(option.description) + "\n";
}

constexpr const char *kBashHead = R"(# bash completion of agentic-kernel, made of its command table
_agentic_kernel() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command= i
  COMPREPLY=()
  _agentic_kernel_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }
  _agentic_kernel_files() { mapfile -t COMPREPLY < <(compgen -f -- "$word"); }
  _agentic_kernel_folders() { mapfile -t COMPREPLY < <(compgen -d -- "$word"); }
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ "${COMP_WORDS[i]}" != -* ]]; then
      command="${COMP_WORDS[i]}"
      break
    fi
  done
)";

} // namespace

std::string bashCompletion(const std::vector<CommandDoc> &commands) {
  std::string names, values, options, text = kBashHead;
  for (const CommandDoc &command : commands) {
    names += command.name + " ";
    options += fmt::format("    {}) _agentic_kernel_words '{}' ;;\n", command.name, wordsOf(command));
    for (const OptionDoc &option : command.options) {
      if (option.isPositional || option.kind == ValueKind::None)
        continue;
      values +=
          fmt::format("    {}:{}{}) {}; return ;;\n", command.name, option.name,
                      option.shortName.empty() ? "" : "|" + command.name + ":" + option.shortName, bashAction(option));
    }
  }
  text += "  if [[ -z \"$command\" ]]; then\n    _agentic_kernel_words '" + names +
          "--help --help-all --version'\n    return\n  fi\n";
  text += "  case \"$command:$before\" in\n" + values + "  esac\n";
  text += "  if [[ \"$word\" != -* ]]; then\n    _agentic_kernel_files\n    return\n  fi\n";
  return text + "  case \"$command\" in\n" + options +
         "  esac\n}\ncomplete -o filenames -F _agentic_kernel agentic-kernel\n";
}

std::string zshCompletion(const std::vector<CommandDoc> &commands) {
  std::string text = "#compdef agentic-kernel\n# made of the command table of agentic-kernel\n"
                     "_agentic-kernel() {\n  local context state state_descr line curcontext=\"$curcontext\"\n"
                     "  typeset -A opt_args\n"
                     "  _arguments -C '(- *)--help[show help]' '(- *)--help-all[describe every option]' "
                     "'(- *)--version[show the version]' \\\n    '1:command:->command' '*::argument:->arguments'\n"
                     "  case $state in\n  command)\n    local -a commands=(\n";
  for (const CommandDoc &command : commands)
    text += "      " + quoted(command.name + ":" + replaceAll(command.summary, ":", "\\:")) + "\n";
  text += "    )\n    _describe command commands\n    ;;\n  arguments)\n    case $words[1] in\n";
  for (const CommandDoc &command : commands) {
    text +=
        "    " + command.name + ")\n      _arguments '(- *)--help[show help]' '(- *)--help-all[describe every option]'";
    for (const OptionDoc &option : command.options)
      text += " \\\n        " + zshOption(option);
    text += "\n      ;;\n";
  }
  return text + "    esac\n    ;;\n  esac\n}\nif [[ \"$funcstack[1]\" = \"_agentic-kernel\" ]]; then\n"
                "  _agentic-kernel \"$@\"\nelse\n  compdef _agentic-kernel agentic-kernel\nfi\n";
}

std::string fishCompletion(const std::vector<CommandDoc> &commands) {
  std::string text = "# fish completion of agentic-kernel, made of its command table\n"
                     "complete -c agentic-kernel -n __fish_use_subcommand -l version -d 'show the version'\n"
                     "complete -c agentic-kernel -s h -l help -d 'show help'\n"
                     "complete -c agentic-kernel -l help-all -d 'describe every option'\n";
  for (const CommandDoc &command : commands)
    text += "complete -c agentic-kernel -f -n __fish_use_subcommand -a " + command.name + " -d " +
            fishQuoted(command.summary) + "\n";
  for (const CommandDoc &command : commands)
    for (const OptionDoc &option : command.options)
      if (option.name.starts_with("--"))
        text += fishOption(command, option);
  return text;
}

} // namespace agentic
