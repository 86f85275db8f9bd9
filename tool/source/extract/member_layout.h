// Finds the numbers in the structs behind a kernel's parameters: their places, sizes and kinds.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace agentic {

/// A number, or an array of `count` equal ones, in a struct.
struct ScalarMember {
  enum class Kind { Signed, Unsigned, Floating };
  std::string name; ///< "scale", "corner.x"
  Kind kind = Kind::Signed;
  std::size_t offset = 0, size = 0; ///< bytes; of one of them
  std::size_t count = 1;
};

/// Returns the members of the struct that each parameter points to, refers to or is a range of; parameters without one
/// are not there. Bit-fields, unions, pointers and members of a base class are left out. Parses the kernel once
/// (0.02-0.5 s). Error if it does not parse.
Result<std::map<std::string, std::vector<ScalarMember>>> memberLayouts(const KernelSpec &spec);

} // namespace agentic
