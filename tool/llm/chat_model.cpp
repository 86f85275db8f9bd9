#include "tool/llm/chat_model.h"

#include "tool/llm/http_model.h"

#include <array>

namespace agentic {
namespace {

using Made = ChatResult<std::unique_ptr<ChatModel>>;

/// Agents that are no HTTP servers: `rest` is what stands behind the prefix.
struct PrefixRow {
  std::string_view prefix;
  Made (*make)(const std::string &name, const std::string &rest, const ChatSettings &settings);
};
constexpr std::array<PrefixRow, 0> kPrefixes = {};

} // namespace

Made makeChatModel(const std::string &name, const ChatSettings &settings) {
  for (const PrefixRow &row : kPrefixes)
    if (name.starts_with(row.prefix))
      return row.make(name, name.substr(row.prefix.size()), settings);
  return makeHttpModel(name, settings);
}

} // namespace agentic
