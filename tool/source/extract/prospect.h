// Tells whether a function that bears no marker yet could be a kernel, and where the marker goes.
#pragma once

#include "tool/source/extract/extract.h"

#include <optional>
#include <string>

namespace agentic {

/// A function as a profile knows it.
struct ProfiledFunction {
  std::string linkageName; ///< as compilers write it; may be the plain name
  std::string file;        ///< absolute, of its own text; empty: unknown
  unsigned line = 0;       ///< of its name there; 0: unknown
};

struct Prospect {
  enum class Kind {
    Kernel,  ///< it can be one as it is
    Marked,  ///< it bears the marker
    Wrapper, ///< `agentic-kernel wrap` makes one of it
    Refused
  };
  Kind kind = Kind::Refused;
  std::string function;         ///< as FUNCTION takes it: "ns::sum"; empty: it was not found
  unsigned line = 0;            ///< in SOURCE: the marker goes in front of it …
  unsigned column = 1;          ///< … or into it, in front of this column (bytes), if its text does not begin the line
  bool needsDefinition = false; ///< no text of SOURCE defines the marker
  bool needsName = false;       ///< SOURCE has another marked function: add_agentic_kernel() needs FUNCTION
  std::string reason, next;     ///< of Refused; the reason of Wrapper, too
  std::string marked;           ///< SOURCE with the marker in that line, LF; of Kernel
  std::optional<Extraction> extraction; ///< of `marked`
};

/// Reason and next step of a function that only headers define.
inline constexpr const char *kInHeader =
    "it is defined in a header, which a separately compiled variant cannot replace";
inline constexpr const char *kOutOfHeader =
    "move its definition, or its hot loops as a free function, into a .cpp or .c file";

/// Looks the function up in the unit of SOURCE, and extracts it as if it were marked. `request.function` does not
/// count. Errors: SOURCE is missing or does not parse. Cost: two or three parses of SOURCE.
Result<Prospect> prospectOf(const ExtractRequest &request, const ProfiledFunction &profiled);

} // namespace agentic
