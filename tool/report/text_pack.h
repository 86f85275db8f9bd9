// Packs many texts into one page: each once, similar ones together in one gzip stream, as base64. A block is unpacked
// whole, so it is small enough for a click. Costs about 20 ms per MB.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

class TextPack {
public:
  /// Returns the text's index, or that of an equal text added before; -1 for an empty text.
  int add(std::string_view text);

  std::size_t size() const { return places_.size() / 3; }

  /// Ends the last block; no text can be added after it.
  void finish();
  const std::vector<std::string> &blocks() const { return blocks_; } ///< base64 of gzip
  /// Returns block, offset and length in bytes of every text, one after the other.
  const std::vector<std::size_t> &places() const { return places_; }

private:
  std::string open_; ///< the block in progress
  std::vector<std::string> blocks_;
  std::vector<std::size_t> places_;
  std::map<std::string, int, std::less<>> known_; ///< key: hash
};

} // namespace agentic
