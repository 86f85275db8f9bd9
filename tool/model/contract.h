// The declarations of a kernel's author about its arguments and results (design §9), made with the macros of
// agentic_kernel.h. Texts are as written, with white space made single blanks; extraction has checked them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The direction of the elements behind a parameter: read only, written only (old values do not count), or both.
enum class Direction { In, Out, InOut };

/// The number of elements (not bytes) behind a pointer parameter.
struct Extent {
  std::string parameter;
  Direction direction = Direction::In;
  std::string text; ///< an integer expression over integer parameters, for parseExpression: "M * K"
};

/// Two parameters whose elements may overlap; all others are disjoint.
struct AliasPair {
  std::string first, second;
};

/// The permitted difference of a result from the baseline's. Relative: times the baseline's magnitude; Ulp: in units in
/// the last place of the baseline's value. 0 asks for equality.
struct Tolerance {
  enum class Kind { Absolute, Relative, Ulp };
  Kind kind = Kind::Absolute;
  double value = 0;
};

/// Strict: every operation as written; Contract: a * b + c may be fused; Reassociate: sums and products in any order.
enum class FloatingPoint { Unspecified, Strict, Contract, Reassociate };

struct Contract {
  std::vector<Extent> extents;           ///< at most one for each parameter
  std::vector<std::string> requirements; ///< conditions over parameters that every call fulfils: "K % 32 == 0"
  std::vector<AliasPair> mayAlias;
  std::optional<Tolerance> tolerance;
  FloatingPoint floatingPoint = FloatingPoint::Unspecified;
  bool specialValues = false; ///< the search, too, keeps to NaN, infinities and -0 as in the baseline
  bool isFinite = false;      ///< AGENTIC_FP(finite): no argument ever holds a NaN, an infinity, a denormal or a -0
};

/// Returns whether MAY_ALIAS was declared for these two, in either order. A parameter always aliases itself.
bool mayAlias(const Contract &contract, std::string_view first, std::string_view second);

/// Returns the extent of a parameter; nullptr if none is declared.
const Extent *extentOf(const Contract &contract, std::string_view parameter);

/// Returns the integer parameters that every call passes a multiple of, with the largest required number: "K", 32 for
/// the requirement K % 32 == 0, alone or as a part of a conjunction.
std::map<std::string, std::int64_t> requiredMultiples(const Contract &contract);

/// "in", "out", "inout".
const char *directionName(Direction direction);
/// "absolute 0.01".
std::string toleranceText(const Tolerance &tolerance);

/// One line per declaration, for people: "in A[M * K]", "requires K % 32 == 0", "tolerance absolute 0.01".
std::vector<std::string> contractLines(const Contract &contract);

} // namespace agentic
