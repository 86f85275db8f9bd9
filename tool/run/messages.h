// The messages of a run to its user, and the one question that it asks. tool/cli prints them.
#pragma once

#include <optional>
#include <string>

namespace agentic {

class Messages {
public:
  virtual ~Messages() = default;
  virtual void note(const std::string &line) = 0;    ///< a line of progress
  virtual void warn(const std::string &message) = 0; ///< once per message
  /// Shows the current work: replaces the last such line, until endProgress() or any other message.
  virtual void progress(const std::string &line) = 0;
  virtual void endProgress() = 0;
  /// Returns the user's answer to a question; nullopt: nobody can be asked.
  virtual std::optional<bool> agrees(const std::string &question) = 0;
};

} // namespace agentic
