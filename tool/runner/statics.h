// The static data of the library that a kernel lies in: the entry beside it needs some, and an index that is a
// difference of addresses reaches it from any array. Changes there would outlive the call.
#pragma once

#include <cstdint>

namespace agentic {

/// Hashes the writable segments of the library that holds `function`, up to the ends of their last pages; 0 if no
/// library holds it. A few us.
std::uint64_t staticsAround(const void *function);

} // namespace agentic
