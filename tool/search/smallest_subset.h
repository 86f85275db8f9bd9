// Delta debugging: which of many parts are needed. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace agentic {

enum class Holds { No, Yes, Stop }; ///< Stop: there is no answer, and none will follow

/// Returns, of the parts 0 … count - 1, a subset in order for which `holds` said Yes, and without any single part of
/// which it said No: a smallest one in that sense. All parts together are known to hold, and are not asked for. Asks
/// for the same sequence as long as the answers are the same, about 2 * count times if all are needed. After Stop, the
/// smallest subset until then.
std::vector<std::size_t> smallestSubset(std::size_t count,
                                        const std::function<Holds(const std::vector<std::size_t> &)> &holds);

} // namespace agentic
