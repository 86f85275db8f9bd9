// Converts elements to the bytes of a recorded argument or an output.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace agentic {

template <class T> std::vector<std::byte> bytesOf(const std::vector<T> &values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

} // namespace agentic
