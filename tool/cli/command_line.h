// The whole command line, made from the table in commands.cpp: for main(), and for the modules that describe it.
#pragma once

#include "tool/cli/command.h"
#include "tool/cli/command_help.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace agentic {

class CommandLine {
public:
  CommandLine();

  CLI::App &app() { return app_; }
  /// Parses. `help` and `help COMMAND` are read as `--help` and `COMMAND --help`. Throws CLI::ParseError.
  void parse(std::vector<std::string> arguments);
  std::vector<CommandDoc> describe() const { return describeCommands(app_); }
  /// Runs the subcommand after parsing; returns its exit status.
  int run(Console &console);
  /// Returns the fault of these arguments, and what was possibly meant.
  Error explain(const CLI::ParseError &error, const std::vector<std::string> &arguments) const;

private:
  struct Entry {
    CLI::App *app;
    std::unique_ptr<Command> command;
  };
  Error unknownCommand(const std::vector<std::string> &arguments, const std::string &word) const;
  CLI::App app_;
  std::vector<Entry> entries_;
};

} // namespace agentic
