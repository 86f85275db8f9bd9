#include "tool/report/text_pack.h"

#include "tool/base/base64.h"
#include "tool/base/hash.h"

#include <zlib.h>

namespace agentic {
namespace {

constexpr std::size_t kBlockBytes = 256 << 10;

/// Candidates of a run are similar: even the fastest level finds that, and writes 10,000 of them in a second.
std::string gzipped(const std::string &bytes) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16; // largest window, with a gzip header
  if (deflateInit2(&stream, 4, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data())); // zlib reads it
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(status == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return packed;
}

} // namespace

int TextPack::add(std::string_view text) {
  if (text.empty())
    return -1;
  const auto [known, isNew] = known_.try_emplace(sha256(text), static_cast<int>(size()));
  if (!isNew)
    return known->second;
  if (!open_.empty() && open_.size() + text.size() > kBlockBytes)
    finish();
  places_.insert(places_.end(), {blocks_.size(), open_.size(), text.size()});
  open_ += text;
  return known->second;
}

void TextPack::finish() {
  if (open_.empty())
    return;
  blocks_.push_back(base64(gzipped(open_)));
  open_.clear();
}

} // namespace agentic
