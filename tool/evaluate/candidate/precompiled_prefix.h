// Parses the includes that all units of a kernel begin with once for many units. For our own texts (mutants
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
  std::string text;               ///< the common beginning of the units
  std::vector<std::string> flags; ///< flags that compile a unit with empty lines in place of `text`
};

/// Returns the leading comments, empty lines and includes of a unit; "" if there is no include among them. Pure.
std::string includesOf(const std::string &unit);

/// Makes a prefix below `directory`, which is created. nullopt if nothing is gained or it does not work here: the
/// compiler is not Clang, the project's flags do not allow it, or the unit `baseline` does not become the object code
/// `objectHash` that way. Cost: two compiles.
Result<std::optional<PrecompiledPrefix>> precompilePrefix(const BuildContext &context, const std::string &baseline,
                                                          const std::string &objectHash, const std::string &directory);

/// Compiles a unit that begins with the prefix. `ok` false says nothing about the unit: compile it as it is. Writes it
/// to `request.unitFile`.
Result<CompileOutcome> compileBehindPrefix(const PrecompiledPrefix &prefix, CompileRequest request,
                                           const std::string &unit);

} // namespace agentic
