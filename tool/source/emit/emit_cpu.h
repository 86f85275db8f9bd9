// The CPU probe of a dispatch block: text that asks the processor itself (CPUID, XGETBV), or Linux where programs
// cannot (HWCAP, hwprobe), for a level's features. It uses the bits and words of model/cpu.h, which also decide in the
// tool.
#pragma once

#include "tool/base/error.h"
#include "tool/model/level.h"

#include <span>
#include <string>

namespace agentic {

/// Returns the name of the generated predicate: "ak_has_x86_64_v3".
std::string cpuPredicate(const Level &level);

/// Returns text for the inside of a namespace that defines cpuPredicate() for every level. Not __builtin_cpu_supports:
/// clang 14 rejects f16c, lzcnt, movbe and the level names. Empty for no levels. A feature without a known bit is a Bug
/// error.
Result<std::string> emitCpuProbe(std::span<const Level *const> levels);

/// The same in C, at file scope; `kernel` ends every name. Two probes in one file need names of their own.
std::string cpuPredicateC(const Level &level, const std::string &kernel); ///< "ak_has_x86_64_v3_dot"
Result<std::string> emitCpuProbeC(std::span<const Level *const> levels, const std::string &kernel);

} // namespace agentic
