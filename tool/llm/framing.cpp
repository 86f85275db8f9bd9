#include "tool/llm/framing.h"

#include "tool/base/text.h"

#include <utility>

namespace agentic {

bool Framing::feed(std::string_view bytes) {
  while (!overflowed_ && !bytes.empty()) {
    // This is the second half of a CRLF that was split between two reads.
    if (afterReturn_ && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      afterReturn_ = false;
      continue;
    }
    afterReturn_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      pending_ += bytes;
      overflowed_ = pending_.size() > kMaxEventBytes;
      break;
    }
    afterReturn_ = bytes[end] == '\r';
    completeLine(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
  return !overflowed_;
}

void Framing::completeLine(std::string_view rest) {
  if (pending_.size() + rest.size() > kMaxEventBytes) {
    overflowed_ = true;
    return;
  }
  if (pending_.empty()) {
    line(rest);
    return;
  }
  pending_ += rest;
  const std::string whole = std::move(pending_);
  pending_.clear();
  line(whole);
}

void SseFraming::line(std::string_view text) {
  if (isFirstLine_ && text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);
  isFirstLine_ = false;
  if (text.empty()) {
    if (hasData_)
      handle(event_);
    event_ = {};
    hasData_ = false;
    return;
  }
  const std::size_t colon = text.find(':');
  const std::string_view field = text.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (value.starts_with(' '))
    value.remove_prefix(1);
  if (field == "event") {
    event_.name = value;
  } else if (field == "data") {
    if (hasData_)
      event_.data += '\n';
    event_.data += value;
    hasData_ = true;
    if (event_.data.size() > kMaxEventBytes)
      overflow();
  }
}

void LineFraming::line(std::string_view text) {
  if (!trim(text).empty())
    handle({{}, std::string(text)});
}

void LineFraming::end() {
  if (!pending().empty())
    line(std::exchange(pending(), {}));
}

} // namespace agentic
