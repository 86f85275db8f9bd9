// The result of extraction for one kernel. Free of Clang types, so that it can be cached as JSON: a later process need
// not parse SOURCE. All texts and offsets refer to SOURCE with CRLF turned into LF.
#pragma once

#include "tool/model/contract.h"
#include "tool/model/language.h"
#include "tool/model/permission.h"
#include "tool/model/policy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace agentic {

struct Parameter {
  std::string name;          ///< "" if unnamed
  std::string type;          ///< as written: "const float *"
  std::string canonicalType; ///< "const unsigned int *"
};

/// A piece of SOURCE that the kernel needs: its text must still stand in SOURCE, or variants are stale.
struct Fragment {
  /// Macro: a #define that SOURCE's directives do not leave in force, so it is repeated for the copies.
  /// Directive: a #define that the prelude holds; listed for staleness only.
  enum class Kind { Function, Type, Constant, Macro, Using, Directive };
  Kind kind = Kind::Function;
  std::string name;                    ///< qualified
  std::string text;                    ///< exact
  std::vector<std::string> namespaces; ///< enclosing, outermost first; "" = anonymous
  bool inSignature = false; ///< a type of the signature (or needed by one): repeated in its own namespace, not copied
  /// What a copy needs in place of `text`, because directives of SOURCE are not in force where copies stand: the
  /// branches of conditionals that this build takes, #pragma pack around it; "" = the text itself.
  std::string copy{};
};
const std::string &copyOf(const Fragment &fragment);

/// A conditional inside one of SOURCE's declarations: `#if … #endif`, as this build's preprocessor decides it.
struct DecidedConditional {
  std::vector<std::string> directives; ///< the tokens of each, first to last
  std::size_t taken = 0;               ///< index of the one whose branch is the text; the last one's where none is
};

/// A function outside SOURCE's own text that the baseline calls (or takes): a candidate may call it too.
struct ExternalFunction {
  std::string name;    ///< qualified: "std::sqrt", "proj::decode"
  std::string mangled; ///< linker symbol; "" for builtins
};

/// A fact that a variant relies on and that no text of SOURCE shows: a macro of the command line, a size, a constant's
/// value. The dispatcher uses variants only where `expression` is true.
struct Guard {
  std::string what;       ///< "macro TILE", "constant demo::kScale", "parameter 'p'"
  std::string expression; ///< constant expression at the kernel's place in SOURCE
  std::string value;      ///< for messages: "8"
  bool operator==(const Guard &) const = default;
};

/// A definition as SOURCE has it.
struct WrittenText {
  std::string text;
  std::size_t nameBegin = 0, nameEnd = 0; ///< of the declarator-id, qualifier included: "bmm::matmul", "Engine::step"
  std::size_t bodyBegin = 0;              ///< of the body's brace
};

/// How the threads of one of the project's programs call the kernel. Nobody was seen: 0 threads.
struct CallingThreads {
  std::uint64_t most = 0;     ///< in one process
  bool areSideBySide = false; ///< two calls were in progress at the same time
};
CallingThreads together(const CallingThreads &one, const CallingThreads &other);

/// Returns a text for people: "calls run side by side on several threads (4 in one program)"; "" if nobody was seen.
std::string callersText(const CallingThreads &callers);

struct Loop {
  unsigned line = 0, column = 0;
  int depth = 0;      ///< 0 = outermost
  std::string header; ///< "for (std::size_t p = 0; p < K; ++p)"
};

struct KernelSpec {
  int schema = 4;
  std::string kernel;                  ///< name of add_agentic_kernel()
  std::string source;                  ///< absolute path of SOURCE
  Language language = Language::Cxx;   ///< of SOURCE, and of what is made for the kernel
  std::string function;                ///< qualified: "bmm::matmul"
  std::string identifier;              ///< "matmul"
  std::string mangled;                 ///< linker symbol of the kernel
  std::size_t classes = 0;             ///< enclosing classes, of a static member function
  std::vector<std::string> namespaces; ///< enclosing namespaces that have a name, outermost first; inline ones included
  std::string returnType;              ///< as written
  std::string canonicalType;           ///< of the function: "void (const float *, unsigned long)"
  std::vector<Parameter> parameters;
  bool isNoexcept = false, isStatic = false, isExternC = false;

