// SHA-256 (FIPS 180-4, by OpenSSL's libcrypto) as lower-case hex. It keys all caches, and equals CMake's file(SHA256),
// which the lock file uses.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

std::string sha256(std::string_view bytes);

/// Returns the hash of a file's bytes; "" if the file cannot be read.
std::string fileHash(const std::string &path);

/// Returns the hash of a file's text with LF line ends; "" if the file cannot be read.
std::string textHash(const std::string &path);

/// Returns a stamp that changes whenever the file is written or replaced, even with the same bytes and with its times
/// set back: it covers the inode, the size, and the times of modification and of status change; only the operating
/// system sets the latter. "" if the file does not exist. Takes 1 us.
std::string fileStamp(const std::string &path);

/// Hashes several parts to one key; each part's length is hashed too, so ("ab","c") and ("a","bc") differ.
class HashBuilder {
public:
  HashBuilder &add(std::string_view part);
  std::string hex() const; ///< 64 hex digits

private:
  std::string buffer_;
};

} // namespace agentic
