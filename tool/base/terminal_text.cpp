#include "tool/base/terminal_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <span>

namespace agentic {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool isValid = false;
};

/// Decodes the UTF-8 at the beginning of `text`, which is not empty. Overlong forms, surrogates and truncated sequences
/// are invalid: one byte each.
CodePoint decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return {lead, 1, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes)
    return {lead, 1, false};
  std::uint32_t value = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80)
      return {lead, 1, false};
    value = value << 6 | (next & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[bytes] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return {lead, 1, false};
  return {value, bytes, true};
}

struct Range {
  std::uint32_t first, last;
};

bool isIn(std::span<const Range> ranges, std::uint32_t value) {
  return std::ranges::any_of(ranges,
                             [value](const Range &range) { return value >= range.first && value <= range.last; });
}

/// Characters that are not seen or that change the order of others: C0, DEL, C1, marks and formats.
constexpr std::array kUnseen = {Range{0x00, 0x1f},       Range{0x7f, 0x9f},       Range{0xad, 0xad},
                                Range{0x61c, 0x61c},     Range{0x180e, 0x180e},   Range{0x200b, 0x200f},
                                Range{0x2028, 0x202e},   Range{0x2060, 0x206f},   Range{0xfeff, 0xfeff},
                                Range{0xfff0, 0xfffb},   Range{0xfffe, 0xffff},   Range{0xe000, 0xf8ff},
                                Range{0x1d173, 0x1d17a}, Range{0xe0000, 0x10ffff}};

/// East Asian wide characters, and the symbols that terminals show as pictures.
constexpr std::array kWide = {Range{0x1100, 0x115f},   Range{0x231a, 0x23ff},  Range{0x25fd, 0x27bf},
                              Range{0x2900, 0x2bff},   Range{0x2e80, 0xa4cf},  Range{0xa960, 0xa97f},
                              Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},  Range{0xfe30, 0xfe6f},
                              Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},  Range{0x16fe0, 0x18cff},
                              Range{0x1aff0, 0x1b2ff}, Range{0x1f000, 0x3ffff}};

std::string escaped(const CodePoint &point) {
  char text[16];
  std::snprintf(text, sizeof text, point.value < 0x80 || !point.isValid ? "\\x%02x" : "\\u%04x", point.value);
  return text;
}

std::size_t columnsOf(const CodePoint &point) {
  return isIn(kWide, point.value) ? 2 : 1;
}

std::string shown(std::string_view text, bool keepsLines, bool asciiOnly) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text.substr(at));
    const bool stays = (keepsLines && (point.value == '\n' || point.value == '\t')) ||
                       (point.isValid && !isIn(kUnseen, point.value) && (!asciiOnly || point.value < 0x80));
    result += stays ? std::string(text.substr(at, point.bytes)) : escaped(point);
    at += point.bytes;
  }
  return result;
}

} // namespace

std::string printable(std::string_view text, bool keepsLines) {
  return shown(text, keepsLines, false);
}

std::string printableAscii(std::string_view text) {
  return shown(text, false, true);
}

std::size_t displayColumns(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text.substr(at));
    columns += columnsOf(point);
    at += point.bytes;
  }
  return columns;
}

std::string fitted(std::string_view text, std::size_t columns) {
  std::size_t used = 0, whole = 0; // bytes that fit beside the truncation mark; all bytes that fit
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text.substr(at));
    used += columnsOf(point);
    if (used > columns)
      return columns == 0 ? "" : std::string(text.substr(0, whole)) + "~";
    at += point.bytes;
    if (used < columns)
      whole = at;
  }
  return std::string(text);
}

} // namespace agentic
