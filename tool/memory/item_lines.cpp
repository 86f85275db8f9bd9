#include "tool/memory/item_lines.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kLineVersion = 1;
constexpr std::size_t kMostItemLines = 5000, kLongestItemLine = 32u << 10;
constexpr std::uintmax_t kLargestItemFile = 8u << 20;

/// Returns why a line is no item; empty if `item` is one.
std::string readLine(std::string_view line, MemoryItem &item) {
  if (line.size() > kLongestItemLine)
    return "it is longer than 32 KiB";
  const json value = json::parse(line, nullptr, false);
  if (!value.is_object())
    return "it is no JSON object";
  if (const auto version = value.find("v"); version == value.end() || *version != kLineVersion)
    return "it is of another version: \"v\" is not 1";
  try {
    item = value.get<MemoryItem>();
  } catch (const json::exception &) {
    return "a field is missing, or has another type";
  }
  item.uses = 0;
  if (std::string reason = whyNoItem(item); !reason.empty())
    return reason;
  item.id = kindOf(item);
  return {};
}

} // namespace

ReadItems readItemLines(std::string_view text) {
  ReadItems read;
  const auto leaveOut = [&](std::size_t number, const std::string &reason) {
    if (++read.leftOut == 1)
      read.firstReason = fmt::format("line {}: {}", number, reason);
  };
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    at = end + 1;
    if (line.empty())
      continue;
    if (read.items.size() == kMostItemLines) {
      leaveOut(number, "it is one of more than 5,000");
      return read;
    }
    MemoryItem item;
    if (const std::string reason = readLine(line, item); reason.empty())
      read.items.push_back(std::move(item));
    else
      leaveOut(number, reason);
  }
  return read;
}

Result<ReadItems> readItemFile(const std::string &file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (!error && bytes > kLargestItemFile)
    return userError(fmt::format("{} has {} MiB, and a memory has 8 at most", file, bytes >> 20),
                     "keep the items that the project needs");
  const std::string text = TRY(readFile(file));
  return readItemLines(text);
}

std::string itemLines(std::vector<MemoryItem> items) {
  std::ranges::sort(items, {}, &MemoryItem::id);
  std::string text;
  for (const MemoryItem &item : items) {
    json line = item;
    line["v"] = kLineVersion;
    line.erase("uses");
    text += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  }
  return text;
}

} // namespace agentic
