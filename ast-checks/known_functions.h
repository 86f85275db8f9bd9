// Classifies functions and types outside the unit by name. Names are in the form of names.h.
#pragma once

#include <string_view>

namespace agentic::checks {

enum class Known { Unlisted, Legal, Thread, Allocation, Io };

/// Classifies a function of a library: "std::sqrt", "malloc", "std::vector::push_back", "__builtin_popcount".
Known knownFunction(std::string_view name);
/// Classifies a function of a vector header (all are legal but those that touch the machine's state).
Known knownIntrinsic(std::string_view name);
/// Classifies a class: "std::vector" → Allocation, "std::thread" → Thread, "std::basic_ofstream" → Io.
Known knownType(std::string_view name);
/// Classifies a global variable of a library: "std::cout", "stdout" → Io.
Known knownVariable(std::string_view name);

} // namespace agentic::checks
