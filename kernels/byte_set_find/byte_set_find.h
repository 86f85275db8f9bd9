// The first byte of a text that belongs to a set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace text {

/// Returns the smallest i < size with isMember[text[i]], or size if there is none. isMember has 256 elements, one for
/// each value of a byte; zero is a byte like others. size (in bytes) may be 0. Exact.
/// This form is in: strcspn of C libraries (glibc's strcspn.c), std::string::find_first_of, tokenizers.
std::size_t findInSet(const std::uint8_t *text, std::size_t size, const bool *isMember);

} // namespace text
