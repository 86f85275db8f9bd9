#include "tool/farm/message.h"

#include "tool/base/wire_json.h"

#include <utility>

namespace agentic {
namespace {

std::unexpected<Error> notAMessage(std::string_view why) {
  return userError("what came from the other machine is no message: " + std::string(why),
                   "look whether something else than the worker writes there (a shell's greeting, for example)");
}

} // namespace

std::string wireText(nlohmann::json json, std::string_view bytes) {
  if (!bytes.empty())
    json["bytes"] = bytes.size();
  std::string text = dumpWireJson(json);
  text += '\n';
  text += bytes;
  return text;
}

Result<std::optional<Message>> MessageReader::next() {
  if (!begun_) {
    const std::size_t end = buffer_.find('\n');
    if (end == std::string::npos) {
      if (buffer_.size() > kLongestLine)
        return notAMessage("a line without an end");
      return std::nullopt;
    }
    std::optional<Json> json = parseWireJson(std::string_view(buffer_).substr(0, end));
    if (!json || !json->is_object())
      return notAMessage("'" + buffer_.substr(0, std::min<std::size_t>(end, 80)) + "'");
    Message message{.json = std::move(*json), .bytes = {}};
    buffer_.erase(0, end + 1);
    const auto bytes = message.json.find("bytes");
    wanted_ = bytes != message.json.end() && bytes->is_number_unsigned() ? bytes->get<std::size_t>() : 0;
    if (wanted_ > kLargestFile)
      return notAMessage("a file of " + std::to_string(wanted_) + " bytes");
    begun_ = std::move(message);
  }
  if (buffer_.size() < wanted_)
    return std::nullopt;
  begun_->bytes = buffer_.substr(0, wanted_);
  buffer_.erase(0, wanted_);
  return std::exchange(begun_, std::nullopt);
}

} // namespace agentic
