// SHA-256 (FIPS 180-4, by OpenSSL's libcrypto) as lower-case hex: the content keys of all caches, and what CMake's
// file(SHA256) computes for the lock file.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

std::string sha256(std::string_view bytes);

/// Of a file's bytes as they are; "" if it cannot be read.
std::string fileHash(const std::string &path);

/// Of a file's text with LF line ends; "" if it cannot be read.
std::string textHash(const std::string &path);

/// Another one whenever the file was written or replaced, also with the same bytes and with its times set back: of
/// inode, size, and times of modification and of status change, which the kernel alone sets. "" if it is not there. 1
/// us.
std::string fileStamp(const std::string &path);

/// Key of several parts; each part's length is hashed too, so ("ab","c") and ("a","bc") differ.
class HashBuilder {
public:
  HashBuilder &add(std::string_view part);
  std::string hex() const; ///< 64 hex digits

private:
  std::string buffer_;
};

} // namespace agentic
