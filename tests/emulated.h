// Skips tests of what qemu-user cannot do: the preset aarch64 runs the tests under it.
#pragma once

#ifdef AGENTIC_EMULATED
inline constexpr bool kIsEmulated = true;
#else
inline constexpr bool kIsEmulated = false;
#endif

/// In a test, with the reason.
#define SKIP_UNDER_QEMU_USER(REASON)                                                                                   \
  if (kIsEmulated)                                                                                                     \
  GTEST_SKIP() << "under qemu-user " REASON
