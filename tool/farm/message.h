// The messages between this tool and a worker on another machine, both ways over one pair of pipes: a line of JSON, and
// after it as many bytes as its "bytes" says.
//
//   to the worker                                          its answer
//   {"verb": "hello"}                                      {"hello": {…}}: what the worker and its machine are
//   {"verb": "have", "hashes": […], "ask": N}              {"missing": […], "ask": N}
//   {"verb": "put", "hash": H, "bytes": N} and N bytes     none; a file with another hash is dropped
//   {"verb": "perform", "task": ID, "description": {…}}    {"task": ID, "result": {…}}, once it is done
//   {"verb": "finished", "run": PREFIX}                    {"finished": {ID: result, …}}: of tasks with such ids
//
// A worker that is asked for a task which it has done answers with that result. The end of its input ends it: after the
// task that it is at, whose result it keeps. Whoever asked and did not wait for the answer leaves out what still comes.
#pragma once

#include "tool/base/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace agentic {

inline constexpr int kWorkerProtocol = 1;
inline constexpr std::size_t kLongestLine = 64u << 20;   ///< of JSON; a longer one ends the connection
inline constexpr std::size_t kLargestFile = 1024u << 20; ///< of the bytes after it

struct Message {
  nlohmann::json json;
  std::string bytes;
};

/// Returns the message as it is sent; its "bytes" is set from `bytes`.
std::string wireText(nlohmann::json json, std::string_view bytes = {});

/// Returns a field of what another machine sent; `otherwise` if it has none, or one of another type.
template <class Value> Value field(const nlohmann::json &object, const char *name, Value otherwise) {
  try {
    return object.is_object() ? object.value(name, otherwise) : otherwise;
  } catch (const nlohmann::json::exception &) {
    return otherwise;
  }
}

/// Cuts messages out of what arrives in pieces of any size.
class MessageReader {
public:
  std::string &buffer() { return buffer_; } ///< what arrives is appended

  /// Returns the next whole message and drops it from the buffer; nullopt: it has not arrived yet. Error: this is no
  /// message; nothing that follows can be understood.
  Result<std::optional<Message>> next();

private:
  std::string buffer_;
  std::optional<Message> begun_; ///< its bytes are not there yet
  std::size_t wanted_ = 0;
};

} // namespace agentic
