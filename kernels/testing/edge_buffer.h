// An array that ends where readable memory ends: one element read or written too far is a crash, not luck.
#pragma once

#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace testing_support {

/// `size` elements between two inaccessible pages. The last element touches the upper page; what lies between the lower
/// page and the first element is filled with a pattern. As an input it can be made read-only. Throws std::runtime_error
/// when the system gives no memory. Costs three system calls: for many small cases take a GuardedBuffer.
template <typename T> class EdgeBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  explicit EdgeBuffer(std::size_t size) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    middle_ = (size * sizeof(T) + page) / page * page; // at least one byte of slack
    mappedSize_ = middle_ + 2 * page;
    void *mapped = mmap(nullptr, mappedSize_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      throw std::runtime_error("mmap failed");
    mapped_ = static_cast<unsigned char *>(mapped);
    accessible_ = mapped_ + page;
    protect(PROT_READ | PROT_WRITE);
    std::memset(accessible_, kPattern, middle_);
  }

  /// A read-only copy of `contents`.
  explicit EdgeBuffer(const std::vector<T> &contents) : EdgeBuffer(contents.size()) {
    if (!contents.empty())
      std::memcpy(data(), contents.data(), contents.size() * sizeof(T));
    protect(PROT_READ);
  }

  EdgeBuffer(const EdgeBuffer &) = delete;
  EdgeBuffer &operator=(const EdgeBuffer &) = delete;
  ~EdgeBuffer() { munmap(mapped_, mappedSize_); }

  T *data() { return reinterpret_cast<T *>(accessible_ + slack()); }
  const T *data() const { return reinterpret_cast<const T *>(accessible_ + slack()); }
  std::size_t size() const { return size_; }
  const T &operator[](std::size_t i) const { return data()[i]; }
  T *begin() { return data(); }
  T *end() { return data() + size_; }

  void expectNothingWrittenBefore() const {
    for (std::size_t i = 0; i < slack(); ++i)
      ASSERT_EQ(accessible_[i], kPattern) << "written " << slack() - i << " bytes before the begin";
  }

private:
  static constexpr unsigned char kPattern = 0xA5;

  std::size_t slack() const { return middle_ - size_ * sizeof(T); }

  void protect(int access) {
    if (mprotect(accessible_, middle_, access) != 0) {
      munmap(mapped_, mappedSize_);
      throw std::runtime_error("mprotect failed");
    }
  }

  std::size_t size_ = 0, middle_ = 0, mappedSize_ = 0;
  unsigned char *mapped_ = nullptr, *accessible_ = nullptr;
};

} // namespace testing_support
