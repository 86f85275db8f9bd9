// Facts about the kernel's own signature, and about everything that its body reaches besides its arguments.
#pragma once

#include "tool/source/loops/expression.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::moves {

struct Parameter {
  std::string name;            ///< empty if it has none
  VariableId variable{};       ///< in Nest::variables
  std::size_t nameOffset = 0;  ///< 0 if it has none or a macro wrote it
  std::string type;            ///< canonical, unqualified
  bool isInteger = false;      ///< and no bool
  std::int64_t largest = 0;    ///< largest value of an integer type
  bool isPlainPointer = false; ///< written with its `*` to an object: no array, reference or type with another name
  bool isRestrict = false;
  bool isAssigned = false; ///< `p = …`, or its address is taken; `++p` and `p += n` do not count
};

struct FunctionFacts {
  Range parameterList;    ///< between the parentheses; empty if a macro wrote some of it
  Range body;             ///< with its braces
  std::string returnType; ///< canonical
  std::vector<Parameter> parameters;
  bool isNoexcept = false;
  bool isVariadic = false;
  bool copiesAreFree = true; ///< every parameter is a number, a pointer or a reference to an object
  bool callsItself = false;
  bool hasStaticLocal = false;
  /// The project's flags let compilers reorder and cancel floating-point operations: -ffast-math and its parts.
  bool mayReassociateByFlags = false;
  /// Accesses that may reach the arguments' memory by another way: "the call to 'f'", "the global 'g'". Empty: none.
  std::string reachesMemory;

  const Parameter *parameter(std::string_view name) const; ///< null if there is none of that name
};

} // namespace agentic::moves
