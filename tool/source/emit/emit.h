// The generated, checked-in files of one kernel: <name>.<level>.<family>.cpp per variant, <name>.dispatch.inc and
// <name>.lock.json. Pure functions from values to texts; evaluate/write_back puts them in place.
#pragma once

#include "tool/base/error.h"
#include "tool/model/generated_file.h"
#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_unit.h"

#include <string>
#include <vector>

namespace agentic {

/// The origin of a variant, printed in its header and kept in the lock.
struct Provenance {
  std::string level, family;
  bool isTuned = true; ///< false: made for a CPU that was only emulated; never measured, so never chosen unless forced
  std::string agent, origin; ///< "builtin", "strip-mine(j,16); …"
  std::string candidate;     ///< id
  double ratio = 0, low = 0, high = 0;
  double baselineNs = 0, variantNs = 0;
  std::string cpu, compiler, compilerVersion, flags, date, toolVersion;
  std::vector<std::string> assumptions; ///< "pointer arguments do not overlap"
  std::string why;                      ///< why it is faster; in the header only; empty = not known
  std::string shortening;               ///< what was left out of the winner; in the header only; empty = nothing
  std::string reviewed;                 ///< what a reviewer changed in it; in the header only; empty = nothing
  std::string endToEnd;                 ///< of the application, in words; in the header only; empty = none
  std::vector<std::string> review; ///< notes for a reviewer; in the header only: "claim above 10x: confirmed twice"
};

/// Returns a variant's file name below VARIANT_DIR: "binary_gemm.x86-64-v4.clang.cpp", or with ".c".
std::string variantFileName(const KernelSpec &spec, std::string_view level, std::string_view family);

/// Returns a header comment (origin, speedup with interval, CPU, compiler and flags, date, assumptions, "do not edit",
/// clang-format off) followed by the unit, byte for byte, inside the level's preprocessor guard.
std::string emitVariant(const KernelSpec &spec, const Provenance &provenance, const CandidateUnit &unit);

/// Marks the lines of the dispatch block around the baseline's text: AgenticKernel.cmake puts `#line` directives there,
/// so that the baseline keeps its place in SOURCE for diagnostics, debuggers and coverage.
inline constexpr const char *kBaselineMark = "// agentic-kernel: baseline\n";
inline constexpr const char *kGeneratedMark = "// agentic-kernel: generated\n";

/// The block that replaces the kernel's definition in SOURCE: baseline renamed, declarations of the variants, the
/// dispatcher. It is exactly where the definition was and opens the namespaces of a qualified definition itself.
/// No includes. Macros that AgenticKernel.cmake defines on the dispatch unit:
///   AGENTIC_KERNEL_<kernel>__<level identifier>__<family>  this variant is compiled into the program
///   AGENTIC_KERNEL_REQUIRE_<kernel>  a guard (emit_guards.h) that no longer holds is an error
///   AGENTIC_KERNEL_UNTUNED_<kernel>  variants that were never measured are chosen like others
///   AGENTIC_KERNEL_STATIC_<kernel>   the compiler's feature macros choose at compile time, and nothing at run time
///   AGENTIC_KERNEL_HOOK_<kernel>     shadow tree only: a value with '/' is a candidate's shared object, loaded through
///                                    `void *agentic_kernel_entry_<kernel>(void *baseline)`; failure: exit status 97
/// Environment, read once at the first call (ignored in set-user-id programs):
///   AGENTIC_KERNEL_<kernel>=baseline|<level>  forces a choice; one that this CPU or this program lacks: a message on
///                                    stderr and exit status 78, never a SIGILL
///   AGENTIC_KERNEL_TRACE=<path>|<descriptor>  appends the line "<kernel> <choice>" when the choice is made (twice if
///                                    two threads make it at once): proof of which variant ran
/// `variants`: every variant that may exist, in any order. Errors: Bug for an unknown level or family; User for an
/// unnamed parameter that cannot be forwarded.
Result<std::string> emitDispatch(const KernelSpec &spec, const std::vector<Provenance> &variants,
                                 std::string_view toolVersion);

/// Returns the C (not C++) source of a candidate .so's entry, which returns the address of `symbol`; the same for every
/// signature.
std::string emitEntryShim(std::string_view kernel, std::string_view symbol);

/// Byte ranges [begin, end) of a variant's file that the candidate wrote; the rest is SOURCE's or ours. They restore
/// the candidate from the checked-in file, to be evaluated again or changed further.
using OwnSpans = std::vector<std::pair<std::size_t, std::size_t>>;
OwnSpans ownSpans(const std::string &variantText, const CandidateUnit &unit);

/// Lock schema 1, read by pure CMake (AgenticKernel.cmake) and by readLock:
/// {"schema":1,"kernel","function","tool",
///  "kernel_text": exact LF text of the definition, to be found once in SOURCE and replaced by the block,
///  "directives": sha256 of the directives before it,
///  "fragments":[{"name","text"}], each to be found in SOURCE,
///  "headers":[{"path" relative to SOURCE's folder,"sha256" of LF text}],
///  "guards":[{"what","value"}]: what the dispatch block asks at compile time,
///  "dispatch":{"file","sha256"},
///  "variants":[{"level","family","processor","file","sha256","symbol","compiler","compiler_version","compiler_major",
///               "ratio","low","high","baseline_ns","variant_ns","cpu","flags","agent","origin","candidate","date",
///               "tool","assumptions","own":[[begin,end]]}],
///               and "tuned":false of one that was never measured; "cpu" then names what its tests ran under
///  "fingerprint"}
struct Lock {
  std::string kernel, function, tool, fingerprint, kernelText, directives;
  struct Fragment {
    std::string name, text;
  };
  struct File {
    std::string path, sha256;
  };
  std::vector<Fragment> fragments;
  std::vector<File> headers;
  std::vector<Guard> guards; ///< without their expressions
  File dispatch;
  struct Variant {
    Provenance provenance;
    std::string processor, symbol;
    File file;
    OwnSpans own;
  };
  std::vector<Variant> variants;
};
/// Hashes the preprocessor directives in front of the kernel: they decide what its words mean. Empty if the kernel is
/// not there. AgenticKernelLock.cmake computes the same.
std::string directivesHash(std::string_view sourceText, std::string_view kernelText);
/// Parses a lock; `what` names the file in the error. Unknown fields are ignored; another schema is an error.
Result<Lock> parseLock(std::string_view text, std::string_view what);
std::string dumpLock(const Lock &lock); ///< pretty, keys in the order above, ends with a newline; deterministic

/// Makes all files of a kernel with these variants; an empty list gives dispatch and lock alone (for the shadow tree).
/// A variant kept from an earlier lock passes its existing file text. Order: variants (best level first), dispatch,
/// lock. Reads the project headers to hash them; touches nothing else.
struct VariantSource {
  Provenance provenance;
  std::string text; ///< text of the file, as emitVariant made it
  OwnSpans own;
};
Result<std::vector<GeneratedFile>> emitFiles(const KernelSpec &spec, const std::vector<VariantSource> &variants,
                                             std::string_view toolVersion);

} // namespace agentic
