// The includes that all units of a kernel begin with, parsed once for many units. For what is ours to compile (mutants
// of the baseline): candidates are compiled by the project's own command alone.
#pragma once

#include "tool/base/error.h"
#include "tool/build/compile.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct BuildContext;

struct PrecompiledPrefix {
  std::string text;               ///< what the units begin with
  std::vector<std::string> flags; ///< to compile a unit that has empty lines there
};

/// The leading comments, empty lines and includes of a unit; "" if there is no include among them. Pure.
std::string includesOf(const std::string &unit);

/// Below `directory`, which is created. nullopt where nothing is gained or it does not work here: the compiler is not
/// Clang, the project's flags do not go with it, or the unit `baseline` does not become the object code `objectHash`
/// that way. Cost: two compiles.
Result<std::optional<PrecompiledPrefix>> precompilePrefix(const BuildContext &context, const std::string &baseline,
                                                          const std::string &objectHash, const std::string &directory);

/// Compiles a unit that begins with the prefix. `ok` false says nothing of the unit: compile it as it is. Its file is
/// `request.unitFile`, which is written.
Result<CompileOutcome> compileBehindPrefix(const PrecompiledPrefix &prefix, CompileRequest request,
                                           const std::string &unit);

} // namespace agentic
