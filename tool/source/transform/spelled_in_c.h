// Spells what the moves write in C. A move knows nothing of languages: it writes a small C++ (casts by name, constexpr
// constants, bool, nullptr), all of which C can say.
#pragma once

#include <string>

namespace agentic {

/// Returns `text` with static_cast<T>(x) as ((T)(x)), constexpr constants as enumerators or const, and the words of C++
/// that C99 lacks in its own spelling. `hasBool`: the text may say bool, true and false as it does. What has no
/// spelling in C stays, and does not parse.
std::string spelledInC(const std::string &text, bool hasBool);

} // namespace agentic
