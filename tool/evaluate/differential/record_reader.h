// Reads structs and payloads out of a record file's bytes, and never beyond them: its writer was hostile.
#pragma once

#include "tool/base/error.h"
#include "tool/runner/wire.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

class RecordReader {
public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }
  template <class T> bool read(T &value) {
    if (bytes_.size() < sizeof value)
      return false;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return true;
  }
  /// Returns the next `size` bytes.
  std::optional<std::string_view> take(std::uint64_t size) {
    if (size > bytes_.size())
      return std::nullopt;
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  /// Returns a view of a payload, without the zeros after it.
  std::optional<std::span<const std::byte>> payload(std::uint64_t size) {
    if (size > bytes_.size())
      return std::nullopt;
    const std::optional<std::string_view> taken = take(wire::padded(size));
    if (!taken)
      return std::nullopt;
    return std::span(reinterpret_cast<const std::byte *>(taken->data()), static_cast<std::size_t>(size));
  }
  bool payload(std::uint64_t size, std::vector<std::byte> &out) {
    const auto taken = payload(size);
    if (taken)
      out.assign(taken->begin(), taken->end());
    return taken.has_value();
  }

private:
  std::string_view bytes_;
};

/// Appends a struct or a payload to `text`, padded as readers expect it.
inline void appendPadded(std::string &text, const void *data, std::size_t size) {
  text.append(static_cast<const char *>(data), size);
  text.append(wire::padded(size) - size, '\0');
}

/// Reads a file of records: a wire::FileHeader with `magic`, then for each a `Header` that says how many bytes follow
/// it. `readOne(header, body)` returns a Result<Record>; `broken(what)` the error. Skips a last record that was cut by
/// the end of its writer.
template <class Header, class Record, class ReadOne, class Broken>
Result<std::vector<Record>> readRecords(std::string_view bytes, const char (&magic)[sizeof wire::FileHeader::magic + 1],
                                        ReadOne readOne, Broken broken) {
  RecordReader reader(bytes);
  wire::FileHeader file;
  if (!reader.read(file) || std::memcmp(file.magic, magic, sizeof file.magic) != 0)
    return broken("the file is of another kind");
  std::vector<Record> records;
  Header header;
  while (reader.read(header)) {
    const std::optional<std::string_view> body = reader.take(header.bytes);
    if (!body)
      break;
    Record record = TRY(readOne(header, *body));
    records.push_back(std::move(record));
  }
  return records;
}

} // namespace agentic
