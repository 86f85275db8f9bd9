// A subcommand: one file, which ends with its CommandRow, and one line of commands.cpp.
#pragma once

#include "tool/cli/console.h"

#include <memory>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace agentic {

class Command {
public:
  virtual ~Command() = default;
  /// Adds its options; called before parsing.
  virtual void declare(CLI::App &app) = 0;
  /// Returns the exit status (design §10).
  virtual int run(Console &console) = 0;
};

template <class T> std::unique_ptr<Command> makeCommand() {
  return std::make_unique<T>();
}

/// The table row of a command. Help, manual page and completions are made from it and from declare().
struct CommandRow {
  std::string_view name, summary;
  std::string_view example = {}; ///< its arguments; empty: --build-dir and what is required
  std::unique_ptr<Command> (*make)();
  bool hidden = false; ///< called by AgenticKernel.cmake or by the tool itself, not by people
};
std::span<const CommandRow *const> commandTable();

} // namespace agentic
