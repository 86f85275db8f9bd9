// What a run says to its user while it works, and the one question that it asks. tool/cli prints it.
#pragma once

#include <optional>
#include <string>

namespace agentic {

class Messages {
public:
  virtual ~Messages() = default;
  virtual void note(const std::string &line) = 0;    ///< a line of progress
  virtual void warn(const std::string &message) = 0; ///< once per message
  /// What is being done just now: replaces the last such line, until endProgress() or any other message.
  virtual void progress(const std::string &line) = 0;
  virtual void endProgress() = 0;
  /// The user's answer to a question; nullopt: nobody can be asked.
  virtual std::optional<bool> agrees(const std::string &question) = 0;
};

} // namespace agentic
