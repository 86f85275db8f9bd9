// Why a winner is faster than the baseline, as far as both object codes show it. Pure.
#pragma once

#include "tool/evaluate/insight/insight.h"

#include <string>

namespace agentic {

/// Title of the section of a winner's insight that has this text.
inline constexpr const char *kWhyTitle = "Why it is faster";

/// Returns one paragraph of measured numbers, before and after; only of what differs. Empty: nothing is known.
std::string whyFaster(const CodeFigures &before, const CodeFigures &after);

} // namespace agentic
