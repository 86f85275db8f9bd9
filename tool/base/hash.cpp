#include "tool/base/hash.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <array>
#include <openssl/evp.h>
#include <sys/stat.h>

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

std::string textHash(const std::string &path) {
  const Result<std::string> text = readFile(path);
  return text ? sha256(normalizeLineEnds(*text)) : std::string();
}

std::string fileStamp(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return {};
  const auto text = [](const timespec &time) {
    return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
  };
  return std::to_string(status.st_ino) + "-" + std::to_string(status.st_size) + "-" + text(status.st_mtim) + "-" +
         text(status.st_ctim);
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
