#include "tool/base/hash.h"

#include "tool/base/files.h"

#include <array>
#include <openssl/evp.h>

namespace agentic {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  // Fails only when OpenSSL itself is broken (no SHA-256 provider); the empty key then matches nothing in a cache.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * length);
  for (unsigned i = 0; i < length; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

std::string fileHash(const std::string &path) {
  const Result<std::string> bytes = readFile(path);
  return bytes ? sha256(*bytes) : std::string();
}

HashBuilder &HashBuilder::add(std::string_view part) {
  buffer_ += std::to_string(part.size());
  buffer_ += ':';
  buffer_ += part;
  return *this;
}

std::string HashBuilder::hex() const {
  return sha256(buffer_);
}

} // namespace agentic