  std::string text;    ///< the whole definition, from its first specifier or attribute to the last brace, as candidates
                       ///< begin with it: a free function, and what the preprocessor does inside is done
                       ///< (extract/resolved_text.h)
  WrittenText written; ///< what a lock compares, and builds compile as baseline
  unsigned line = 0, column = 0;          ///< of both in SOURCE: their lines have the same numbers
  std::string signature;                  ///< `text` up to the body's brace
  std::string body;                       ///< `{ … }`
  std::size_t nameBegin = 0, nameEnd = 0; ///< range in `text` of the declarator-id, qualifier included ("bmm::matmul")

  std::vector<std::string> prelude; ///< the includes of the precompiled header in front of SOURCE, then SOURCE's
                                    ///< directives outside declarations, in order, one entry per directive
                                    ///< (continuation lines joined by "\n"), balanced
  std::vector<DecidedConditional> conditionals; ///< of the project's own names; neither `text` nor copies have them
  std::vector<Fragment> closure;                ///< unit-local declarations, in SOURCE's order
  std::vector<ExternalFunction> externals;
  std::vector<std::string> macros;         ///< names of macros that the kernel and its closure expand
  std::vector<std::string> projectHeaders; ///< absolute; headers outside system folders that declare something used
  std::vector<std::string> includes; ///< of the precompiled header and of SOURCE itself: "<cstdint>", "\"gemm.h\""
  std::vector<Loop> loops;
  std::vector<Guard> guards;
  long languageStandard = 0; ///< lowest __cplusplus of the language that SOURCE is compiled in: 202002; for C, its
                             ///< __STDC_VERSION__: 201710, 0 for C89
  std::vector<std::string> parseArguments; ///< Clang arguments that parsed SOURCE (no program, no file)
  std::string workingDirectory;            ///< of the compile command
  std::string fingerprint;                 ///< hash of the tokens of kernel and closure: blind to comments and layout
  Contract contract;                       ///< what the author declared in front of the function
  Policy policy;                           ///< what the project allows and forbids in candidates
  std::vector<Permission> permissions;     ///< what the baseline itself does with addresses; found by its check
  std::vector<AliasPair> overlaps; ///< pointers whose memory overlaps in a recorded call, one of them written; set by
                                   ///< what records
  CallingThreads callers;          ///< in the tests and benchmarks; set by what records
};

/// Returns whether sums and products of floating-point numbers may be computed in another order than written. The
/// contract decides if it says anything: yes for AGENTIC_FP(reassociate), no for its other policies; without a policy,
/// yes if a tolerance above 0 is declared. Else the project's own flags decide, as its compiler reads them:
/// -ffast-math, -Ofast, -funsafe-math-optimizations, or -fassociative-math together with -fno-signed-zeros and
/// -fno-trapping-math, unless a later -fno-… (or its opposite) takes them back.
bool mayReassociate(const KernelSpec &spec);

/// Returns the contract, with recorded overlaps as if they were declared.
Contract contractWithOverlaps(const KernelSpec &spec);

/// Returns whether NaN, infinities, denormals and -0 have to behave as in the baseline: not with AGENTIC_FP(finite),
/// nor where the project's flags take all numbers for finite (-ffast-math, -ffinite-math-only, -Ofast).
bool hasSpecialValues(const KernelSpec &spec);

/// Returns whether a * b + c may be rounded once: yes unless AGENTIC_FP(strict) or -ffp-contract=off forbids it.
bool mayContract(const KernelSpec &spec);

/// Returns the kernel and its closure as their author wrote them.
std::string textWithClosure(const KernelSpec &spec);

/// Returns the qualified names of the functions that a candidate may call because the closure has or calls them.
std::vector<std::string> allowedFunctions(const KernelSpec &spec);

/// Returns whether arguments or the result are floating-point numbers.
bool hasFloatingPoint(const KernelSpec &spec);

/// Returns a text for people and agents if the kernel has floating-point arguments and its results must be the
/// baseline's bit for bit: what that rules out, and the line that permits more. Else empty.
std::string strictness(const KernelSpec &spec);

/// Returns a variant's assumptions beyond the baseline's, and its required accuracy, one line each, for its header:
/// "pointer arguments do not overlap", "K % 32 == 0", "results within absolute 0.01 of the original's".
std::vector<std::string> assumptionsOf(const KernelSpec &spec);

} // namespace agentic
