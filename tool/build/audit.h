// Rules on a candidate's object file: symbols, sections, relocations, instructions.
#pragma once

#include "tool/base/error.h"
#include "tool/model/finding.h"
#include "tool/model/level.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic {

struct AuditRequest {
  std::string objectFile;
  std::string symbol;                        ///< the one external symbol that must be defined
  std::vector<std::string> allowedUndefined; ///< mangled names of the closure's externals
  std::vector<std::string> allowedFunctions; ///< qualified names that the project's policy allows
  std::size_t mostCodeBytes = 0;             ///< the project's own limit; 0 = none
  /// For an object that was compiled without the project's own ISA flags: its instructions must be of this level, and
  /// those of inline functions must run on every processor. nullptr: instructions are not compared with a level.
  const Level *level = nullptr;
  std::string candidateName; ///< for findings
};

struct AuditOutcome {
  std::vector<Finding> findings; ///< check = "object-symbols", "object-data", "object-init", "object-instructions",
                                 ///< "object-size", "object-level"
  std::string codeHash;          ///< text + rodata + relocations
  std::size_t codeBytes = 0;     ///< text + rodata
};

/// Exactly one defined external symbol; undefined symbols only from the allow-list (memcpy family, libm, stack
/// protector,
/// __assert_fail) and `allowedUndefined`; no writable data after relocation, no .init_array/.ctors, TLS or ifunc; no
/// syscall, rdtsc, ldmxcsr … instructions, no non-temporal store in an object without a fence, no more than 4 MiB. Weak
/// COMDAT functions and constants of standard headers are allowed: the link's version script makes them local. Reads
/// the ELF file itself; instructions by objdump. ~0.02 s.
Result<AuditOutcome> auditObject(const AuditRequest &request);

/// Returns the undefined symbols of an object, in the order of its symbol table. A candidate may use those of the
/// baseline's object.
Result<std::vector<std::string>> undefinedSymbols(const std::string &objectFile);

} // namespace agentic
