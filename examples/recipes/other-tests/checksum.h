#pragma once

#include <cstddef>
#include <cstdint>

/// Sum of the bytes, each multiplied with its place counted from 1, modulo 2^32.
std::uint32_t checksum(const std::uint8_t *bytes, std::size_t size);
