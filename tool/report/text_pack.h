// Many texts in one page: each once, similar ones together in one gzip stream, as base64. A block is unpacked whole, so
// it is small enough for a click. Costs about 20 ms per MB.
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
  /// The text's index; that of an equal one which is there already. -1 for an empty text.
  int add(std::string_view text);

  std::size_t size() const { return places_.size() / 3; }

  /// Ends the last block; nothing is added any more.
  void finish();
  const std::vector<std::string> &blocks() const { return blocks_; } ///< base64 of gzip
  /// Block, offset and length in bytes of every text, one after the other.
  const std::vector<std::size_t> &places() const { return places_; }

private:
  std::string open_; ///< the block that is being filled
  std::vector<std::string> blocks_;
  std::vector<std::size_t> places_;
  std::map<std::string, int, std::less<>> known_; ///< by hash
};

} // namespace agentic
