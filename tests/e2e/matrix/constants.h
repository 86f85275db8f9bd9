#pragma once
#ifndef HASH_INTERNAL
#error "define HASH_INTERNAL before the first include"
#endif

constexpr std::uint32_t kStart = 17, kFactor = 31;
