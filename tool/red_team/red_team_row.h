// A row of the red team: a candidate whose first comment lines state its expected verdict. Pure.
//
// A file is one row, or a theme with many. A theme begins with "// theme: …" and with the lines of a head that are the
// same for most of its rows; each row follows a line "// row: NAME", with the lines that are its own.
//
//   // expect: rejected                       or: valid
//   // trick: a counter in static memory (catalogue 8)          valid ones: // style: …
//   // layers: check:state-outlives-call audit differential     who must see it; of "a|b" one finding is enough
//   // fault: only the result is wrong        what the source and the object look like is no cheat
//   // alone: it does nothing when it runs    why no second layer can see it
//   // when: floating-output x86              kernels that it fits besides what its placeholders ask for
//
// Rows of the folder "any" are templates over any kernel, and those of a kernel's folder may use the same placeholders:
//   @SIGNATURE@    the kernel's own head            @BODY@          the baseline's body, braces included
//   @HELPER name@  the same head, as a static function of that name
//   @ARGUMENTS@    the parameters' names            @OUTPUT@ @INPUT@  the first pointer to non-const, to const
//   @FIRST@ @SECOND@  the first two pointers, whatever they point to
//   @OUTPUT_EXTENT@ @INPUT_EXTENT@ @FIRST_EXTENT@  elements behind these, as the contract says
//   @NAME@         the kernel's qualified name      @MANGLED@       its symbol    @KERNEL@  its name in CMake
//   @OUTPUT_TYPE@ @INPUT_TYPE@      elements' types  @COUNT@          the first integer parameter
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <array>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The layers that can catch a candidate, in the order of the stages. Sandbox: an attempt of the running candidate was
/// denied, that on its own stack included. Sanitize: MemorySanitizer saw it use a value that nobody set. Confirm:
/// results of earlier calls are gone in the timed runs that count.
enum class Layer { Check, Compile, Audit, Sandbox, Test, Differential, Benchmark, Sanitize, Confirm };
inline constexpr std::array kLayers = {Layer::Check,     Layer::Compile,  Layer::Audit,
                                       Layer::Sandbox,   Layer::Test,     Layer::Differential,
                                       Layer::Benchmark, Layer::Sanitize, Layer::Confirm};
const char *layerName(Layer layer);

struct ExpectedLayer {
  Layer layer = Layer::Check;
  std::vector<std::string> checks; ///< a finding of one of these; empty = any
};

struct RedTeamRow {
  std::string name; ///< "any/malloc", "binary_gemm/wrong_zeros"
  std::string text; ///< its head and its code
  bool isHostile = false;
  std::string trick; ///< or style
  std::vector<ExpectedLayer> layers;
  std::string fault, alone;
  std::vector<std::string> conditions;

  /// Returns whether the row names this layer. A row that names sandbox or confirm tries something that these deny,
  /// computes correctly when it is denied, and traps (SIGILL) when it is not.
  bool names(Layer layer) const;
};

/// Parses a row. The error names the row and the line that is missing or not understood.
Result<RedTeamRow> parseRedTeamRow(std::string name, std::string text);

/// Returns the rows of the file `group`/`file`.cpp.
Result<std::vector<RedTeamRow>> parseRedTeamFile(const std::string &group, const std::string &file, std::string text);

/// Returns the candidate's text for this kernel; unexpected: why the row does not fit it ("it writes through no
/// pointer").
std::expected<std::string, std::string> redTeamCandidate(const RedTeamRow &row, const KernelSpec &spec);

/// Returns all rows in `folder`/<kernel> and `folder`/any, sorted by name.
Result<std::vector<RedTeamRow>> loadRedTeam(const std::string &folder, const std::string &kernel);

} // namespace agentic
