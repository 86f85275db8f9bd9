// The type of a kernel in C, for glue and entry, which are C++.
#pragma once

#include "tool/model/kernel_spec.h"

#include <string>

namespace agentic {

/// Returns C++ that defines `agentic_type`, the type of a kernel in C. Built-in types are written out, so that headers
/// need not be C++; a struct, an enum or a name in the contract needs SOURCE's headers and types. If these are no C++,
/// or the type has no spelling there, the text does not compile, and its first error says why.
std::string typeInCxx(const KernelSpec &spec);

} // namespace agentic
