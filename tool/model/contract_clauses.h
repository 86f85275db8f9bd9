// Parses the arguments of the contract macros, as text, to a Contract; reports everything that can be wrong with them.
#pragma once

#include "tool/base/error.h"
#include "tool/model/contract.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// A macro of agentic_kernel.h that belongs to the contract. The tool parses with it defined as an annotation
/// "agentic_in:A, M * K": `annotation`, a colon, its arguments.
struct ContractMacro {
  std::string_view name;       ///< "AGENTIC_IN"
  std::string_view annotation; ///< "agentic_in"
  bool hasArguments = true;
  std::string_view example; ///< "AGENTIC_IN(p, extent)"
};
std::span<const ContractMacro> contractMacros();

/// Returns whether a macro of this name expands to nothing in a normal build: AGENTIC_KERNEL and the contract's macros.
bool isMarkerMacro(std::string_view name);

/// Returns whether a candidate may not define or undefine this macro.
bool isReservedMacro(std::string_view name);

/// One macro in front of the kernel.
struct ContractClause {
  std::string_view macro; ///< a ContractMacro's name
  std::string arguments;  ///< as written, white space made single blanks
  std::string position;   ///< "src/x.cpp:12:3: ", the beginning of a message
};

/// The facts about a parameter that a contract can refer to.
struct ContractParameter {
  enum class Kind {
    Integer,
    Boolean,
    Floating,
    Pointer, ///< to objects of known size; arrays are pointers
    Opaque,  ///< a pointer to void or to a function: nothing can be counted behind it
    Sized,   ///< std::vector, std::span, std::array, std::string_view: carries its extent
    Memory,  ///< any other kind of reference
    Other
  };
  std::string name; ///< "" if unnamed
  Kind kind = Kind::Other;
  bool isConst = false; ///< of Pointer: the objects that it points to are const
};

/// Errors (User): an unknown parameter; an extent of something that is no pointer, that is no integer expression, or
/// that names anything but integer parameters and sizes; a requirement that is no condition over parameters; OUT or
/// INOUT of a pointer to const; two extents of one parameter, two tolerances, two floating-point policies, a negative
/// tolerance; MAY_ALIAS of a parameter with itself or of one that refers to no memory; a wrong number of arguments.
Result<Contract> parseContract(std::string_view kernel, std::span<const ContractClause> clauses,
                               std::span<const ContractParameter> parameters);

} // namespace agentic
